"""Shows that what each fuzz target calls is called for a request: a way from Routes to it, through the calls of the product.

For a target of the client library, which gets answers, the way begins at what an app calls.
"""

import re
from collections import deque
from pathlib import Path

from failure import Failure, run_of
from index_store import ACCESSOR_OF, OVERRIDE_OF, Index
from unused import allowed

TARGETS = Path("Tests/Fuzz")
CLIENT = "Sources/QuartermasterClient/"
# What assembles the routes, and what accepts connections; what an app calls.
SERVER_ROOTS = re.compile(r"Sources/(QuartermasterServer/Routes|ServerCore/Routes/ServerServices|ServerHTTP/Listening/Listener)\.swift")
CLIENT_ROOTS = re.compile(CLIENT + r"Quartermaster(\+\w+)?\.swift")
DRIVER = "Fuzz.swift"
# What the server is put together from is there before any request.
ASSEMBLY = "Sources/QuartermasterServer/Server.swift"
CALLABLE = ("function", "method", "static method", "initializer", "struct", "enum", "class")


class Calls:
    """Who may call whom. Of a requirement, what fulfils it; of a type, its initializers are not assumed to be called."""

    def __init__(self, symbols):
        self.symbols, self.callees = symbols, {}
        for usr, symbol in symbols.items():
            for file, holder in symbol.references:
                if file.startswith("Sources/"):
                    self.callees.setdefault(holder, set()).add(usr)
            for other, role in symbol.related.items():
                if role & (OVERRIDE_OF | ACCESSOR_OF):
                    self.callees.setdefault(other, set()).add(usr)

    def reached(self, files):
        roots = [usr for usr, symbol in self.symbols.items() if files.fullmatch(symbol.file)]
        before = {usr: None for usr in roots}
        queue = deque(roots)
        while queue:
            usr = queue.popleft()
            for callee in self.callees.get(usr, ()):
                if callee not in before:
                    before[callee] = usr
                    queue.append(callee)
        return before

    def way(self, before, usr):
        names = []
        while usr is not None:
            if not names or names[-1] != self.symbols[usr].name:
                names.append(self.symbols[usr].name)
            usr = before[usr]
        return names[::-1]


def entries(symbols, text, kinds=("method", "static method", "initializer")):
    """The functions and initializers of the product that a target's text calls, by the types that it names."""
    words = set(re.findall(r"\b[A-Za-z_]\w*\b", text))
    types = {usr: symbol.name for usr, symbol in symbols.items()
             if symbol.kind in ("struct", "class", "enum") and symbol.file.startswith("Sources/")
             and symbol.name in words}
    for usr, symbol in symbols.items():
        if symbol.kind not in kinds or not symbol.file.startswith("Sources/"):
            continue
        base, _, labels = symbol.name.partition("(")
        if base != "init" and base not in words:
            continue
        # The USR of a member begins with that of its type.
        owners = [name for each, name in types.items() if usr.startswith(each)]
        if any(re.search(pattern(owner if base == "init" else base, base == "init", labels), text) for owner in owners):
            yield usr


def lists(symbols, text):
    """The static properties of the product that a target's text names: lists of what is to be tried."""
    words = set(re.findall(r"\b[A-Za-z_]\w*\b", text))
    for usr, symbol in symbols.items():
        if symbol.kind != "static property" or symbol.name not in words or not symbol.file.startswith("Sources/"):
            continue
        if symbol.file != ASSEMBLY and any(
                each.kind in ("struct", "class", "enum") and f"{each.name}.{symbol.name}" in text
                and usr.startswith(owner) for owner, each in symbols.items()):
            yield usr


def through(symbols, calls, usr):
    """What a list that is there for tests calls outside of its file: that is what a route has to lead to."""
    file, seen, found, rest = symbols[usr].file, set(), set(), [usr]
    while rest:
        for callee in calls.callees.get(rest.pop(), set()) - seen:
            seen.add(callee)
            if symbols[callee].file == file:
                rest.append(callee)
            elif symbols[callee].file == ASSEMBLY:
                continue
            elif symbols[callee].file.startswith("Sources/") and symbols[callee].kind in CALLABLE:
                found.add(callee)
    return found


def pattern(name, is_initializer, labels):
    """A call with the first label, if there is one."""
    first = labels.split(":")[0]
    start = rf"\b{name}\(" if is_initializer else rf"\.{name}\("
    return start if first in ("_", ")", "") else rf"{start}\s*{first}:"


def main():
    symbols, known = Index().symbols, allowed()
    calls = Calls(symbols)
    client = {usr: symbol for usr, symbol in symbols.items() if symbol.file.startswith(CLIENT)}
    server = {usr: symbol for usr, symbol in symbols.items() if usr not in client}
    sides = {True: (client, calls.reached(CLIENT_ROOTS)), False: (server, calls.reached(SERVER_ROOTS))}
    driver = (TARGETS / DRIVER).read_text()
    failures, shared = [], (TARGETS / "SignedData.swift").read_text()
    for case, construction in re.findall(r'case "([\w-]+)": return (?:try )?(\w+)', driver):
        [file] = [path for path in TARGETS.glob("*.swift") if f"struct {construction}: FuzzTarget" in path.read_text()]
        text = file.read_text()
        of_side, before = sides["import QuartermasterClient" in text]
        found = set(entries(of_side, text))
        for each in lists(of_side, text):
            found |= {each} if f"{symbols[each].file} *" not in known else through(symbols, calls, each)
        if "SignedData" in text:
            # The verifiers are made when the server is put together; for a request they are called.
            found |= set(entries(symbols, shared, ("method",)))
        if not found:
            failures.append(f"{case}: {file.name} calls nothing of the product")
        for usr in sorted(found, key=lambda each: symbols[each].name):
            where = f"{Path(symbols[usr].file).name}: {symbols[usr].name}"
            if usr in before:
                print(f"{case}: {where}\n    " + " > ".join(calls.way(before, usr)))
            else:
                failures.append(f"{case}: no request leads to {where}")
    if failures:
        raise Failure("\n".join(failures))


if __name__ == "__main__":
    with run_of("check-fuzz"):
        main()
