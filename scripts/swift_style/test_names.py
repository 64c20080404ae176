"""Tests that have two names, `@Test("A sentence") func aSentence()`; the one of @Test func `A sentence`() is enough."""

import re

from swift_source import closing, walk

from . import Result


def display_name(text, mask, declaration):
    """The sentence in `@Test("…")`, where what follows it begins, and where the attribute ends; or None."""
    if declaration.kind != "func" or declaration.attributes[:1] != ["Test"]:
        return None
    head = re.compile(r'@Test\(\s*"(?P<blank>[^"]*)"(?:\s*,)?').match(mask, declaration.start)
    if head is None:
        return None
    # A comment is blank in the mask.
    rest = re.compile(r"\s*").match(text, head.end()).end()
    return text[head.start("blank"):head.end("blank")], rest, closing(mask, declaration.start + len("@Test"))


def twice(sources):
    places, total = [], 0
    for source in sources:
        for declaration, _ in walk(source.declared):
            if "Test" in declaration.attributes:
                total += 1
                if display_name(source.text, source.mask, declaration):
                    places.append((source.path, declaration.line, declaration.name))
    return Result(places, total)
