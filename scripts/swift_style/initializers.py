"""Initialisers assign one member a line."""

import re

from swift_source import closing, walk

from . import each_of

# (a, b) = (…), at the beginning of a statement. What a call gives may be taken apart: (a, b) = f().
TUPLE = re.compile(r"(?:^|[{;:\n])[ \t]*(\((?:\s*(?:self\.)?\w+\s*,)+\s*(?:self\.)?\w+\s*\))\s*=\s*(?:try\s+)?(?=\()")
SEMICOLON = re.compile(r"\bself\.\w+ = [^;\n]*;|;[ \t]*self\.\w+ = ")


def several_on_a_line(sources):
    def look(source):
        for declaration, parents in walk(source.declared):
            if declaration.kind == "init" and declaration.body is not None:
                body = source.mask[declaration.body:closing(source.mask, declaration.body)]
                name = next((match.group(1) for match in tuple_assignments(body)), None)
                owner = ".".join(parent.name for parent in parents)
                is_wrong = name or SEMICOLON.search(body)
                yield is_wrong and (declaration.line, f"{owner}.init {name or 'a; b'}")

    return each_of(sources, look)


def tuple_assignments(body):
    """Matches of TUPLE in the masked body of an initialiser."""
    for match in TUPLE.finditer(body):
        # The type of a variable.
        if re.search(r"\b(?:let|var) (?:\w+|\([\w, ]+\)):\s*$", body[:match.start(1)]):
            continue
        # Local variables may be exchanged as a tuple.
        names = re.findall(r"[\w.]+", match.group(1))
        if not all(re.search(rf"\bvar {re.escape(name)}\b|\bvar \([^)]*\b{re.escape(name)}\b", body) for name in names):
            yield match
