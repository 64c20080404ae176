"""Writes what a module declares public as lines, one a symbol, and judges what became of the lines that were kept.

A line is the declaration with the whole path of the symbol as its name, as in `func Quartermaster.sync() async throws`.
The line of a type names what it conforms to, and `[default]` is at what fulfils a requirement by default.
"""

import re
from dataclasses import dataclass

# A path of names; the last one may be an operator.
PATH = r"(?:\w+\.)*(?:\w+|[^\w\s(]+)"
KEYWORD = (r"\b(?:actor|associatedtype|case|class(?! (?:func|subscript|var)\b)|enum|func|init|let|macro|protocol|struct"
           r"|subscript|typealias|var)")
NAMED = re.compile(rf"{KEYWORD} ({PATH})")
# They declare symbols whose name is no fragment of its own.
NAMELESS = ("init", "subscript")
# The declaration of a protocol names those that it inherits from; an actor is a class.
TYPES = {"swift.class", "swift.enum", "swift.struct"}
# Every type conforms to them unless it says that it does not.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}
RELATIONS = {"conformance": ": ", "superclass": ": ", "sameType": " == "}


# MARK: - Lines

def lines_of(graphs):
    """What symbol graphs of a module declare: a type before its members."""
    symbols = [symbol for graph in graphs for symbol in graph["symbols"]]
    relations = [relation for graph in graphs for relation in graph["relationships"]]
    conformances = conformances_in(symbols, relations)
    defaults = {each["source"] for each in relations if each["kind"] == "defaultImplementationOf"}
    found = []
    for symbol in symbols:
        usr = symbol["identifier"]["precise"]
        line = line_of(symbol, conformances.get(usr, set())) + (" [default]" if usr in defaults else "")
        found.append((symbol["pathComponents"], line))
    return [line for _, line in sorted(found)]


def conformances_in(symbols, relations):
    """The protocols of each symbol, by USR."""
    own = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in symbols}
    found = {}
    for each in relations:
        if each["kind"] == "conformsTo":
            # That of another module has its module before it.
            name = own.get(each["target"]) or each["targetFallback"].partition(".")[2]
            found.setdefault(each["source"], set()).add(name)
    return found


def line_of(symbol, conformances):
    constraints = symbol.get("swiftExtension", {}).get("constraints", [])
    declaration = declaration_of(symbol)
    if symbol["kind"]["identifier"] in TYPES and (names := sorted(conformances - IMPLIED)):
        head, where, tail = declaration.partition(" where ")
        declaration = f"{head}: {', '.join(names)}{where}{tail}"
    if constraints:
        texts = sorted(f"{each['lhs']}{RELATIONS[each['kind']]}{each['rhs']}" for each in constraints)
        declaration += f" [where {', '.join(texts)}]"
    return declaration


def declaration_of(symbol):
    """The declaration on one line, with the path of what it is in before its name."""
    around = "".join(f"{name}." for name in symbol["pathComponents"][:-1])
    text, is_named = "", False
    for fragment in symbol["declarationFragments"]:
        kind, spelling = fragment["kind"], fragment["spelling"]
        if not is_named and (kind == "identifier" or kind == "keyword" and spelling in NAMELESS):
            text += f"{spelling} {around}{spelling}" if kind == "keyword" else around + spelling
            is_named = True
        else:
            text += spelling
    return " ".join(text.replace(" : ", ": ").replace("`Self`", "Self").split())


# MARK: - Changes

@dataclass(frozen=True)
class Changes:
    """What differs between the lines that are kept and those of the sources."""

    kept: list
    declared: list

    @property
    def gone(self):
        """The lines of symbols that were removed or changed."""
        return surplus(self.kept, self.declared)

    @property
    def new(self):
        return surplus(self.declared, self.kept)

    def unnamed(self, names):
        """The paths of what was removed or changed and is not among these names. A type that is gone, or is another
        name of a type now, takes its members along."""
        types = {path_of(line) for line in self.kept}
        types -= {path_of(line) for line in self.declared if "typealias " not in line}
        return [path for path in dict.fromkeys(map(path_of, self.gone))
                if not types & set(prefixes(path)) and not is_named(path, names)]


def surplus(lines, others):
    """The lines that others lack, also the second of two that are alike."""
    left, found = [*others], []
    for line in lines:
        if line in left:
            left.remove(line)
        else:
            found.append(line)
    return found


def path_of(line):
    """`Quartermaster.sync` of `func Quartermaster.sync() async throws`."""
    return NAMED.search(line).group(1)


def prefixes(path):
    """The types around a symbol."""
    parts = re.findall(r"\w+(?=\.)", path)
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def is_named(path, names):
    """A member is named with its type, since many types have an `id`."""
    return any(name == path or "." in name and path.endswith(f".{name}") for name in names)


def names_in(changelog):
    """What stands in backticks in the section Unreleased, without arguments. What is below Added is there now, and does
    not count."""
    unreleased = changelog.partition("\n## [Unreleased]\n")[2].partition("\n## ")[0]
    spans = [span for section in re.split(r"^### ", unreleased, flags=re.MULTILINE) if not section.startswith("Added\n")
             for span in re.findall(r"`([^`]+)`", section)]
    return {match.group() for span in spans if (match := re.match(PATH, span))}
