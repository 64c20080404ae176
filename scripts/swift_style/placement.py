"""A type stands in a file of its name, and a folder can be taken in at a glance."""

import re
from collections import Counter, defaultdict
from pathlib import PurePosixPath

from swift_source import TYPE_KINDS

from . import Result

MAXIMUM_FILES = 25
WORD = re.compile(r"\w+")


def _types(sources, access):
    for source in sources:
        for declaration in source.declared:
            if declaration.kind in TYPE_KINDS and (declaration.access or "internal") in access:
                yield source, declaration


def _elsewhere(types):
    return [
        (source.path, declaration.line, declaration.name) for source, declaration in types
        if PurePosixPath(source.path).stem not in (declaration.name, "main")
    ]


def exported_elsewhere(sources):
    types = list(_types(sources, ("open", "public", "package")))
    return Result(_elsewhere(types), len(types))


def internal_elsewhere(sources):
    """At most a tenth: small things that belong to one type may stand with it."""
    users = defaultdict(set)
    for source in sources:
        for word in set(WORD.findall(source.mask)):
            users[source.target, word].add(source.path)
    types = [
        (source, declaration) for source, declaration in _types(sources, ("internal",))
        if len(users[source.target, declaration.name]) > 1
    ]
    return Result(_elsewhere(types), len(types), len(types) // 10)


def simulated_twins(sources):
    """Who looks for a type by its file should not find the simulated App Store's instead."""
    simulated, others = [], set()
    for source in sources:
        if source.target == "Sources/AppStoreSimulator":
            simulated.append(source.path)
        elif source.target.startswith("Sources/") and source.target != "Sources/QuartermasterClient":
            others.add(PurePosixPath(source.path).name)
    places = [(path, 0, PurePosixPath(path).name) for path in simulated if PurePosixPath(path).name in others]
    return Result(places, len(simulated))


def large_folders(sources):
    count = Counter(PurePosixPath(source.path).parent.as_posix() for source in sources)
    places = [(folder, 0, f"{files} files") for folder, files in sorted(count.items()) if files > MAXIMUM_FILES]
    return Result(places, len(count))
