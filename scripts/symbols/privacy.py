"""Judges a privacy manifest by the symbols that are used: Apple wants a reason for some of them.

https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
"""

import re
from dataclasses import dataclass

CATEGORY = "NSPrivacyAccessedAPICategory"


@dataclass(frozen=True)
class Required:
    names: set
    reasons: set


ATTRIBUTES = {"getattrlist", "fgetattrlist", "getattrlistat"}
REQUIRED = {
    "FileTimestamp": Required(
        {"creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey", "creationDateKey",
         "contentModificationDate", "getattrlistbulk", "stat", "fstat", "fstatat", "lstat"} | ATTRIBUTES,
        {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"}),
    "SystemBootTime": Required({"systemUptime", "mach_absolute_time"}, {"35F9.1", "8FFB.1", "3D61.1"}),
    "DiskSpace": Required(
        {"volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey", "volumeTotalCapacityKey",
         "volumeAvailableCapacityForOpportunisticUsageKey", "systemFreeSize", "systemSize", "statfs", "statvfs",
         "fstatfs", "fstatvfs"} | ATTRIBUTES,
        {"85F4.1", "E174.1", "7D9E.1", "B728.1"}),
    "ActiveKeyboards": Required({"activeInputModes"}, {"3EC4.1", "54BD.1"}),
    "UserDefaults": Required({"UserDefaults"}, {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"}),
}


def findings(names, manifest):
    """What is wrong with a manifest where these symbols are used, such as `FileAttributeKey.modificationDate`."""
    declared = {each["NSPrivacyAccessedAPIType"].removeprefix(CATEGORY): set(each["NSPrivacyAccessedAPITypeReasons"])
                for each in manifest["NSPrivacyAccessedAPITypes"]}
    for category, required in REQUIRED.items():
        used = sorted(name for name in names if required.names & set(re.sub(r"\(.*", "", name).split(".")))
        reasons = declared.pop(category, set())
        if used and not reasons:
            yield f"{used[0]} is used, and no reason of {category} declared"
        if reasons and not used:
            yield f"nothing is used of {category}, which is declared"
        if unknown := reasons - required.reasons:
            yield f"{', '.join(sorted(unknown))}: no reason of {category}"
    for category in declared:
        yield f"{category}: no such category"
