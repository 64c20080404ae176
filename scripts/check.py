#!/usr/bin/env python3
"""Runs the checks that take too long for every change, one after the other, and goes on after one that fails.

    scripts/check.py [CHECK…]      all of them where none is named; make check ONLY='interop fuzz' is the same

Each is a target of the Makefile, made with the server that is built first; what it prints goes to .build/check/CHECK.log.
The date and the commit of each that passes are written to docs/develop/checked.md, but not if QUARTERMASTER_BINARY names a
program that was built elsewhere. Ends with 1 if any failed.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build" / "check"
RECORD = ROOT / "docs" / "develop" / "checked.md"
BINARY = ROOT / ".build" / "release" / "quartermaster"
SHOWN_LINES = 20
# The short ones first.
CHECKS = [
    "check-metrics", "check-faults", "check-consumer", "check-generated-client", "check-downloads", "check-nginx", "check-bodies", "docs",
    "bench-instructions", "check-garbage", "check-admin", "check-hangman", "interop", "check-client", "bench-quick",
    "check-reports", "test-s3", "test-cluster", "check-backfill", "check-guide", "check-systemd",
    "check-image", "check-compose", "check-openapi", "check-campaigns", "check-histories", "check-tools", "fuzz",
]
# For each target of `make fuzz`, where the environment says nothing else.
FUZZ_SECONDS = "60"
HEADER = """# When each long check passed last

`make check` writes this page: the checks that are too long for `.ci/run`, when each passed last, on which commit, and
how long it took. A commit with a plus sign had changes that were not committed.

| Check | Passed on | Commit | Seconds |
|---|---|---|---|
"""
ROW = re.compile(r"\| `make ([\w-]+)` \|.*\|$", re.M)


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def commit():
    changes = git("status", "--porcelain", "--untracked-files=no", "--", ".", f":!{RECORD.relative_to(ROOT)}")
    return git("rev-parse", "--short", "HEAD") + ("+" if changes else "")


def run(target, environment):
    """The status of the target, and how many seconds it took."""
    began = time.monotonic()
    with open(LOGS / f"{target}.log", "wb") as log:
        status = subprocess.run(
            ["make", "--no-print-directory", target], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT).returncode
    return status, round(time.monotonic() - began)


def record(target, at, seconds):
    rows = {match.group(1): match.group() for match in ROW.finditer(RECORD.read_text())} if RECORD.exists() else {}
    today = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    rows[target] = f"| `make {target}` | {today} | {at} | {seconds} |"
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    RECORD.write_text(HEADER + "".join(rows[name] + "\n" for name in CHECKS if name in rows))


def show_end(target):
    lines = (LOGS / f"{target}.log").read_text(errors="replace").splitlines()
    print("\n".join(f"    {line}" for line in lines[-SHOWN_LINES:]))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("checks", nargs="*", metavar="CHECK")
    chosen = parser.parse_args().checks or CHECKS
    if unknown := set(chosen) - set(CHECKS):
        parser.error(f"no such check: {' '.join(sorted(unknown))}; there are {' '.join(CHECKS)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    environment = {"FUZZ_SECONDS": FUZZ_SECONDS, **os.environ}
    # make hands its ONLY on, which names test targets elsewhere.
    for name in ("ONLY", "MAKEFLAGS", "MAKEOVERRIDES"):
        environment.pop(name, None)
    at = commit()
    # Nobody knows of which commit a program is that was built elsewhere.
    is_recorded = "QUARTERMASTER_BINARY" not in environment
    if is_recorded:
        status, seconds = run("build", environment)
        if status != 0:
            show_end("build")
            sys.exit(f"check: the build failed with status {status} after {seconds} s")
        environment["QUARTERMASTER_BINARY"] = str(BINARY)
    failed = []
    for target in chosen:
        print(f"{target:16} ", end="", flush=True)
        status, seconds = run(target, environment)
        print(f"passed in {seconds} s" if status == 0 else f"FAILED with status {status} after {seconds} s", flush=True)
        if status != 0:
            failed.append(target)
            show_end(target)
        elif is_recorded:
            record(target, at, seconds)
    print(f"check: {len(chosen) - len(failed)} of {len(chosen)} passed" +
          (f"; failed: {' '.join(failed)}; see {LOGS.relative_to(ROOT)}" if failed else ""))
    return 1 if failed else 0


sys.exit(main())
