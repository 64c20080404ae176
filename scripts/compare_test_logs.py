#!/usr/bin/env python3
"""Tells whether two logs of make test have the same tests with the same number of cases; ends with 1 if not.

    scripts/compare_test_logs.py BEFORE AFTER     what scripts/rename_tests.py renamed counts as the same
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

from rename_tests import name

ENDED = re.compile(
    r'^[✔✘] Test (?!run with )"?(?P<test>.+?)"?(?: with (?P<cases>\d+) test cases?)? (?:passed|failed) after', re.M)
TOTAL = re.compile(r"^[✔✘] Test run with (\d+) tests?", re.M)


def read(path):
    """How many cases each test had that ran, and how many tests the run says it had."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    tests = Counter((name(match["test"]), int(match["cases"] or 1)) for match in ENDED.finditer(text))
    return tests, sum(map(int, TOTAL.findall(text)))


def compare(before, after):
    """What is different, a line each, and whether nothing is."""
    (old, old_total), (new, new_total) = read(before), read(after)
    lines = [f"only {when}: {test}, {cases} cases" for when, other in (("before", old - new), ("after", new - old))
             for test, cases in sorted(other)]
    for tests, total in ((old, old_total), (new, new_total)):
        cases = sum(cases * count for (_, cases), count in tests.items())
        lines.append(f"{total} tests, of which {tests.total()} ran, with {cases} cases")
    return lines, bool(old) and old == new and old_total == new_total


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("before")
    parser.add_argument("after")
    arguments = parser.parse_args()
    lines, is_same = compare(arguments.before, arguments.after)
    print("\n".join(lines))
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
