"""The runs of schemathesis: how many rounds there are, and what is no success."""

from collections import Counter
from dataclasses import dataclass

import pytest

from failure import Failure
from fuzzing import GENERATED, are_too_few, report


@pytest.mark.parametrize("cases, ended, going, wanted, more", [
    (100, 1, 0, 0, False), (100, 1, 0, 101, True), (100, 1, 0, 100, False),
    # One that goes on counts as the mean of those that ended.
    (100, 1, 1, 200, False), (100, 1, 1, 201, True), (300, 2, 1, 450, False), (300, 2, 1, 451, True),
    (0, 2, 5, 1, True)])
def test_another_round_begins_while_there_are_too_few_cases(cases, ended, going, wanted, more):
    assert are_too_few(cases, ended, going, wanted) == more


def test_cases_are_those_of_the_summary():
    assert GENERATED.search("Test cases:\n  1234 generated, 3 found").group(1) == "1234"
    assert not GENERATED.search("1234 were generated, ")


@dataclass
class Options:
    cases: int


@pytest.mark.parametrize("cases, failed, reason", [
    (100, [], None), (120, [], None), (99, [], "99 cases with 40 seeds, and 100 are wanted"),
    (100, [7, 3], r"with the seeds \[3, 7\]")])
def test_a_seed_that_failed_or_too_few_cases_are_a_failure(cases, failed, reason, capsys):
    if reason:
        with pytest.raises(Failure, match=reason):
            report(Options(100), cases, Counter(a=2, b=1), failed)
    else:
        report(Options(100), cases, Counter(a=2, b=1), failed)
    assert f"{cases} cases, 3 requests to 2 operations" in capsys.readouterr().out
