#!/usr/bin/env python3
"""Prints which tests take the most processor time, their own servers and databases included.

    scripts/dearest_tests.py [--most N] [--filter SUITE…]     after make build-tests

The tests run one after the other, so that what the processor did between two of their events belongs to one of them;
that takes longer than make test, and tests that wait cost nothing here. Ends with the status of the tests.
"""

import argparse
import collections
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = ROOT / ".build" / "optimized" / "release" / "quartermasterPackageTests.xctest"
PR_SET_CHILD_SUBREAPER = 36  # prctl(2): what a test leaves behind becomes a child of this program.
TICK = os.sysconf("SC_CLK_TCK")


def processes():
    """(process, parent, seconds with those of the children that it waited for) of each that runs."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                # The name, in parentheses, may have spaces.
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # It ended meanwhile.
            yield int(entry.name), int(fields[1]), sum(map(int, fields[11:15])) / TICK


def seconds():
    """What everything that this program started took so far."""
    children = collections.defaultdict(list)
    for process, parent, taken in processes():
        children[parent].append((process, taken))
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total, waiting = ended.ru_utime + ended.ru_stime, [os.getpid()]
    while waiting:
        for process, taken in children[waiting.pop()]:
            total += taken
            waiting.append(process)
    return total


def costs(events):
    """Seconds by test, of a stream of events as Swift Testing writes it (swift-testing, ABI/JSON.md)."""
    taken, current, before = collections.Counter(), "before the first test", 0.0
    for line in events:
        record = json.loads(line)
        if record["kind"] != "event" or "testID" not in record["payload"]:
            continue
        now = seconds()
        taken[current] += now - before
        before, current = now, record["payload"]["testID"]
    taken["after the last test"] += seconds() - before
    return taken


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--most", type=int, default=50)
    parser.add_argument("--filter", action="append", default=[])
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        stream = Path(folder, "events")
        os.mkfifo(stream)
        tests = subprocess.Popen(
            [ROOT / "scripts" / "test.sh"], stdout=subprocess.DEVNULL, env=os.environ | {
                "TESTS_BUILT": "1", "TESTS_AT_ONCE": "1", "EVENTS": str(stream), "FILTER": "|".join(options.filter)})
        with open(stream) as events:
            taken = costs(events)
        status = tests.wait()
    print(f"{sum(taken.values()):8.1f} s in all")
    for test, cost in taken.most_common(options.most):
        print(f"{cost:8.1f} s  {test}")
    return status


sys.exit(main())
