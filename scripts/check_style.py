#!/usr/bin/env python3
"""Counts what the house rules forbid in the Swift files of Sources, Plugins and examples, and ends with 1 where it is too
much. The rules of ALSO_OF_TESTS hold for Tests too.

    scripts/check_style.py            a table, and each place of a rule that is broken
    scripts/check_style.py --list     each place of every rule; ends with 0
    scripts/check_style.py --json     the same as JSON: [{"rule": …, "file": …, "line": …, "name": …}]

`--only RULE` is about one rule, and may be given several times.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

sys.dont_write_bytecode = True

import swift_source
from swift_style import documentation, files, initializers, names, placement

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Source:
    path: str
    text: str
    mask: str
    declared: list

    @property
    def target(self):
        return "/".join(self.path.split("/")[:2])


def source_of(path, text):
    mask = swift_source.masked(text)
    return Source(path, text, mask, swift_source.declarations(text, mask))


def sources(root, *folders):
    return [source_of(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
            for folder in folders for path in sorted((root / folder).rglob("*.swift"))]


# The rule, what it forbids, and which places do it. A check may also give how many there may be, of how many.
RULES = [
    ("function-name", "functions named take, settle, keep, note or demand…", names.vague),
    ("function-note", "functions that begin with note; only listed", names.note),
    ("old-word", "names with a word that the glossary replaces, or limits that are not maximum… or minimum…",
     names.old),
    ("comment-beginning", "doc comments that begin with Nil, Where, Who or What", documentation.beginnings),
    ("comment-width", f"comments of more than {documentation.MAXIMUM_COLUMNS} columns", documentation.wide),
    ("tuple-assignment", "initialisers that assign several members on one line", initializers.several_on_a_line),
    ("simulated-twin", "files of the simulated App Store with the name of another target's", placement.simulated_twins),
    ("folder-size", f"folders with more than {placement.MAXIMUM_FILES} Swift files", placement.large_folders),
    ("store-import", "imports of a store's module outside the folder of that store", placement.of_stores),
    ("error-family", "errors that are no …Refusal, …Error, …Unavailable or Problem", names.outside_families),
    ("test-name", "tests with a display name beside the function's", names.twice),
    ("documented", "public symbols without a doc comment", documentation.missing),
    ("used-by-one", f"files under {files.SHORT} lines that one other file uses and has room for", files.used_by_one),
    ("used-by-several", "types that several files use, in a file of another name that they are no small part of",
     files.used_by_several),
    ("file-length", f"files of more than {files.LONGEST} lines", files.too_long),
    ("file-exception", "lines of swift_style/files.txt that name no file", files.stale_exceptions),
]
# Who uses a file is a part of these.
OF_FILES = {"used-by-one", "used-by-several", "file-length", "file-exception"}
ALSO_OF_TESTS = {"comment-beginning", "comment-width", "folder-size", "function-name", "test-name"}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", action="append", choices=[name for name, _, _ in RULES])
    arguments = parser.parse_args()
    product, tests = sources(ROOT, "Sources", "Plugins", "examples"), sources(ROOT, "Tests")
    used = files.Files(product, tests)
    places, table, is_broken = [], [], False
    for rule, title, check in RULES:
        if arguments.only and rule not in arguments.only:
            continue
        result = check(used if rule in OF_FILES else product + tests if rule in ALSO_OF_TESTS else product)
        count = len(result.places)
        over = count > result.maximum
        is_broken |= over
        table.append(f"{'over' if over else 'ok':>5} {count:>5} of {result.total:<6} at most {result.maximum:<4} "
                     f"{rule}: {title}")
        if over or arguments.list or arguments.json:
            places += [(rule, *place) for place in result.places]
    if arguments.json:
        print(json.dumps([dict(zip(("rule", "file", "line", "name"), place)) for place in places], indent=1))
        return 0
    for rule, of_rule in groupby(places, lambda place: place[0]):
        print(f"== {rule}", *(f"{file}:{line} {name}" for _, file, line, name in of_rule), sep="\n")
    print("== Swift style", *table, files.figures(used), sep="\n")
    return 1 if is_broken and not arguments.list else 0


if __name__ == "__main__":
    sys.exit(main())
