"""Judges what the client uses by the systems that have it, and the client's privacy manifest by what it uses.
scripts/check-availability.sh makes what this reads.

    availability.py FOLDER SYSTEM…    FOLDER/dumps/SYSTEM, FOLDER/client/SYSTEM and FOLDER/graphs
"""

import json
import plistlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import privacy
from ast_dump import Reader
from failure import Failure, run_of
from mangled import names_of
from systems import introduced, minimums, normal, text_of, version_of

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).parent / "apple.txt"
PRIVACY = ROOT / "Sources" / "QuartermasterClient" / "PrivacyInfo.xcprivacy"
# The standard library marks whatever came after its first version: what is not marked is everywhere. Its graphs are
# those of _Concurrency and _StringProcessing, too.
MARKED = {"Swift", "Observation"}
TOOLCHAIN = MARKED | {"FoundationEssentials"}
# What was written down by hand says where it is from.
PAGE = "https://developer.apple.com/"
MODULE = "QuartermasterClient"
TYPES = {f"swift.{kind}" for kind in ("struct", "enum", "class", "protocol", "associatedtype")}


@dataclass(frozen=True)
class Row:
    """Which versions have a symbol, by systems; `None` for a system that never has it. Without any, a row of the table
    has to say it."""

    versions: dict
    is_everywhere: bool = False


class Graphs:
    """What symbol graphs declare, by USR and, for types, by module and name."""

    def __init__(self, graphs):
        self.by_usr, self.types = {}, {}
        for graph in graphs:
            for symbol in graph["symbols"]:
                self.add(graph["module"]["name"], symbol)

    def add(self, module, symbol):
        versions = versions_of(symbol)
        if module not in TOOLCHAIN and not has_page(symbol):
            versions = {}
        row = Row(versions, not versions and module in MARKED)
        self.by_usr[symbol["identifier"]["precise"]] = row
        if symbol["kind"]["identifier"] in TYPES:
            self.types[(module, *symbol["pathComponents"])] = row


def versions_of(symbol):
    """The systems of a symbol; `None` is one that never has it."""
    found = {}
    for each in symbol.get("availability", []):
        if each.get("isUnconditionallyUnavailable"):
            found[each.get("domain")] = None
        elif since := each.get("introduced"):
            found[each["domain"]] = normal([since["major"], since.get("minor", 0), since.get("patch", 0)])
    return {system: version for system, version in found.items() if system not in (None, "*", "Swift")}


def has_page(symbol):
    return any(line["text"].startswith(PAGE) for line in symbol.get("docComment", {}).get("lines", []))


def rows_of(table):
    """`name iOS macOS visionOS page`, with – for a system that never has it."""
    lines = [line.split() for line in table.splitlines() if line and not line.startswith("#")]
    _, *systems, _ = lines[0]
    found = {}
    for name, *versions, page in lines[1:]:
        if len(versions) != len(systems) or not page.startswith(("documentation/", "library/")) or name in found:
            raise Failure(f"{TABLE.name}: {name} has no version for each system, no page, or two rows")
        found[name] = Row({system: None if version == "–" else version_of(version)
                           for system, version in zip(systems, versions)})
    return found


class Judge:
    """Judges uses on one system. `names` has the name of each USR, and of each mangled type the types in it."""

    def __init__(self, system, graphs, table, names, used_rows):
        self.system, self.graphs, self.table, self.names, self.used_rows = system, graphs, table, names, used_rows

    def findings(self, use):
        """What is wrong with a use."""
        if use.is_type:
            every = [(module, ".".join(path), self.graphs.types.get((module, *path)))
                     for module, *path in self.names[use.mangled]]
        else:
            module = "Swift" if use.mangled.startswith(("s:s", "s:S")) else ""
            every = [(module, self.names[use.mangled], self.graphs.by_usr.get(use.mangled))]
        return [finding for module, name, row in every
                if module != MODULE and not (module == "Swift" and is_hidden(name))
                and (finding := self.finding(name, row, use.version))]

    def finding(self, name, row, version):
        if row is None or not (row.versions or row.is_everywhere):
            row = self.table.get(name)
            self.used_rows.add(name)
        if row is None:
            return f"{name}: which systems have it is not known"
        if row.is_everywhere:
            return None
        if row.versions.get(self.system, ()) is None:
            return f"{name} is not there on {self.system}"
        since = introduced(row.versions, self.system)
        if since is None:
            return f"{name}: since when {self.system} has it is not known"
        if since > version:
            return f"{name} needs {self.system} {text_of(since)}, and is reached from {text_of(version)} on"
        return None


def is_hidden(name):
    """What graphs leave out of the standard library: the compiler uses it for literals and what it derives, and inlined
    code does, on any system."""
    return bool(re.search(r"(^|[.(])_", name))


@dataclass(frozen=True)
class Source:
    """A file of the client and what it uses of others, on a system."""

    system: str
    path: Path
    uses: list


def sources_of(folder, system, minimum):
    """The client's files as that system has them."""
    copy, dumps = folder / "client" / system, folder / "dumps" / system
    readers = {copy / path.relative_to(dumps).with_suffix(""): Reader(json.loads(path.read_text()), system, minimum)
               for path in sorted(dumps.rglob("*.json"))}
    own = set().union(*(reader.declared for reader in readers.values()))
    return [Source(system, path, [use for use in reader.uses if use.mangled not in own and not is_ours(use.mangled)])
            for path, reader in readers.items()]


def is_ours(usr):
    """Also what macros declare."""
    return usr.startswith(f"s:{len(MODULE)}{MODULE}")


def findings_in(source, judge, copy):
    text = source.path.read_bytes()
    for use in source.uses:
        for finding in judge.findings(use):
            line = text[:use.offset].count(b"\n") + 1
            yield f"{source.path.relative_to(copy)}:{line}: {finding}"


def check(folder, systems):
    graphs = Graphs(json.loads(path.read_text()) for path in sorted((folder / "graphs").glob("*.json")))
    table, minimum = rows_of(TABLE.read_text()), minimums((ROOT / "Package.swift").read_text())
    sources = [source for system in systems for source in sources_of(folder, system, minimum[system])]
    every = {use.mangled for source in sources for use in source.uses}
    names, used_rows = names_of(every), set()
    found = []
    for source in sources:
        judge = Judge(source.system, graphs, table, names, used_rows)
        found += findings_in(source, judge, folder / "client" / source.system)
    found += [f"{TABLE.name}: {name}: nothing uses it" for name in table if name not in used_rows]
    symbols = {names[usr] for usr in every if not usr.startswith("$s")}
    found += [f"{PRIVACY.name}: {finding}"
              for finding in privacy.findings(symbols, plistlib.loads(PRIVACY.read_bytes()))]
    if found:
        raise Failure("\n".join([f"findings: {len(found)}", *dict.fromkeys(found)]))
    print(f"availability: {len(symbols)} symbols of others are there on "
          + ", ".join(f"{system} {text_of(minimum[system])}" for system in systems)
          + ", and the privacy manifest has a reason for each that needs one")


if __name__ == "__main__":
    with run_of("availability"):
        check(Path(sys.argv[1]), sys.argv[2:])
