#!/usr/bin/env python3
"""Renders docs/openapi.yaml as pages to read: docs/app/api.md, and one for each group of routes in docs/app/api.

    scripts/openapi/render.py [--check]

With --check nothing is written; it ends with 1 if a page differs, or if docs/openapi.yaml is not laid out as the test
OpenAPIParityTests reads it.
"""

import argparse
import difflib
import posixpath
import re
import sys
from dataclasses import dataclass

import description as descriptions

FOLDER = descriptions.ROOT / "docs/app"
# After the heading: MkDocs takes a page's title from the first line.
NOTE = "<!-- Rendered from docs/openapi.yaml by `make api-docs`. Change that file, not this one. -->"
INTRODUCTION = f"""\
# API reference

{NOTE}

Every route of the server, version {{version}}. The machine-readable form is [openapi.yaml](../openapi.yaml) (OpenAPI 3.1).
What a client should do about each error stands in [Errors, outcomes and reasons](errors.md).
"""


@dataclass(frozen=True, order=True)
class Group:
    """The routes of one page: those whose paths begin with one of these, and with no longer one of another page."""

    file: str
    title: str
    paths: tuple


GROUPS = [
    Group("accounts", "Accounts and sessions", ("/v1/accounts", "/v1/sessions")),
    Group("products", "Products and offers", ("/v1/apps",)),
    Group("receipts", "Receipts, entitlements and credits", (
        "/v1/receipts", "/v1/restore", "/v1/entitlements", "/v1/purchases", "/v1/balances")),
    Group("downloads", "Bundles and downloads", ("/v1/bundles", "/v1/content", "/v1/deliveries")),
    Group("notifications", "App Store Server Notifications", ("/v1/notifications",)),
    Group("admin-apps", "Admin: apps", ("/admin/v1/apps",)),
    Group("admin-products", "Admin: products", ("/admin/v1/apps/{bundleID}/products",)),
    Group("admin-accounts", "Admin: accounts", ("/admin/v1/accounts", "/admin/v1/gifts", "/admin/v1/testers")),
    Group("admin-purchases", "Admin: purchases and receipts", (
        "/admin/v1/original-transactions", "/admin/v1/lines", "/admin/v1/receipts", "/admin/v1/notifications")),
    Group("admin-bundles", "Admin: bundles and content", (
        "/admin/v1/bundles", "/admin/v1/content", "/admin/v1/deliveries")),
    Group("admin-reports", "Admin: overview, reports and audit trail", (
        "/admin/v1/overview", "/admin/v1/reports", "/admin/v1/audit")),
    Group("monitoring", "Health, metrics and keys", ("/v1/keys", "/health", "/ready", "/openapi.yaml", "/metrics")),
]
# A page of its own, since routes of several pages have them in common.
TYPES = "types"


def anchor(heading):
    """As GitHub and MkDocs make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def text(value):
    """For a table's cell."""
    return " ".join(str(value).split()).replace("|", "\\|")


def as_list(value):
    return value if isinstance(value, list) else [value]


