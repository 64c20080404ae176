#!/usr/bin/env python3
"""Moves types and extensions into the file that the house rules name (CONTRIBUTING.md, "Findable"), and deletes theirs.

    scripts/join_files.py            prints each move, and what a person has to do
    scripts/join_files.py --apply    moves; `make format` afterwards sorts the imports

By the rules of swift_style/files.py, until nothing is left to move:

- a series of numbered files, such as SchemaVersion7, becomes files of a readable length,
- a short file that one other file uses goes to the end of that file,
- a short file of extensions goes to its type's, or its protocol's, file in the same folder,
- a small type that several use goes to the file in its folder of the type that it is a part of.

Paths of moved files in other files of the repository are rewritten; names of files alone are printed.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.dont_write_bytecode = True

import swift_source
from check_style import ROOT, source_of, sources
from swift_style.files import HIDDEN, LONG, SHORT, Files, extensions, folder, lines, stem, types

LEVELS = ("private", "fileprivate", "internal", "package", "public")
IMPORT = re.compile(r"^((?:@\w+(?:\([^)]*\))? )*)(?:(\w+) )?import (.+)\n", re.M)
CONDITION = re.compile(r"^#if.*?^#endif\n", re.M | re.S)
# Types that two modules have: whose is meant, and who else has one. A file that imports both has to say it.
AMBIGUOUS = {"Environment": ("InAppPurchase", "Hummingbird")}
NUMBERED = re.compile(r"(\w+?)(s\+from)?(\d+)")


def imported(text):
    """What the text imports whatever the system, with its attributes and level, and the text without that."""
    found = {}
    conditional = [range(*match.span()) for match in CONDITION.finditer(text)]

    def remove(match):
        if any(match.start() in each for each in conditional):
            return match.group()
        found[match[3]] = (match[1], match[2] or "internal")
        return ""

    return found, IMPORT.sub(remove, text)


def joined(host, *others):
    """The text of the host with that of the others at its end."""
    imports, bodies = {}, []
    for text in (host, *others):
        found, body = imported(text)
        bodies.append(body.strip("\n"))
        for module, (attributes, level) in found.items():
            known_attributes, known = imports.get(module, ("", "private"))
            imports[module] = (attributes or known_attributes, max(level, known, key=LEVELS.index))
    head = "".join(f"{attributes}{'' if level == 'internal' else level + ' '}import {module}\n"
                   for module, (attributes, level) in sorted(imports.items()))
    return qualified("\n\n".join(part for part in (head.rstrip("\n"), *bodies) if part) + "\n", imports)


def qualified(text, imports):
    for name, (module, other) in AMBIGUOUS.items():
        if {module, other} <= imports.keys():
            mask = swift_source.masked(text)
            for match in reversed(list(re.finditer(rf"(?<![\w.]){name}\b", mask))):
                text = text[:match.start()] + f"{module}.{name}" + text[match.end():]
    return text


def members(source):
    """Each member, whether it is hidden in its file, its type's name, and whether that type is of another file."""
    own = {each.name for each in source.declared if each.kind in swift_source.TYPE_KINDS}
    for declaration, parents in swift_source.walk(source.declared):
        if parents:
            owner = ".".join(each.name for each in parents)
            hidden = any(each.access in HIDDEN for each in (declaration, parents[-1]))
            yield declaration.name, hidden, owner, owner.split(".")[0] not in own


def clashes(source, host):
    """Names hidden in one of two files that mean something else in the other."""
    found = set()
    for one, other in ((source, host), (host, source)):
        words = set(re.findall(r"\w+", other.mask))
        found |= {each.name for each in one.declared if each.access in HIDDEN and each.name in words}
        theirs = {(owner, name) for name, _, owner, _ in members(other)}
        for name, hidden, owner, is_foreign in members(one):
            if hidden and name not in ("init", "subscript", "deinit"):
                if (owner, name) in theirs or is_foreign and re.search(rf"\.{re.escape(name)}\b", other.mask):
                    found.add(name)
            elif hidden and (owner, name) in theirs:
                found.add(f"{owner}.{name}")
    return sorted(found)


def is_of_series(source, name):
    """Whether a file has extensions of one type alone, or types that are named and numbered as it is."""
    if not types(source):
        return len({each.name for each in extensions(source)}) == 1
    return not extensions(source) and all(re.fullmatch(rf"{name}\d+", each.name) for each in types(source))


