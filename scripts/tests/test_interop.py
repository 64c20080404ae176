"""The comparison with Apple's library: of verdicts on altered receipts, of pages, of times."""

from dataclasses import dataclass

import pytest

from answers import is_as_told, joined, seconds_ahead
from comparison import EXPLAINED, LIKE_ITS_TESTS, REASONS, Comparison, Mutant, without_verdict
from findings import Checks

JWS = "e30.e30.AA"


@dataclass(frozen=True)
class Read:
    """What Apple's library makes of a receipt that it takes."""

    transactionId: str
    productId: str


def refusal():
    """As the library raises it: what its dependencies said is the cause."""
    error = ValueError()
    error.__cause__ = ValueError("no chain")
    return error


# What the library says of a receipt: the transaction, or why it refuses it.
TAKES, REFUSES = (Read("1", "hints"), None), (None, refusal())
VERIFIED = {"status": "verified", "read": [("1", "hints")]}
REJECTED = {"status": "rejected", "reason": "signature"}


def compared(answer, kind="original", library=TAKES, text=JWS):
    comparison = Comparison(None, None, Checks())
    comparison.judge(Mutant(kind, text, "Sandbox"), answer, *library)
    return comparison


@pytest.mark.parametrize("answer", [VERIFIED, {"status": "conflict"}, {"status": "pending"}])
def test_what_both_accept_is_no_finding(answer):
    found = compared(answer)
    assert (found.both, found.checks.findings) == (1, [])


def test_what_both_refuse_is_counted_and_no_finding():
    found = compared(REJECTED, library=REFUSES)
    assert (found.count, found.both, found.checks.count, found.checks.findings) == (1, 0, 1, [])


@pytest.mark.parametrize("answer", [VERIFIED, {"status": "conflict"}, {"status": "pending"}])
# A kind with an explanation too: that the server is stricter explains nothing here.
@pytest.mark.parametrize("kind", ["original", "base64 variant: padded"])
def test_what_the_server_alone_accepts_is_a_finding(answer, kind):
    [finding] = compared(answer, kind, library=REFUSES).checks.findings
    assert finding == f"accepted, not by the library (ValueError('no chain')): {kind}"


@pytest.mark.parametrize("kind", ["original", "signature: n - s", "signed by a trusted chain", "odd chain: reversed"])
def test_what_the_library_alone_accepts_is_a_finding_without_an_explanation(kind):
    found = compared(REJECTED, kind)
    assert found.checks.findings == [f"refused (signature), not by the library: {kind}"]
    assert "A FINDING" in found.table


@pytest.mark.parametrize("kind", [beginning for beginning, _ in EXPLAINED])
def test_what_the_library_alone_accepts_is_none_with_an_explanation(kind):
    found = compared(REJECTED, kind)
    assert (found.checks.findings, found.stricter.total()) == ([], 1)


def test_no_explanation_is_hidden_by_one_before_it():
    beginnings = [beginning for beginning, _ in EXPLAINED]
    hidden = [(before, each) for place, each in enumerate(beginnings) for before in beginnings[:place]
              if each.startswith(before)]
    assert hidden == []


@pytest.mark.parametrize("read", [[], [("2", "hints")], [("1", "words")], [("1", "hints"), ("2", "hints")]])
def test_another_reading_of_what_both_accept_is_a_finding(read):
    [finding] = compared({"status": "verified", "read": read}).checks.findings
    assert finding.startswith("what is read in: original: expected [('1', 'hints')], found")


def test_what_is_pending_is_accepted_only_as_a_signed_text():
    """An ID or a receipt of another form waits for the store without a verdict here."""
    assert compared({"status": "pending"}, text="1", library=REFUSES).checks.findings == []


@pytest.mark.parametrize("kind, name", [
    ("original", "strict"), ("odd chain: leaf expired", "strict"), ("without key usages: original", "strict"),
    *((f"odd chain: leaf {ending}", "as in its tests") for ending in LIKE_ITS_TESTS)])
def test_chains_like_those_of_the_librarys_tests_are_read_without_strict_checks(kind, name):
    comparison = Comparison("strict", "as in its tests", Checks())
    assert comparison.library_for(Mutant(kind, JWS, "Sandbox")) == name


def test_the_table_counts_each_receipt_once():
    comparison = Comparison(None, None, Checks())
    for kind, answer, library in (
            ("original", VERIFIED, TAKES), ("original", REJECTED, REFUSES), ("trusted date", REJECTED, TAKES),
            ("trusted date", REJECTED, TAKES)):
        comparison.judge(Mutant(kind, JWS, "Sandbox"), answer, *library)
    first, read, _, alone, row, _ = comparison.table.split("\n")
    assert first == "4 altered receipts: 1 refused by both, 1 accepted by both"
    assert (read, alone) == ("  and 1 of those compared in what was read", "2 accepted by the library alone:")
    assert row.split(maxsplit=1)[0] == "2"


def test_what_has_no_verdict_is_asked_again():
    answers = [VERIFIED, REJECTED, {"status": "rejected", "reason": "busy"}, {"status": "pending"},
               *({"status": "rejected", "reason": reason} for reason in sorted(REASONS)),
               {"status": "rejected", "reason": "storeUnavailable"}]
    assert without_verdict(answers) == [2, len(answers) - 1]


def test_checks_count_all_and_keep_what_is_not_so():
    checks = Checks()
    assert checks.expect(True, "so") and not checks.expect(False, "not so")
    assert checks.equal(1, 1, "one") and not checks.equal(1, 2, "two")
    assert checks.succeeds("a number", int, "7") == 7
    assert checks.succeeds("no number", int, "x") is None
    assert checks.count == 6
    assert [each[:21] for each in checks.findings] == ["not so", "two: expected 2, foun", "no number: ValueError"]


@dataclass(frozen=True)
class Page:
    revision: str
    hasMore: bool


@pytest.mark.parametrize("pages, asked", [
    ([Page("1", False)], [None]),
    ([Page("1", True), Page("2", True), Page("3", False)], [None, "1", "2"]),
    # A call that failed, which is a finding of its own.
    ([None], [None]),
    ([Page("1", True), None], [None, "1"]),
])
def test_pages_are_joined_by_their_revisions_until_the_last(pages, asked):
    revisions, rest = [], iter(pages)

    def ask(revision):
        revisions.append(revision)
        return next(rest)

    assert list(joined(ask)) == [page for page in pages if page]
    assert revisions == asked


@pytest.mark.parametrize("header, is_right", [
    # The request began at 1,000; the store was told 30 s.
    ("1030000", True), ("1029500", True), ("1031000", True),
    ("1028900", False), ("1036000", False),
    # Seconds, as other servers have it; a time in seconds; nothing.
    ("30", False), ("1030", False), (None, False), ("", False),
])
def test_the_time_to_come_back_is_in_milliseconds_since_1970(header, is_right):
    assert is_as_told(seconds_ahead(header, 1_000), told=30, answered_within=5) == is_right
