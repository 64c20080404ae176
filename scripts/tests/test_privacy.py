"""What compares the client's privacy manifest with the symbols that it uses, and the manifest itself."""

import os
import plistlib
import subprocess

import pytest

from conftest import ROOT
from privacy import findings

MANIFEST = ROOT / "Sources" / "QuartermasterClient" / "PrivacyInfo.xcprivacy"
DATE, SPACE = "FileAttributeKey.modificationDate", "URLResourceKey.volumeAvailableCapacityForImportantUsageKey"


def declaring(**reasons):
    return {"NSPrivacyAccessedAPITypes": [
        {"NSPrivacyAccessedAPIType": f"NSPrivacyAccessedAPICategory{category}", "NSPrivacyAccessedAPITypeReasons": each}
        for category, each in reasons.items()]}


@pytest.mark.parametrize("names, manifest", [
    ([], declaring()), (["FileAttributeKey.size", "kSecAttrCreationDate", "Data.startIndex"], declaring()),
    ([DATE], declaring(FileTimestamp=["C617.1"])), ([SPACE, DATE], declaring(FileTimestamp=["0A2A.1"], DiskSpace=["E174.1"])),
])
def test_a_reason_for_what_is_used_is_right(names, manifest):
    assert list(findings(names, manifest)) == []


@pytest.mark.parametrize("names, manifest, finding", [
    ([DATE], declaring(DiskSpace=[]), f"{DATE} is used, and no reason of FileTimestamp declared"),
    (["statvfs", "statvfs.f_bavail"], declaring(), "statvfs is used, and no reason of DiskSpace declared"),
    (["UserDefaults.set(_:forKey:)"], declaring(),
     "UserDefaults.set(_:forKey:) is used, and no reason of UserDefaults declared"),
    (["stat(_:_:)"], declaring(), "stat(_:_:) is used, and no reason of FileTimestamp declared"),
    ([], declaring(DiskSpace=["E174.1"]), "nothing is used of DiskSpace, which is declared"),
    ([DATE], declaring(FileTimestamp=["C617.1", "E174.1"]), "E174.1: no reason of FileTimestamp"),
    ([], declaring(Microphone=["E174.1"]), "Microphone: no such category"),
])
def test_what_is_missing_and_what_is_too_much_are_findings(names, manifest, finding):
    assert list(findings(names, manifest)) == [finding]


def collected(kind):
    return {"NSPrivacyCollectedDataType": f"NSPrivacyCollectedDataType{kind}", "NSPrivacyCollectedDataTypeLinked": True,
            "NSPrivacyCollectedDataTypeTracking": False,
            "NSPrivacyCollectedDataTypePurposes": ["NSPrivacyCollectedDataTypePurposeAppFunctionality"]}


def test_the_client_collects_purchases_and_accounts_and_tracks_nobody():
    manifest = plistlib.loads(MANIFEST.read_bytes())
    assert manifest.pop("NSPrivacyAccessedAPITypes")
    assert manifest == {"NSPrivacyTracking": False, "NSPrivacyTrackingDomains": [],
                        "NSPrivacyCollectedDataTypes": [collected("PurchaseHistory"), collected("UserID")]}


def test_the_package_of_the_client_alone_has_the_manifest_as_the_whole_one_has_it(tmp_path):
    names = {f"GIT_{role}_{part}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    subprocess.run([ROOT / "scripts" / "client-package.sh", tmp_path / "client"], check=True, capture_output=True,
                   env=os.environ | names)
    alone, whole = ((folder / "Package.swift").read_text() for folder in (tmp_path / "client", ROOT))
    assert (tmp_path / "client" / "Sources" / "QuartermasterClient" / MANIFEST.name).read_bytes() == MANIFEST.read_bytes()
    begins, ends = "#if canImport(Darwin)", "#endif"
    declares = whole[whole.index(begins):whole.index(ends)]
    assert MANIFEST.name in declares and declares in alone
    for text in (alone, whole):
        assert "exclude: privacyManifestExclude, resources: privacyManifestResources" in text
