"""Reads the index that the compiler writes when it builds the tests: every symbol, where it stands, what refers to it.

Through libIndexStore of the Swift toolchain (llvm-project, clang/include/indexstore/indexstore.h).
"""

import ctypes
import shutil
from ctypes import CFUNCTYPE, Structure, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path

from failure import Failure

# Roles of an occurrence, and of a relation (indexstore_symbol_role_t).
DEFINITION, REFERENCE, CALL, IMPLICIT = 1 << 1, 1 << 2, 1 << 5, 1 << 8
CHILD_OF, BASE_OF, OVERRIDE_OF, CALLED_BY = 1 << 9, 1 << 10, 1 << 11, 1 << 13
EXTENDED_BY, ACCESSOR_OF, CONTAINED_BY = 1 << 14, 1 << 15, 1 << 16
# indexstore_unit_dependency_kind_t
RECORD = 2
# indexstore_symbol_kind_t
KINDS = {
    5: "enum", 6: "struct", 7: "class", 8: "protocol", 9: "extension", 11: "typealias", 12: "function", 13: "variable",
    15: "enum case", 16: "method", 17: "class method", 18: "static method", 19: "property", 20: "class property",
    21: "static property", 22: "initializer", 23: "deinitializer", 25: "parameter"}


class Text(Structure):
    """indexstore_string_ref_t"""

    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


@dataclass
class Symbol:
    usr: str
    name: str
    kind: str
    # Where it is defined: file and line.
    file: str = ""
    line: int = 0
    # USRs by role: what it overrides or fulfils, whose accessor or member it is.
    related: dict = field(default_factory=dict)
    # Files and the symbols in them that refer to it.
    references: set = field(default_factory=set)


class Library:
    def __init__(self):
        self.c = ctypes.CDLL(str(library_path()))
        texts = ["unit_reader_get_main_file", "unit_reader_get_working_dir", "unit_dependency_get_name",
                 "unit_dependency_get_filepath", "symbol_get_name", "symbol_get_usr"]
        pointers = ["store_create", "unit_reader_create", "record_reader_create", "occurrence_get_symbol",
                    "symbol_relation_get_symbol", "error_get_description"]
        numbers = ["occurrence_get_roles", "symbol_relation_get_roles"]
        for names, result in ((texts, Text), (pointers, c_void_p), (numbers, c_uint64)):
            for name in names:
                self[name].restype = result
        self["error_get_description"].restype = c_char_p
        for name in ["unit_dependency_get_kind", "symbol_get_kind"]:
            self[name].restype = c_int

    def __getitem__(self, name):
        return getattr(self.c, f"indexstore_{name}")

    def create(self, name, *arguments):
        error = c_void_p()
        made = self[name](*arguments, byref(error))
        if not made:
            raise Failure(f"{name}: {self['error_get_description'](error).decode()}")
        return c_void_p(made)

    def each(self, name, read, *arguments, item=c_void_p):
        """What `read` makes of each item that a function of the library gives. An item lives as long as its call."""
        found = []
        wrapped = (lambda given: given) if item is Text else c_void_p
        callback = CFUNCTYPE(c_bool, c_void_p, item)(lambda _, given: found.append(read(wrapped(given))) or True)
        self[f"{name}_apply_f"](*arguments, None, callback)
        return found


def library_path():
    swift = shutil.which("swift")
    if not swift:
        raise Failure("no swift")
    path = Path(swift).resolve().parent.parent / "lib" / "libIndexStore.so"
    if not path.exists():
        raise Failure(f"no {path}: the toolchain has no index library")
    return path


class Index:
    """All symbols that the project's own files define or refer to."""

    def __init__(self):
        store = Path(".build/optimized/release/index/store")
        if not store.is_dir():
            raise Failure(f"no index at {store}; build it with: make build-tests")
        self.library = Library()
        self.symbols = {}
        self.files = set()
        self.read(self.library.create("store_create", str(store).encode()))

    def read(self, store):
        library, records = self.library, {}
        for name in library.each("store_units", str, store, c_uint(1), item=Text):
            unit = library.create("unit_reader_create", store, name.encode())
            main = Path(str(library["unit_reader_get_main_file"](unit)))
            folder = Path(str(library["unit_reader_get_working_dir"](unit)))
            file = str(main.relative_to(folder)) if main.is_relative_to(folder) else str(main)
            if file.startswith(("Sources/", "Plugins/", "examples/", "Tests/")) and Path(file).exists():
                for kind, path, record in library.each("unit_reader_dependencies", self.dependency, unit):
                    if kind == RECORD and path == str(main):
                        records[file] = record
            library["unit_reader_dispose"](unit)
        if not records:
            raise Failure("the index has none of the project's files")
        for file, record in sorted(records.items()):
            reader = library.create("record_reader_create", store, record.encode())
            library.each("record_reader_occurrences", lambda given: self.read_occurrence(given, file), reader)
            library["record_reader_dispose"](reader)
        self.files = set(records)

    def dependency(self, given):
        library = self.library
        return (library["unit_dependency_get_kind"](given), str(library["unit_dependency_get_filepath"](given)),
                str(library["unit_dependency_get_name"](given)))

    def read_occurrence(self, occurrence, file):
        library = self.library
        symbol = self.symbol(library["occurrence_get_symbol"](occurrence))
        roles = library["occurrence_get_roles"](occurrence)
        relations = library.each("occurrence_relations", self.relation, occurrence)
        for role, usr in relations:
            # What fulfils a requirement is told of where the conformance is declared.
            if roles & DEFINITION or role & OVERRIDE_OF:
                symbol.related[usr] = symbol.related.get(usr, 0) | role
        if roles & DEFINITION:
            if not roles & IMPLICIT:
                line, column = c_uint(), c_uint()
                library["occurrence_get_line_col"](occurrence, byref(line), byref(column))
                symbol.file, symbol.line = file, line.value
        if roles & REFERENCE:
            holders = [usr for role, usr in relations if role & (CONTAINED_BY | CALLED_BY | EXTENDED_BY | BASE_OF)]
            symbol.references |= {(file, usr) for usr in holders or [""]}

    def relation(self, given):
        library = self.library
        return (library["symbol_relation_get_roles"](given),
                self.symbol(library["symbol_relation_get_symbol"](given)).usr)

    def symbol(self, pointer):
        pointer = c_void_p(pointer)
        usr = str(self.library["symbol_get_usr"](pointer))
        if usr not in self.symbols:
            kind = KINDS.get(self.library["symbol_get_kind"](pointer), "other")
            self.symbols[usr] = Symbol(usr, str(self.library["symbol_get_name"](pointer)), kind)
        return self.symbols[usr]
