"""Names that each meant several things. There is a plain one for whatever they did."""

import re

from swift_source import walk

from . import Result

VAGUE = re.compile(r"(take|settle|keep|note|demand\w*)")


def vague(sources):
    places, total = [], 0
    for source in sources:
        for declaration, _ in walk(source.declared):
            if declaration.kind == "func":
                total += 1
                if VAGUE.fullmatch(declaration.name):
                    places.append((source.path, declaration.line, declaration.name))
    return Result(places, total)


def note(sources):
    """For whoever renames them: some are the right word, such as for a margin note, so that none is too many."""
    places = [
        (source.path, declaration.line, declaration.name) for source in sources
        for declaration, _ in walk(source.declared)
        if declaration.kind == "func" and re.fullmatch(r"note\w+", declaration.name)
    ]
    return Result(places, len(places), len(places))
