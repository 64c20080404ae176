#!/usr/bin/env python3
"""Compares two records of the tests' exchanges with the server, made with QUARTERMASTER_RECORD=FILE make test.

    scripts/compare_exchanges.py BEFORE AFTER [--allow titles]

What differs between any two runs (IDs, tokens, keys, signatures, ports, temporary folders) is replaced by a
placeholder; then each test must have the same exchanges as often, in any order, since some tests send in parallel.
Ends with 1 where a test of both records has other exchanges. `--allow titles` leaves the titles and details of problem
documents out of the comparison.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "openapi"))
import exchanges  # noqa: E402

MOST_SHOWN = 20
# Replaced in this order; the first that fits wins.
PLACEHOLDERS = [
    (re.compile(r"[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"), "<jws>"),
    (re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"), "<uuid>"),
    (re.compile(r"\b(?:[0-9A-Z]{4,5}-){3,}[0-9A-Z]{4,5}\b"), "<code>"),
    (re.compile(r"\b(r|d|g|p|u|evt)_[A-Za-z0-9_-]{10,}"), r"<\1>"),
    (re.compile(r"grant=[^\"&\s]+"), "grant=<grant>"),
    (re.compile(r"(localhost|127\.0\.0\.1):\d+"), r"\1:<port>"),
    (re.compile(r"[A-Za-z0-9+/_-]{32,}={0,2}"), "<bytes>"),
    (re.compile(r"\b\d{9,}\b"), "<number>"),
]
# Of one run, or of the connection.
LEFT_OUT = {"x-request-id", "date", "content-length", "connection", "transfer-encoding"}


def plain(text):
    # Some encoders escape slashes, also those of base64.
    text = re.sub(r"\\+/", "/", text)
    for pattern, name in PLACEHOLDERS:
        text = pattern.sub(name, text)
    return text


def sorted_members(body):
    """JSON with its members in one order: tests write dictionaries, whose order is another in each run."""
    try:
        return json.dumps(json.loads(body), sort_keys=True)
    except (ValueError, RecursionError):
        return body


def without_values(body):
    """Metrics without what was measured, which is another in each run."""
    if body.startswith("# HELP "):
        return "\n".join(line.rpartition(" ")[0] for line in body.split("\n") if not line.startswith("#"))
    return re.sub(r"^\d+ bytes$", "<bytes>", body)


def without_words(body):
    """The problem document without what people read."""
    try:
        problem = json.loads(body)
    except ValueError:
        return body
    if not isinstance(problem, dict) or "code" not in problem:
        return body
    return json.dumps({k: v for k, v in problem.items() if k not in ("title", "detail")}, sort_keys=True)


def read(path, allowed):
    tests = defaultdict(Counter)
    for exchange in exchanges.read(path, "server"):
        body = sorted_members(exchange["body"])
        if "titles" in allowed:
            body = without_words(body)
        if exchange["path"].split("?")[0] == "/metrics":
            body = without_values(body)
        headers = {k: v for k, v in exchange["headers"].items() if k.lower() not in LEFT_OUT}
        asked = [exchange["method"], exchange["path"], sorted_members(exchange["requestBody"])]
        shown = json.dumps([*asked, exchange["status"], headers, body], sort_keys=True, ensure_ascii=False)
        tests[re.sub(r"\.swift:\d+:\d+$", "", exchange["test"])][plain(shown)] += 1
    return tests


def compared(before, after):
    """The tests of both records, and those of them that have other exchanges, or one of them more or less often."""
    both = sorted(before.keys() & after.keys())
    return both, [test for test in both if before[test] != after[test]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--allow", action="append", default=[], choices=["titles"])
    arguments = parser.parse_args()
    before, after = read(arguments.before, arguments.allow), read(arguments.after, arguments.allow)
    both, differing = compared(before, after)
    for test in differing[:MOST_SHOWN]:
        print(f"== {test}")
        for sign, gone in (("-", before[test] - after[test]), ("+", after[test] - before[test])):
            for exchange, times in list(gone.items())[:3]:
                print(f"{sign} {times} x {exchange[:600]}")
    print(f"{len(both)} tests in both records, {sum(sum(before[t].values()) for t in both)} exchanges; "
          f"{len(differing)} tests differ; {len(before.keys() - after.keys())} only before, "
          f"{len(after.keys() - before.keys())} only after")
    return 1 if differing or not both else 0


if __name__ == "__main__":
    sys.exit(main())
