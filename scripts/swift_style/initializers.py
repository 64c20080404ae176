"""Initialisers assign one member a line."""

import re

from swift_source import closing, walk

from . import Result

# (a, b) = …, at the beginning of a statement.
TUPLE = re.compile(r"(?:^|[{;:\n])[ \t]*(\((?:\s*(?:self\.)?\w+\s*,)+\s*(?:self\.)?\w+\s*\))\s*=(?!=)")
SEMICOLON = re.compile(r"\bself\.\w+ = [^;\n]*;|;[ \t]*self\.\w+ = ")


def several_on_a_line(sources):
    places, total = [], 0
    for source in sources:
        for declaration, parents in walk(source.declared):
            if declaration.kind != "init" or declaration.body is None:
                continue
            total += 1
            if name := _assignment(source.mask[declaration.body:closing(source.mask, declaration.body)]):
                owner = ".".join(parent.name for parent in parents)
                places.append((source.path, declaration.line, f"{owner}.init {name}"))
    return Result(places, total)


def _assignment(body):
    for match in TUPLE.finditer(body):
        names = re.findall(r"[\w.]+", match.group(1))
        # Local variables may be exchanged as a tuple.
        if not all(re.search(rf"\bvar {re.escape(name)}\b|\bvar \([^)]*\b{re.escape(name)}\b", body)
                   for name in names):
            return match.group(1)
    return "a; b" if SEMICOLON.search(body) else None
