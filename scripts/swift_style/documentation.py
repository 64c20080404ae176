"""Every public symbol has a doc comment, and it begins with what the symbol is or does.

Two things need none: what a protocol demands and documents, in the types that conform to it; and an initialiser that
only stores its arguments. The requirements of protocols of other packages are taken from a list, or stand in an
extension that declares nothing but their conformance.
"""

import re
from collections import defaultdict

from swift_source import TYPE_KINDS, closing, walk

from . import each_of

BEGINNING = re.compile(r"^\s*///\s+(Nil|Where|Who|What)\b")
PUBLIC = ("public", "open")
SYMBOLS = TYPE_KINDS + ("func", "var", "let", "init", "subscript", "case", "typealias", "associatedtype")
CODABLE = {"encode()", "init(from:)"}
REQUIREMENTS = {
    "Codable": CODABLE, "Decodable": CODABLE, "Encodable": CODABLE,
    "CodingKey": {"stringValue", "intValue", "init(stringValue:)", "init(intValue:)"},
    "CodingKeyRepresentable": {"codingKey", "init(codingKey:)"}, "Comparable": {"<()", "==()"},
    "CustomDebugStringConvertible": {"debugDescription"}, "CustomStringConvertible": {"description"},
    "Equatable": {"==()"}, "Error": set(), "ExpressibleByArrayLiteral": {"init(arrayLiteral:)"},
    "ExpressibleByIntegerLiteral": {"init(integerLiteral:)"}, "ExpressibleByStringLiteral": {"init(stringLiteral:)"},
    "Hashable": {"==()", "hash()"}, "Identifiable": {"id"}, "LocalizedError": {"errorDescription", "failureReason"},
    "LosslessStringConvertible": {"init(_:)", "description"}, "OptionSet": {"rawValue", "init(rawValue:)"},
    "RawRepresentable": {"rawValue", "init(rawValue:)"}, "Sequence": {"makeIterator()", "next()"},
    "IteratorProtocol": {"next()"}, "AsyncSequence": {"makeAsyncIterator()", "next()"},
    "AsyncIteratorProtocol": {"next()"}, "RequestContext": {"coreContext", "init(source:)"}, "Sendable": set(),
    "Service": {"run()"},
    "MetricsFactory": {
        f"{verb}{kind}()" for verb in ("make", "destroy")
        for kind in ("Counter", "FloatingPointCounter", "Meter", "Recorder", "Timer")},
}
MAXIMUM_COLUMNS = 120


def wide(sources):
    """swift-format wraps code; comments it leaves as they are. A URL may be as long as it is."""
    return each_of(sources, lambda source: [
        len(line) > MAXIMUM_COLUMNS and "://" not in line and (number, f"{len(line)} columns")
        for number, line in enumerate(source.text.splitlines(), 1) if line.lstrip().startswith("//")])


def beginnings(sources):
    def look(source):
        previous = ""
        for number, line in enumerate(source.text.splitlines(), 1):
            stripped = line.lstrip()
            if stripped.startswith("///") and not previous.startswith("///"):
                yield BEGINNING.match(line) and (number, stripped)
            previous = stripped

    return each_of(sources, look)


def missing(sources):
    world = _World(sources)

    def look(source):
        lines = source.text.splitlines()
        for declaration, parents in walk(source.declared):
            if not world.is_public(source, declaration, parents):
                continue
            if not world.is_witness(source, declaration, parents) and not _only_stores(declaration, source.mask):
                path = ".".join([parent.name for parent in parents] + [declaration.name])
                yield not _is_documented(source, lines, declaration) and (declaration.line, path)

    return each_of(sources, look)


def _is_documented(source, lines, declaration):
    first = source.mask.count("\n", 0, declaration.start)
    above = lines[first - 1].strip() if first else ""
    # Comments of a compiler directive or of the formatter may stand between.
    while above.startswith("//") and not above.startswith("///"):
        first -= 1
        above = lines[first - 1].strip() if first else ""
    return above.startswith("///") or above.endswith("*/")


def _only_stores(declaration, mask):
    if declaration.kind != "init" or declaration.body is None:
        return False
    body = mask[declaration.body + 1:closing(mask, declaration.body) - 1]
    name = r"(?:self\.)?\w+"
    names = rf"(?:{name}|\((?:\s*{name}\s*,)+\s*{name}\s*\))"
    return all(re.fullmatch(rf"{names} = {names}", statement.strip())
               for statement in re.split(r"[;\n](?![^(\n]*\))", body) if statement.strip())


def _label(declaration):
    """`init(from:)` for an initialiser, `name()` for a function with whatever parameters, else the name."""
    if declaration.kind != "init":
        return declaration.name + ("()" if declaration.kind == "func" else "")
    text, labels, depth = declaration.signature, [], 0
    begin = text.index("(")
    for match in re.finditer(r"[(\[{<]|[)\]}>]|,|(\w+)(?: \w+)?\s*:", text[begin:closing(text, begin)]):
        depth += (match.group() in "([{<") - (match.group() in ")]}>")
        if match.group(1) and depth == 1:
            labels.append(match.group(1) + ":")
    return f"init({''.join(labels)})"


class _World:
    """The types of all targets by name, what they conform to, and what the project's own protocols require."""

    def __init__(self, sources):
        self.access = {}
        self.conformances = defaultdict(set)
        self.requirements = dict(REQUIREMENTS)
        self.refined = {}
        for source in sources:
            for declaration, parents in walk(source.declared):
                name = ".".join([parent.name for parent in parents] + [declaration.name])
                if declaration.kind in TYPE_KINDS:
                    self.access[source.target, name] = self._level(source, declaration, parents)
                if declaration.kind in TYPE_KINDS + ("extension",):
                    self.conformances[name].update(declaration.inherited)
                if declaration.kind == "protocol":
                    self.requirements.setdefault(name, set()).update(_label(member) for member in declaration.members)
                    self.refined[name] = declaration.inherited

    def _level(self, source, declaration, parents):
        """Whether other packages see it: public itself, and all around it."""
        written = declaration.access
        if written is None and parents:
            around = parents[-1]
            if declaration.kind == "case" or around.kind in ("protocol", "extension"):
                written = around.access
        if written not in PUBLIC:
            return False
        for index, parent in enumerate(parents):
            if parent.kind == "extension":
                if self.access.get((source.target, parent.name), True) is False:
                    return False
            elif self.access.get((source.target, ".".join(p.name for p in parents[:index + 1]))) is False:
                return False
        return True

    def is_public(self, source, declaration, parents):
        if declaration.kind == "case" and parents[-1].kind == "enum":
            return self._level(source, parents[-1], parents[:-1])
        return declaration.kind in SYMBOLS and self._level(source, declaration, parents)

    def is_witness(self, source, declaration, parents):
        if "override" in declaration.modifiers:
            return True
        if not parents or parents[-1].kind == "protocol" or declaration.kind in TYPE_KINDS:
            return False
        around = parents[-1]
        # The default of a requirement, which has the comment.
        if around.kind == "extension" and around.name in self.refined and _label(
                declaration) in self.requirements[around.name]:
            return True
        conformances = self._all(self.conformances[".".join(parent.name for parent in parents)])
        if any(_label(declaration) in self.requirements.get(name, ()) for name in conformances):
            return True
        # Protocols of others that the list does not have.
        return around.kind == "extension" and bool(around.inherited) and all(
            name not in self.requirements for name in around.inherited)

    def _all(self, names):
        found, left = set(), list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.refined.get(name, [])
        return found
