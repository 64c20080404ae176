"""Fails for symbols of Sources, Plugins and examples that no code of the product refers to, but for those in unused.txt.

What only tests or fuzz targets call is not done: it is to be wired, or deleted. The client library is for apps, which are
not here: what it declares public is used.
"""

import re
from functools import cache
from pathlib import Path

from failure import Failure, run_of
from index_store import ACCESSOR_OF, OVERRIDE_OF, Index

PRODUCT = ("Sources/", "Plugins/", "examples/")
CLIENT = "Sources/QuartermasterClient/"
CODE = {"enum", "struct", "class", "protocol", "typealias", "function", "method", "class method", "static method",
        "initializer"}
# A stored property that is only encoded or decoded is named nowhere. One that a test reads is there for the test.
DATA = {"variable", "property", "class property", "static property"}
ALLOWED = Path(__file__).parent / "unused.txt"


def unused(symbols, kept=()):
    """Also what is referred to by nothing else than what is unused. What is kept counts as used."""
    found = {}
    while True:
        more = {usr: symbol for usr, symbol in symbols.items()
                if usr not in found and not keys(symbol) & set(kept) and is_unused(usr, symbol, found)}
        if not more:
            return found.values()
        found |= more


def is_unused(usr, symbol, found):
    if not symbol.file.startswith(PRODUCT) or symbol.kind not in CODE | DATA or symbol.name == "CodingKeys":
        return False
    if is_for_apps(symbol):
        return False
    # A getter goes with its property, and what fulfils a requirement is called by that.
    if any(role & (ACCESSOR_OF | OVERRIDE_OF) for role in symbol.related.values()):
        return False
    if any(file.startswith(PRODUCT) and holder != usr and holder not in found for file, holder in symbol.references):
        return False
    return symbol.kind in CODE or any(not file.startswith(PRODUCT) for file, _ in symbol.references)


def is_for_apps(symbol):
    """Whether it is public in the client library: the index does not tell, the line does."""
    if not symbol.file.startswith(CLIENT):
        return False
    lines = source(symbol.file)
    return symbol.line <= len(lines) and re.search(r"\bpublic\b", lines[symbol.line - 1]) is not None


@cache
def source(file):
    return Path(file).read_text().splitlines()


def allowed():
    return reasons_in(ALLOWED.read_text())


def reasons_in(text):
    """The lines `FILE NAME: REASON`, by file and name; `*` for all names of a file."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split(": ", 1) for line in lines)


def keys(symbol):
    return {f"{symbol.file} {symbol.name}", f"{symbol.file} *"}


def complaints(symbols, known):
    """What is unused without a reason, and the reasons that nothing needs any more."""
    new = sorted(f"{each.file}:{each.line}: no code of the product refers to the {each.kind} {each.name}"
                 for each in unused(symbols, known))
    still = set().union(*map(keys, unused(symbols)))
    stale = [f"{ALLOWED.name}: {name} is used, or gone" for name in known if name not in still]
    return new + stale


def main():
    symbols, known = Index().symbols, allowed()
    if found := complaints(symbols, known):
        raise Failure("\n".join(found))
    print(f"unused: nothing but the {len(known)} symbols that {ALLOWED.name} gives a reason for")


if __name__ == "__main__":
    with run_of("check-unused"):
        main()
