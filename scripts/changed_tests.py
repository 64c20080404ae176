#!/usr/bin/env python3
"""Prints the test targets that depend on a file changed since the branch left main, or not committed yet.

    scripts/changed_tests.py [BASE]     BASE instead of main; all of them where a file of no target of Swift changed that
                                        decides how everything is built
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOR_ALL = {"Package.swift", "scripts/build-tests.sh", "scripts/test.sh"}


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def changed_files(base):
    left = output("git", "merge-base", base, "HEAD").strip()
    return set(output("git", "diff", "--name-only", left).splitlines() +
               output("git", "ls-files", "--others", "--exclude-standard").splitlines())


def targets():
    """Folder, direct dependencies and whether it is a test, by the name of the target."""
    described = json.loads(output("swift", "package", "--ignore-lock", "describe", "--type", "json"))
    return {target["name"]: (target["path"] + "/", target.get("target_dependencies", []), target["type"] == "test")
            for target in described["targets"]}


def main():
    base = sys.argv[1] if len(sys.argv) > 1 else "main"
    changed, known = changed_files(base), targets()
    affected = {name for name, (folder, _, _) in known.items() if any(file.startswith(folder) for file in changed)}
    if changed & FOR_ALL:
        affected = set(known)
    # What a target depends on changed: until nothing is added.
    while added := {name for name, (_, needed, _) in known.items() if affected & set(needed)} - affected:
        affected |= added
    print(*sorted(name for name in affected if known[name][2]))


main()