class Reference:
    def __init__(self, description):
        self.description = description
        self.document = description.document
        self.schemas = self.document["components"]["schemas"]
        self.linked = []
        self.out = []

    def write(self, *lines):
        self.out += lines

    # Types

    def type(self, schema):
        """A word for a schema; a link if it is an object with a table of its own."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[-1]
            target = self.description.resolve({"$ref": schema["$ref"]})
            if "properties" in target or (descriptions.enumeration(target) and len(descriptions.enumeration(target)) > 4):
                if name not in self.linked:
                    self.linked.append(name)
                return f"[{name}](#{anchor(name)})"
            return self.type(target)
        values = descriptions.enumeration(schema)
        if values is not None:
            return ", ".join(f"`{value}`" for value in values if value is not None)
        if "const" in schema:
            return f"`{str(schema['const']).lower()}`"
        if "anyOf" in schema:
            return " or ".join(self.type(each) for each in schema["anyOf"] if each != {"type": "null"})
        # Of an optional member of a request null is the same as nothing, which the page tells once.
        [kind] = [each for each in as_list(schema.get("type", "any")) if each != "null"]
        if kind == "array":
            return f"array of {self.type(schema['items'])}"
        if isinstance(schema.get("additionalProperties"), dict):
            return f"object of {self.type(schema['additionalProperties'])}"
        return {"date-time": "time", "uuid": "UUID"}.get(schema.get("format"), kind)

    def meaning(self, schema):
        """What a member means, with its bounds."""
        parts = []
        meaning = schema.get("description") or self.inherited(schema)
        if meaning:
            parts.append(text(meaning))
        if "default" in schema and "default" not in " ".join(parts):
            parts.append(f"Default: `{str(schema['default']).lower() if schema['default'] in (True, False) else schema['default']}`.")
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and high is not None and high < 1 << 62:
            parts.append(f"{low:,} to {high:,}.")
        if "maxLength" in schema:
            parts.append(f"At most {schema['maxLength']} characters.")
        return " ".join(parts)

    def inherited(self, schema):
        for each in schema.get("anyOf", []):
            if "$ref" in each:
                schema = each
        target = self.description.resolve(schema) if "$ref" in schema else {}
        plain = "properties" in target or target.get("description") in (
            None, "RFC 3339 in UTC.", "A UUID, in lower case.", "64 hexadecimal digits.")
        return "" if plain else target["description"]

    def table(self, schema, is_request):
        schema = self.description.resolve(schema)
        required = schema.get("required", [])
        last = "required" if is_request else "always there"
        self.write(f"| member | type | {last} | meaning |", "|---|---|---|---|")
        for name, member in schema.get("properties", {}).items():
            self.write(f"| `{name}` | {self.type(member)} | {'yes' if name in required else ''} | {self.meaning(member)} |")
        self.write("")

    # Operations

    def json(self, content, caption):
        if reference := content.get("examples", {}).get("recorded"):
            example = descriptions.pretty(self.description.resolve(reference)["value"])
            self.write(caption, "", "```json", example, "```", "")

    def authentication(self, operation):
        security = operation.members["security"]
        if not security:
            return "none"
        if "player" in security[0]:
            return "access token"
        if operation.method in ("get", "head"):
            return "admin token"
        roles = [*security[0]["administrator"], "write"]
        return f"admin token with the role {' or '.join(f'`{role}`' for role in roles)}"

    def operation(self, operation):
        members = operation.members
        self.write(f"## {operation}", "")
        if members.get("deprecated"):
            self.write("*Deprecated.*", "")
        self.write(f"**{members['summary']}.** Authentication: {self.authentication(operation)}.", "")
        if "description" in members:
            self.write(members["description"].strip(), "")
        self.parameters(operation)
        self.request(operation)
        self.answers(operation)

    def parameters(self, operation):
        if not operation.parameters:
            return
        self.write("| parameter | in | type | required | meaning |", "|---|---|---|---|---|")
        for each in operation.parameters:
            required = "yes" if each.get("required") else ""
            meaning = " ".join(filter(None, (text(each.get("description", "")), self.meaning(
                {k: v for k, v in each["schema"].items() if k not in ("description", "$ref")}))))
            self.write(f"| `{each['name']}` | {each['in']} | {self.type(each['schema'])} | {required} | {meaning} |")
        self.write("")

    def request(self, operation):
        body = operation.members.get("requestBody")
        if body is None:
            return
        limit = body.get("x-maximum-bytes")
        limit = f", at most {size(limit)}" if limit else ""
        if operation.body is None:
            return self.write(f"Request body: the bytes{limit}.", "")
        schema = self.description.resolve(operation.body)
        self.write(f"Request body (JSON{limit}):", "")
        if schema.get("description"):
            self.write(schema["description"].strip(), "")
        self.table(operation.body, is_request=True)
        self.json(body["content"]["application/json"], "For example:")

    def answers(self, operation):
        shown = set()
        for status, response in operation.responses.items():
            content = response.get("content", {})
            if status >= 300 or not content:
                continue
            for kind, each in content.items():
                schema, others = self.description.alternatives(each.get("schema", {}))
                name = schema.get("$ref", "").rsplit("/", 1)[-1]
                if kind != "application/json":
                    self.write(f"Answer {status}: `{kind}`.", "")
                elif name not in shown:
                    shown.add(name)
                    self.write(f"Answer {status} (JSON):", "")
                    self.table(schema, is_request=False)
                    self.json(each, "For example:")
                    for parameter, other in others.items():
                        self.write(f"With `{parameter}`: {self.type(other)}.", "")
        self.write("| status | `code` | when |", "|---|---|---|")
        for status, response in operation.responses.items():
            headers = ", ".join(f"`{name}`" for name in response.get("headers", {}) if name not in (
                "X-Request-Id", "WWW-Authenticate"))
            headers = f" Headers: {headers}." if headers else ""
            codes = descriptions.codes(response)
            if not codes:
                self.write(f"| {status} | | {text(response['description'])}{headers} |")
            for code, condition in codes.items():
                self.write(f"| {status} | `{code}` | {text(condition)}{headers} |")
        self.write("")
        for status, response in operation.responses.items():
            if status >= 400:
                for each in response.get("content", {}).values():
                    self.json(each, f"An answer {status}, for example:")

    def types(self):
        """The tables of the types, by their names."""
        pieces = {}
        # The table of a type may link to further ones.
        while remaining := [name for name in self.linked if name not in pieces]:
            for name in remaining:
                pieces[name] = self.piece(self.named, name)
        return dict(sorted(pieces.items()))

    def piece(self, render, value):
        """What a method writes, apart."""
        before, self.out = self.out, []
        render(value)
        piece, self.out = self.out, before
        return piece

    def named(self, name):
        schema = self.schemas[name]
        self.write(f"## {name}", "")
        if "description" in schema:
            self.write(schema["description"].strip(), "")
        values = descriptions.enumeration(self.description.resolve(schema))
        if values is not None:
            self.write("Known values: " + ", ".join(f"`{value}`" for value in values) + ".", "")
        else:
            self.table(schema, is_request=False)

    # Pages

    def render(self, groups=GROUPS):
        """The pages, by their names below docs/app."""
        routes = {group: [] for group in groups}
        for operation in self.description.operations:
            routes[home(operation, groups)].append(operation)
        pages = {f"api/{group.file}.md": [f"# {group.title}", "", NOTE, "", *introduction(operations[0]),
                                          *(line for each in operations for line in self.piece(self.operation, each))]
                 for group, operations in routes.items() if operations}
        types = self.types()
        pages[f"api/{TYPES}.md"] = [
            "# Types of the API", "", NOTE, "", "Objects and values that several routes have in common. Clients ignore "
            "members that they do not know.", "", *(line for piece in types.values() for line in piece)]
        pages["api.md"] = self.piece(self.index, (routes, types))
        return joined({name: "\n".join(lines).rstrip() + "\n" for name, lines in pages.items()})

    def index(self, contents):
        routes, types = contents
        info = self.document["info"]
        self.write(INTRODUCTION.format(version=info["version"]), "## General", "", info["description"].strip(), "")
        for tag in self.document["tags"]:
            self.write(f"## {tag['name']}", "", tag["description"].strip(), "")
            for group, operations in routes.items():
                if operations and operations[0].members["tags"] == [tag["name"]]:
                    self.write(f"**[{group.title}](api/{group.file}.md)**", "", "| route | |", "|---|---|",
                               *map(self.row, operations), "")
        self.write("## Types", "", ", ".join(f"{place(name)}[{name}](#{anchor(name)})" for name in types) + ".")

    def row(self, operation):
        members = operation.members
        summary = members["summary"] + (" *(deprecated)*" if members.get("deprecated") else "")
        return f"| {place(operation)}[{operation}](#{anchor(str(operation))}) | {summary} |"


def home(operation, groups):
    """The group that has the operation."""
    found = [(len(path), group) for group in groups for path in group.paths
             if f"{operation.path}/".startswith(f"{path}/")]
    if not found:
        raise LookupError(f"{operation}: no group of scripts/openapi/render.py has it")
    return max(found)[1]


def introduction(operation):
    tag = operation.members["tags"][0]
    return [f"What holds for every route, and for those under [{tag}](../api.md#{anchor(tag)}), is in the "
            "[API reference](../api.md#general).", ""]


def place(named):
    """Where links led when all routes were on one page, which others may have kept."""
    return f'<a id="{anchor(str(named))}"></a>'


def joined(pages):
    """The pages with links to each other: what is written as `#name` leads to the page with that heading."""
    homes = {anchor(heading): name for name, page in pages.items() if name != "api.md"
             for heading in re.findall(r"(?m)^## (.+)$", page)}

    def led(name):
        def follow(match):
            home = homes.get(match[1], name)
            path = "" if home == name else posixpath.relpath(home, posixpath.dirname(name) or ".")
            return f"]({path}#{match[1]})"
        return follow
    return {name: re.sub(r"\]\(#([\w-]+)\)", led(name), page) for name, page in pages.items()}


def size(count):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count % unit == 0:
            return f"{count // unit} {name}"
        if count > unit:
            return f"{count // unit} {name} and {size(count % unit)}"
    return f"{count} bytes"


def layout_mistake(description):
    """The Swift test reads paths and methods by the layout of their lines; it must find what is there."""
    by_layout = sorted(descriptions.lines_of_paths(description.text))
    by_yaml = sorted((each.method, each.path) for each in description.operations)
    return None if by_layout == by_yaml else set(by_layout) ^ set(by_yaml)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    description = descriptions.Description(descriptions.SOURCE)
    if mistake := layout_mistake(description):
        sys.exit(f"docs/openapi.yaml: not laid out as OpenAPIParityTests reads it: {mistake}")
    pages = Reference(description).render()
    there = {"api.md": FOLDER / "api.md"} | {f"api/{path.name}": path for path in (FOLDER / "api").glob("*.md")}
    if not arguments.check:
        (FOLDER / "api").mkdir(exist_ok=True)
        for name in there.keys() - pages:
            there[name].unlink()
        for name, page in pages.items():
            (FOLDER / name).write_text(page, encoding="utf-8")
        return 0
    texts = {name: path.read_text(encoding="utf-8") for name, path in there.items() if path.exists()}
    differing = sorted(name for name in texts.keys() | pages if texts.get(name) != pages.get(name))
    for name in differing:
        difference = difflib.unified_diff(texts.get(name, "").splitlines(), pages.get(name, "").splitlines(),
                                          f"docs/app/{name}", "rendered", lineterm="", n=0)
        print("\n".join(list(difference)[:20]))
    if differing:
        print(f"{', '.join(differing)}: not what docs/openapi.yaml says. Run make api-docs.", file=sys.stderr)
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
