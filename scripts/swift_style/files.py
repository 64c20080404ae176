"""Which file a type lives in: what one file uses lives in that file; what several use has a file of its name.

A small part may stand with the type that it is a part of. files.txt has the exceptions.
"""

import re
import statistics
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from swift_source import TYPE_KINDS

from . import Result
from .placement import ALLOWED, IMPORT

# In lines: a file shorter than SHORT is joined with its only user, a type shorter than PART may stand with what it is a
# part of, and no file becomes longer than LONG by that.
SHORT, PART, LONG = 40, 30, 300
# In lines: no file is longer than this, but tables of data and protocols under MARKs, which files.txt names.
LONGEST = 500
SMALL = 20
AIMED_MEDIAN, AIMED_SHARE_OF_SMALL = 60, 0.1
HIDDEN = ("private", "fileprivate")
MEMBERS = ("func", "let", "var", "case", "typealias") + TYPE_KINDS
WORD = re.compile(r"\w+")
CAPITALIZED = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]+")
EXCEPTIONS = Path(__file__).with_name("files.txt")


def exceptions():
    """The patterns of files.txt by their kind: the files that a rule leaves alone."""
    found = defaultdict(list)
    for line in EXCEPTIONS.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, pattern = line.split(": ")[0].split()
            found[kind].append(pattern)
    return found


def lines(source):
    return source.text.count("\n")


def stem(source):
    return PurePosixPath(source.path).stem


def folder(source):
    return PurePosixPath(source.path).parent


def types(source):
    return [each for each in source.declared if each.kind in TYPE_KINDS and each.access not in HIDDEN]


class Files:
    """The product's files, and who uses what they declare: by name, so that too many users are found, never too few."""

    def __init__(self, product, tests):
        self.product = {source.path: source for source in product}
        self.target = {source.path: source.target for source in product + tests}
        self.files_with = defaultdict(set)
        self.exceptions = exceptions()
        self.lists = {source.path for source in product if self.is_exception("list", source)}
        for source in product + tests:
            for word in set(WORD.findall(source.mask)):
                self.files_with[word].add(source.path)

    def is_exception(self, kind, source):
        return any(fnmatchcase(source.path, pattern) for pattern in self.exceptions[kind])

    def users(self, source, declaration, around=None):
        """The other files that use a declaration of this file, of its target alone where others cannot."""
        access = declaration.access or (around.access if around else None) or "internal"
        if access in HIDDEN:
            return set()
        found = self.files_with[declaration.name] - {source.path} - self.lists
        if access in ("package", "public", "open"):
            return found
        return {path for path in found if self.target[path] == source.target}

    def is_movable(self, source):
        """What is compiled on some systems only stays apart, and so does what is run, or generated."""
        return not (self.is_exception("stays", source) or re.search(r"^\s*#if", source.mask, re.M)
                    or stem(source) in ("main", "Package") or "swift-format-ignore-file" in source.text)

    def fits(self, source, host):
        if host.mask.startswith("#if") or stem(host) == "main" or "swift-format-ignore-file" in host.text:
            return False
        if self.is_exception("whole", host) or lines(host) + lines(source) > LONG:
            return False
        modules = {match[1] for match in IMPORT.finditer(source.mask)}
        return all(host.path.startswith(ALLOWED[each]) for each in modules & ALLOWED.keys())

    def user(self, source):
        """The file that all of a short file is for: the only other one that uses it."""
        if lines(source) >= SHORT or not self.is_movable(source):
            return None
        found, own = set(), {each.name for each in types(source)}
        for declaration in source.declared:
            if declaration.kind != "extension":
                found |= self.users(source, declaration) if declaration.kind != "import" else set()
            elif declaration.name.split(".")[0] not in own:
                # What conforms, or is made, may be used without its name.
                if declaration.inherited or any(member.kind not in MEMBERS for member in declaration.members):
                    return None
                for member in declaration.members:
                    found |= self.users(source, member, declaration)
        return self.hosted(source, found)

    def hosted(self, source, paths):
        if len(paths) != 1:
            return None
        host = self.product.get(next(iter(paths)))
        return host if host and host.target == source.target and self.fits(source, host) else None


