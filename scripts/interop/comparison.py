"""Judges the server's answers to altered receipts by what Apple's library makes of the same texts."""

from collections import Counter
from dataclasses import dataclass

# What a refusal of the server may be for; anything else is no verdict.
REASONS = {
    "malformed", "signature", "chain", "expiredCertificate", "bundleID", "appAppleID", "environment", "notFound",
    "unsupported"}
# The library's own tests sign with such certificates, and switch its strict checks off for them.
LIKE_ITS_TESTS = (
    "without key identifiers", "without its own key identifier", "without its issuer's key identifier",
    "without key usages", "whose constraints may be ignored")
# Where the server refuses on purpose what the library takes. It takes nothing that the library refuses.
# The beginning of the kind, and why.
EXPLAINED = (
    ("base64 variant", "RFC 7515 §2: no padding, no line breaks, no unused bits; one text for one receipt"),
    ("character inserted", "the same: what is no base64url is no JWS, wherever it stands"),
    ("character changed", "the same: the unused bits of the last character"),
    ("parts rearranged", "the same, where all three parts are the original's"),
    ("trusted header: {\"crit\"", "RFC 7515 §4.1.11: no critical extension is understood"),
    ("trusted header: {\"b64\"", "RFC 7797 §6: the payload is always encoded"),
    ("trusted header with a member twice", "RFC 7515 §4: names must be unique"),
    ("trusted header text", "the header is JSON to the letter (RFC 8259)"),
    ("trusted text", "the same of the payload"),
    ("trusted claim twice", "RFC 7519 §4: names must be unique"),
    ("trusted registered claim", "RFC 7519 §4.1: times are numbers, names are text; nobody here is an audience"),
    ("trusted date", "signed in the future, beyond the 5 minutes that clocks may differ"),
    *((f"trusted claim: {name}", "no time in whole milliseconds from 1970 to 9999") for name in (
        "signedDate", "purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate")),
    *((f"trusted claim: {name}", "an ID of the store is a text of 1 to 20 digits") for name in (
        "transactionId", "originalTransactionId")),
    *((f"trusted claim: {name}", "not of the type that Apple's page says") for name in (
        "advancedCommerceInfo", "appAccountToken", "bundleId", "commitmentInfo", "environment", "inAppOwnershipType",
        "isUpgraded", "offerType", "price", "productId", "quantity", "revocationPercentage", "revocationReason",
        "subscriptionGroupIdentifier", "type")),
    ("trusted claim left out", "every transaction of the store has it; a subscription has an end"),
    ("odd chain: leaf an authority", "a signer that may issue certificates is none of the store's"),
    ("odd chain: leaf for", "the leaf's key is for other uses than signatures (RFC 5280 §4.2.1.3)"),
    ("odd chain: intermediate whose constraints may be ignored", "an authority's are critical (RFC 5280 §4.2.1.9)"),
    ("odd chain: leaf without", "none of the store's certificates is without"))
ACCEPTED = {"verified", "conflict"}  # Of a conflict the receipt is genuine, and somebody else's.


@dataclass(frozen=True)
class Mutant:
    """An altered receipt, and how it is altered."""

    kind: str
    text: str
    environment: object


def without_verdict(answers):
    """The places of those that are to be sent again."""
    return [
        number for number, answer in enumerate(answers)
        if answer["status"] == "rejected" and answer["reason"] not in REASONS]


class Comparison:
    def __init__(self, library, library_of_its_tests, checks):
        self.library, self.library_of_its_tests, self.checks = library, library_of_its_tests, checks
        self.count, self.both, self.compared = 0, 0, 0
        self.stricter = Counter()

    def take(self, mutant, answer):
        # The server takes receipts as files have them, with white space around.
        self.judge(mutant, answer, *self.library_for(mutant).read(mutant.text.strip()))

    def library_for(self, mutant):
        return self.library_of_its_tests if mutant.kind.endswith(LIKE_ITS_TESTS) else self.library

    def judge(self, mutant, answer, theirs, reason):
        """The server's answer beside the transaction that the library read, or why it read none."""
        self.count += 1
        # What waits for the store to say how it is now was verified here.
        is_waiting = answer["status"] == "pending" and mutant.text.count(".") == 2
        is_accepted = answer["status"] in ACCEPTED or is_waiting
        if theirs is not None and is_accepted:
            self.both += 1
            self.compare(theirs, answer, mutant)
        elif theirs is not None:
            self.explain(mutant, f"refused ({answer['reason']}), not by the library")
        elif is_accepted:
            self.checks.expect(False, f"accepted, not by the library ({reason.__cause__!r}): {mutant.kind}")
        else:
            self.checks.count += 1

    def compare(self, theirs, answer, mutant):
        if answer["status"] == "verified":
            self.compared += 1
            expected = [(theirs.transactionId, theirs.productId)]
            self.checks.equal(answer["read"], expected, f"what is read in: {mutant.kind}")

    def explain(self, mutant, what):
        why = next((why for kind, why in EXPLAINED if mutant.kind.startswith(kind)), None)
        self.checks.expect(why is not None, f"{what}: {mutant.kind}")
        self.stricter[(mutant.kind, why)] += 1

    @property
    def table(self):
        neither = self.count - self.both - self.stricter.total()
        return "\n".join([
            f"{self.count} altered receipts: {neither} refused by both, {self.both} accepted by both",
            f"  and {self.compared} of those compared in what was read", "",
            f"{self.stricter.total()} accepted by the library alone:", *rows(self.stricter), ""])


def rows(counter):
    for (kind, why), count in sorted(counter.items(), key=str):
        yield f"{count:6} {kind[:60]:60} {why or 'A FINDING'}"
