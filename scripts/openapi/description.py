"""Reads docs/openapi.yaml: its operations, and which of them an exchange belongs to."""

import json
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "docs/openapi.yaml"
# Errors that may answer every request, told once in the description's first part.
GENERAL = {(400, "invalid_request"), (404, "not_found"), (405, "method_not_allowed"), (413, "request_too_large"),
           (500, "internal_error")}
METHODS = ("get", "head", "put", "post", "patch", "delete", "options")


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Leaves times as the text they are in JSON."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class Description:
    def __init__(self, path):
        self.text = Path(path).read_text(encoding="utf-8")
        self.document = yaml.load(self.text, Loader)
        self.operations = [
            Operation(self, path, method, item[method])
            for path, item in self.document["paths"].items() for method in METHODS if method in item
        ]

    def resolve(self, value):
        """What a reference stands for; members beside `$ref` are added to it."""
        while isinstance(value, dict) and "$ref" in value:
            target = self.document
            for part in value["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            beside = {name: member for name, member in value.items() if name != "$ref"}
            value = {**target, **beside} if beside else target
        return value

    def alternatives(self, schema):
        """The schema of an answer, and those of the answers to requests with a parameter (`x-only-with`), by its name."""
        others = {}
        usual = [each for each in schema.get("anyOf", []) if "x-only-with" not in self.resolve(each)]
        for each in schema.get("anyOf", []):
            if "x-only-with" in self.resolve(each):
                others[self.resolve(each)["x-only-with"]] = each
        return (usual[0], others) if len(usual) == 1 and others else (schema, {})

    def operation(self, method, path):
        """The operation that the router would choose, and whether GET answers HEAD; None for no operation.

        A slash at the end of a path counts for nothing, as in the server."""
        fitting = self.fitting(path)
        wanted = method.lower()
        if wanted == "head" and not any(each.method == "head" for each in fitting):
            wanted = "get"
        fitting = [each for each in fitting if each.method == wanted]
        return max(fitting, key=lambda each: each.named_parts, default=None)

    def has_path(self, path):
        return bool(self.fitting(path))

    def fitting(self, path):
        """The operations of the path; none if it has two slashes in a row."""
        path = path.split("?")[0]
        if "//" in path:
            return []
        parts = [part for part in path.split("/") if part]
        return [each for each in self.operations if each.fits(parts)]


class Operation:
    def __init__(self, description, path, method, members):
        self.description, self.path, self.method, self.members = description, path, method, members
        self.id = members["operationId"]
        self._parts = [part for part in path.split("/") if part]
        self.named_parts = sum(not part.startswith("{") for part in self._parts)

    def __str__(self):
        return f"{self.method.upper()} {self.path}"

    def fits(self, parts):
        return len(parts) == len(self._parts) and all(
            mine.startswith("{") or mine == other for mine, other in zip(self._parts, parts))

    @property
    def parameters(self):
        return [self.description.resolve(each) for each in self.members.get("parameters", [])]

    @property
    def body(self):
        """The schema of the request's JSON body, as it stands; None if it has none."""
        content = self.members.get("requestBody", {}).get("content", {})
        return content.get("application/json", {}).get("schema")

    @property
    def responses(self):
        """By status, an integer."""
        return {int(status): self.description.resolve(each) for status, each in self.members["responses"].items()}


def request_id(document):
    """The form of `X-Request-Id`, which every answer has."""
    return re.compile(document["components"]["headers"]["X-Request-Id"]["schema"].get("pattern", ".+"))


def codes(response):
    """What `code` may be in an answer, with the condition of each."""
    return response.get("x-codes", {})


def enumeration(schema):
    """The known values of an open or closed enumeration; None for any other schema."""
    if "enum" in schema:
        return schema["enum"]
    for choice in schema.get("anyOf", []):
        if "enum" in choice:
            return choice["enum"]
    return None


def pretty(value, indent="", width=100):
    """JSON with what fits on a line on one line, members sorted."""
    line = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if not isinstance(value, (dict, list)) or len(indent) + len(line) <= width:
        return line
    deeper = indent + "  "
    if isinstance(value, list):
        pieces = [pretty(each, deeper, width) for each in value]
        return "[" + ",".join(f"\n{deeper}{piece}" for piece in pieces) + f"\n{indent}]"
    pieces = [f"{json.dumps(name, ensure_ascii=False)}: {pretty(value[name], deeper, width)}" for name in sorted(value)]
    return "{" + ",".join(f"\n{deeper}{piece}" for piece in pieces) + f"\n{indent}}}"


def lines_of_paths(text):
    """The paths and methods, read by the layout of the file alone, as the Swift test reads them."""
    found, path = [], None
    inside = False
    for line in text.splitlines():
        if re.match(r"^\S", line):
            inside = line == "paths:"
        elif inside and (match := re.fullmatch(r"  (/\S*):", line)):
            path = match[1]
        elif inside and (match := re.fullmatch(r"    (\w+):", line)) and match[1] in METHODS:
            found.append((match[1], path))
    return found