class Joining:
    def __init__(self):
        self.files = Files(sources(ROOT, "Sources", "Plugins", "examples"), sources(ROOT, "Tests"))
        # Where each file went, and why.
        self.moves, self.reasons, self.refused = {}, Counter(), {}

    def run(self):
        self.join_series()
        for rule, title in (
                (Files.user, "with their only user"), (Files.extended, "with the type that they extend"),
                (Files.whole, "with the type that they are a part of")):
            while self.pass_over(rule, title):
                pass
        # What was joined may be for one file now.
        while self.pass_over(Files.user, "with their only user"):
            pass

    def pass_over(self, rule, title):
        before = len(self.moves)
        for path in sorted(self.files.product):
            source = self.files.product.get(path)
            host = source and rule(self.files, source)
            if host and (names := clashes(source, host)):
                self.refused[path] = f"{host.path}: both have {', '.join(names)}"
            elif host:
                self.move(host.path, joined(host.text, source.text), [source], title)
        return len(self.moves) > before

    def move(self, path, text, moved, title):
        moved = [each for each in moved if each.path != path]
        self.files.replace(source_of(path, text), *(source_of(each.path, "") for each in moved))
        for each in moved:
            self.moves[each.path] = path
            self.reasons[title] += 1

    def join_series(self):
        series = defaultdict(list)
        for source in self.files.product.values():
            match = NUMBERED.fullmatch(stem(source))
            if match and self.files.is_movable(source) and is_of_series(source, match[1]):
                series[folder(source), match[1]].append((int(match[3]), source))
        for (place, name), numbered in sorted(series.items()):
            group = []
            for number, source in sorted(numbered, key=lambda each: each[0]) + [(None, None)]:
                if group and (source is None or sum(lines(each) for _, each in group) + lines(source) > LONG):
                    self.join_group(f"{place}/{name}s+from{group[0][0]}.swift", [each for _, each in group])
                    group = []
                group.append((number, source))

    def join_group(self, path, group):
        if len(group) > 1 and any(lines(source) < SHORT for source in group):
            text = joined(*(source.text for source in group))
            name = extensions(group[0])[0].name if extensions(group[0]) else None
            # One extension for all of them.
            self.move(path, re.sub(rf"^}}\n\nextension {name} \{{\n", "\n", text, flags=re.M), group, "in series")

    def destination(self, path):
        while path in self.moves:
            path = self.moves[path]
        return path

    def apply(self):
        for path in self.moves:
            (ROOT / path).unlink(missing_ok=True)
        for path in {self.destination(each) for each in self.moves}:
            (ROOT / path).write_text(self.files.product[path].text)
        self.rewrite()

    def rewrite(self):
        """The paths in the other files of the repository, whole or relative to a folder that both files are in."""
        gone = {path: self.destination(path) for path in self.moves}
        names = defaultdict(list)
        for path in gone:
            names[path.rsplit("/", 1)[-1]].append(path)
        pattern = re.compile(r"(?<![\w+-])[\w+./-]+\.swift\b")
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        for file in filter(None, tracked.stdout.split("\0")):
            if not (ROOT / file).is_file() or file == "CHANGELOG.md":
                continue
            try:
                text = (ROOT / file).read_text()
            except UnicodeDecodeError:
                continue

            def place(match):
                old = match.group()
                for path in names.get(old.rsplit("/", 1)[-1], ()):
                    around = path.removesuffix(old)
                    if "/" in old and path.endswith(old) and gone[path].startswith(around):
                        return gone[path].removeprefix(around)
                    if path.endswith(old):
                        print(f"by hand: {file} names {old}, which went to {gone[path]}")
                return old

            if (changed := pattern.sub(place, text)) != text:
                (ROOT / file).write_text(changed)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--apply", action="store_true")
    arguments = parser.parse_args()
    joining = Joining()
    joining.run()
    if arguments.apply:
        joining.apply()
    for path in joining.moves:
        print(f"{path} -> {joining.destination(path)}")
    for path, reason in sorted(joining.refused.items()):
        if path in joining.files.product:
            print(f"by hand: {path} into {reason}")
    counts = [f"{count} {title}" for title, count in joining.reasons.items()]
    print("files joined: " + ", ".join(counts) if counts else "nothing to join")


if __name__ == "__main__":
    main()
