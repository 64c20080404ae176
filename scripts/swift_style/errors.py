"""The names of errors say whose matter they are: CONTRIBUTING.md, "Errors"."""

import re

from . import Result

FAMILIES = ("Refusal", "Error", "Unavailable", "Problem")
TYPE = re.compile(
    r"^[ \t]*(?P<access>private |fileprivate )?(?:public |package |final )*(?:struct|enum|class|actor) (?P<name>\w+)"
    r"(?:<[^>{]*>)?: (?P<conformances>[^{]*)\{", re.M)
# Each with the reason why it has another name.
OTHERS = {
    "ReceiptRejection": "a rejected receipt is a value, which is stored, sent and documented by this word",
    "NotificationRejection": "the same, of a notification",
    "FolderInUse": "of the client's public interface: a state that an app tells its player",
    "NoAccount": "the same", "SignedOut": "the same", "SpendPending": "the same",
    "Failure": "ZstdPatchDecoder.Failure, of the client's public interface",
    "SearchMistake": "what was typed, which the page of the search explains in its place",
    "UnreadableContent": "of the example: the game says it and goes on",
    "LedgerDifference": "what a check found; nobody throws it",
    "RefusedInGroup": "ends a group of writes, and reaches no caller",
    "RolledBackWrite": "the same, with what was written",
    "NotATransaction": "ends the reading of an entry, and reaches no caller",
}


def outside_families(sources):
    """Types within the module or wider: what is private ends a loop, and reaches nobody."""
    found, total = [], 0
    for source in sources:
        for match in TYPE.finditer(source.mask):
            conformances = re.split(r"[,&\s]+", match["conformances"])
            if match["access"] or not {"Error", "LocalizedError"} & set(conformances):
                continue
            total += 1
            if not match["name"].endswith(FAMILIES) and match["name"] not in OTHERS:
                found.append((source.path, source.mask[:match.start("name")].count("\n") + 1, match["name"]))
    return Result(found, total)
