#!/usr/bin/env python3
"""Renders docs/openapi.yaml as a page to read, docs/app/api.md.

    scripts/openapi/render.py [--check]

With --check nothing is written; it ends with 1 if the page differs, or if docs/openapi.yaml is not laid out as the test
OpenAPIParityTests reads it.
"""

import argparse
import difflib
import re
import sys

import description as descriptions

PAGE = descriptions.ROOT / "docs/app/api.md"
INTRODUCTION = """\
<!-- Rendered from docs/openapi.yaml by `make api-docs`. Change that file, not this one. -->

# API reference

Every route of the server, version {version}. The machine-readable form is [openapi.yaml](../openapi.yaml) (OpenAPI 3.1).
What a client should do about each error stands in [Errors, outcomes and reasons](errors.md).
"""


def anchor(heading):
    """As GitHub and MkDocs make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def text(value):
    """For a table's cell."""
    return " ".join(str(value).split()).replace("|", "\\|")


def as_list(value):
    return value if isinstance(value, list) else [value]


class Page:
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
        reads = operation.method in ("get", "head")
        return "admin token" if reads else "admin token with the role `write`"

    def operation(self, operation):
        members = operation.members
        heading = str(operation)
        self.write(f"### {heading}", "")
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
        self.write("## Types", "")
        self.write("Objects and values that several routes have in common. Clients ignore members that they do not know.", "")
        pieces = {}
        # The table of a type may link to further ones.
        while remaining := [name for name in self.linked if name not in pieces]:
            for name in remaining:
                before, self.out = self.out, []
                self.named(name)
                pieces[name], self.out = self.out, before
        for name in sorted(pieces):
            self.write(*pieces[name])

    def named(self, name):
        schema = self.schemas[name]
        self.write(f"### {name}", "")
        if "description" in schema:
            self.write(schema["description"].strip(), "")
        values = descriptions.enumeration(self.description.resolve(schema))
        if values is not None:
            self.write("Known values: " + ", ".join(f"`{value}`" for value in values) + ".", "")
        else:
            self.table(schema, is_request=False)

    def render(self):
        info = self.document["info"]
        self.write(INTRODUCTION.format(version=info["version"]), "## General", "", info["description"].strip(), "")
        self.write("## Routes", "")
        for tag in self.document["tags"]:
            self.write(f"**{tag['name']}**", "", "| route | |", "|---|---|")
            for operation in self.of(tag):
                summary = operation.members["summary"] + (" *(deprecated)*" if operation.members.get("deprecated") else "")
                self.write(f"| [{operation}](#{anchor(str(operation))}) | {summary} |")
            self.write("")
        for tag in self.document["tags"]:
            self.write(f"## {tag['name']}", "", tag["description"].strip(), "")
            for operation in self.of(tag):
                self.operation(operation)
        self.types()
        return "\n".join(self.out).rstrip() + "\n"

    def of(self, tag):
        return [each for each in self.description.operations if each.members["tags"] == [tag["name"]]]


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
    page = Page(description).render()
    if not arguments.check:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    there = PAGE.read_text(encoding="utf-8")
    if there == page:
        return 0
    difference = difflib.unified_diff(there.splitlines(), page.splitlines(), "docs/app/api.md", "rendered", lineterm="", n=0)
    print("\n".join(list(difference)[:20]))
    print("docs/app/api.md is not what docs/openapi.yaml says. Run make api-docs.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
