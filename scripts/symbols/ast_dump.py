"""Reads what `swiftc -dump-ast -dump-ast-format json` says of a file: each symbol and type that it uses, and the oldest
system on which that place is reached."""

from dataclasses import dataclass

from systems import introduced, version_of

# No system is that new: what is declared as unavailable on a system is reached on none.
NEVER = (1_000,)


@dataclass(frozen=True)
class Use:
    """A symbol by its USR, or a type by its mangled name, at an offset in the file, reached from that version on."""

    mangled: str
    offset: int
    version: tuple

    @property
    def is_type(self):
        return self.mangled.startswith("$s")


class Reader:
    """Reads the dump of a file: what it declares, by USR, and what it uses."""

    def __init__(self, dump, system, minimum):
        self.system, self.declared, self.found = system, set(), {}
        self.read(dump, minimum, 0)

    @property
    def uses(self):
        """Each symbol and type once for every version from which it is reached, at the first of those places."""
        return [Use(mangled, offset, version) for (mangled, version), offset in self.found.items()]

    def read(self, value, version, offset):
        if isinstance(value, dict):
            self.read_node(value, version, offset)
        else:
            for each in value:
                if isinstance(each, (dict, list)):
                    self.read(each, version, offset)

    def read_node(self, node, version, offset):
        kind = node.get("_kind")
        if "range" in node:
            offset = node["range"]["start"]
        if "attrs" in node:
            version = max(version, self.declared_version(node["attrs"]))
        self.record(node, version, offset)
        if kind == "brace_stmt":
            self.read_statements(node.get("elements", []), version, offset)
        elif "conditions" in node:
            self.read_conditional(node, version, offset)
        elif kind == "for_each_stmt":
            # Which `next` a `for await` calls, the compiler chooses by the deployment target.
            self.read([each for key, each in node.items() if key != "next_call"], version, offset)
        else:
            self.read(node.values(), version, offset)

    def read_statements(self, statements, version, offset):
        for statement in statements:
            self.read(statement, version, offset)
            if statement.get("_kind") == "guard_stmt":
                version = max([version, *map(self.asked_version, statement["conditions"])])

    def read_conditional(self, node, version, offset):
        """Conditions are read one after the other; what stands in `body` or `then_stmt` is reached if all hold."""
        inside = version
        for condition in node["conditions"]:
            self.read(condition, inside, offset)
            inside = max(inside, self.asked_version(condition))
        for key, each in node.items():
            if key != "conditions" and isinstance(each, (dict, list)):
                is_otherwise = key == "else_stmt" or node["_kind"] == "guard_stmt"
                self.read(each, version if is_otherwise else inside, offset)

    def record(self, node, version, offset):
        for key, value in node.items():
            if not isinstance(value, str):
                continue
            if key == "usr":
                self.declared.add(value)
            elif value.startswith("$s") or key == "decl_usr" and value:
                self.found.setdefault((value, version), offset)

    def asked_version(self, condition):
        """The version that `#available` asks for."""
        if condition.get("_kind") != "#available":
            return ()
        asked = {each["domain"]: version_of(each["version"]) for each in condition["queries"] if "version" in each}
        return introduced(asked, self.system) or ()

    def declared_version(self, attributes):
        """The version of `@available` at a declaration."""
        attributes = [each for each in attributes if each.get("_kind") == "available_attr"]
        if any(each.get("unavailable") and each["domain"] in (self.system, "*") for each in attributes):
            return NEVER
        since = {each["domain"]: version_of(each["introduced"]) for each in attributes if "introduced" in each}
        return introduced(since, self.system) or ()