def code(source, declaration):
    return source.mask[declaration.start:declaration.end]


def mentions(source, declaration, name):
    return len(re.findall(rf"\b{name}\b", code(source, declaration)))


def is_part(source, part, host, main):
    """Whether the part conforms to the type, is in its interface, or has a word of its name.

    A word at the end, such as Error, says it only of what the type names.
    """
    if main.name in part.inherited:
        return True
    if part.name in main.inherited:
        return False
    interface = " ".join(member.signature for member in main.members)
    if re.search(rf"\b{part.name}\b", interface):
        return True
    begins, ends = shared_words(part.name, main.name)
    is_of_target = CAPITALIZED.findall(part.name)[:1] and CAPITALIZED.findall(part.name)[0] in source.target
    return begins > is_of_target or begins + ends > 0 and mentions(host, main, part.name) > 0


def shared_words(first, second):
    """How many words two names have in common at their beginnings, and at their ends."""
    one, other = CAPITALIZED.findall(first), CAPITALIZED.findall(second)

    def count(pairs):
        pairs = list(pairs)
        return next((index for index, (left, right) in enumerate(pairs) if left != right), len(pairs))

    return count(zip(one, other)), count(zip(one[::-1], other[::-1]))


def used_by_one(files):
    """Short files that one other file uses."""
    places = [(source.path, 1, f"only {host.path} uses it") for source in files.product.values()
              if (host := files.user(source))]
    return Result(places, len(files.product))


def is_named_after(source, declaration):
    """Whether the file has the name of the type, or that of a series of numbered ones."""
    series = re.sub(r"\d+$", "s+from", declaration.name)
    return stem(source) in (declaration.name, "main") or series.endswith("+from") and stem(source).startswith(series)


def used_by_several(files):
    """Types that other files use too, in a file of another name, but for small parts of a type that is in that file."""
    places, total = [], 0
    for source in files.product.values():
        for declaration in types(source):
            total += 1
            if is_named_after(source, declaration) or files.is_exception("together", source):
                continue
            if not files.users(source, declaration):
                continue
            is_small = code(source, declaration).count("\n") < PART
            if not (is_small and any(is_part(source, declaration, source, other) for other in types(source)
                                     if other is not declaration)):
                places.append((source.path, declaration.line, declaration.name))
    return Result(places, total)


def too_long(files):
    found = [source for source in files.product.values() if lines(source) > LONGEST]
    places = [(source.path, 1, f"{lines(source)} lines") for source in found
              if not files.is_exception("long", source) and "swift-format-ignore-file" not in source.text]
    return Result(places, len(files.product))


def stale_exceptions(files):
    """What a file that is gone, or has another name, left."""
    patterns = [pattern for found in files.exceptions.values() for pattern in found]
    places = [("scripts/swift_style/files.txt", 0, pattern) for pattern in patterns
              if not any(fnmatchcase(path, pattern) for path in files.product)]
    return Result(places, len(patterns))


def figures(files):
    """How the files of Sources compare with the aims, in a line."""
    found = [source for source in files.product.values()
             if source.path.startswith("Sources/") and "swift-format-ignore-file" not in source.text]
    counts = sorted(map(lines, found))
    small = sum(count < SMALL for count in counts) / len(counts)
    folders = defaultdict(int)
    for source in found:
        folders[folder(source)] += 1
    return (f"Sources: {len(counts)} files, {sum(counts)} lines; the median has {statistics.median(counts):g} lines "
            f"(aim: {AIMED_MEDIAN}), {small:.1%} have fewer than {SMALL} (aim: {AIMED_SHARE_OF_SMALL:.0%}), the largest "
            f"folder {max(folders.values())} files, the longest file {counts[-1]} lines")
