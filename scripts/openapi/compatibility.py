#!/usr/bin/env python3
"""Checks that docs/openapi.yaml breaks no client of an earlier release, whose descriptions stand in docs/openapi/.

    scripts/openapi/compatibility.py [--old FILE] [--new FILE]
    scripts/openapi/compatibility.py --keep 1.0.0

Fails for a path, method, parameter, status, code, header or member that is gone; for an answer's member that may now be
missing or has another type; for a request's member or parameter that is new and required, or of which less is accepted
than before. --keep keeps the description of a release, without the examples, and apart from it what the examples say that
players are answered: tests of the client library read the answers of every release.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import description as descriptions

KEPT, ANSWERS = descriptions.ROOT / "docs/openapi", descriptions.ROOT / "Tests/Fixtures/Answers"
MARKER = "  # Recorded examples\n"
# Bounds of what is accepted: less of the first, more of the others, is narrower.
UPPER = ("maximum", "maxLength", "maxItems")
LOWER = ("minimum", "minLength", "minItems")


class Comparison:
    def __init__(self, old, new):
        self.old, self.new = old, new
        self.breaks = []

    def run(self):
        for operation in self.old.operations:
            there = [each for each in self.new.operations
                     if each.method == operation.method and shape(each.path) == shape(operation.path)]
            if there:
                self.operation(operation, there[0])
            else:
                self.broken(operation, "is gone")
        return self.breaks

    def broken(self, where, what):
        self.breaks.append(f"{where}: {what}")

    def operation(self, old, new):
        if not old.members["security"] and new.members["security"]:
            self.broken(old, "needs authentication")
        self.parameters(old, new)
        self.request(old, new)
        for status, response in old.responses.items():
            if status not in new.responses:
                self.broken(old, f"status {status} is gone")
            else:
                self.response(f"{old} {status}", response, new.responses[status])

    def parameters(self, old, new):
        before = {key(each): each for each in old.parameters}
        after = {key(each): each for each in new.parameters}
        for name, each in before.items():
            if name not in after:
                self.broken(old, f"parameter {name[0]} is gone")
            else:
                if after[name].get("required") and not each.get("required"):
                    self.broken(old, f"parameter {name[0]} is required now")
                self.accepted(f"{old} {name[0]}", each["schema"], after[name]["schema"])
        for name in after.keys() - before.keys():
            if after[name].get("required"):
                self.broken(old, f"parameter {name[0]} is new and required")

    def request(self, old, new):
        before, after = old.members.get("requestBody"), new.members.get("requestBody")
        if after is None:
            if before is not None:
                self.broken(old, "takes no body any more")
            return
        if after.get("required") and not (before or {}).get("required"):
            self.broken(old, "needs a body now")
        if before is None:
            return
        if (after.get("x-maximum-bytes") or 1 << 62) < (before.get("x-maximum-bytes") or 1 << 62):
            self.broken(old, "takes a smaller body only")
        for kind, content in before["content"].items():
            if kind not in after["content"]:
                self.broken(old, f"takes no {kind} any more")
            else:
                self.accepted(f"{old} request", content.get("schema", {}), after["content"][kind].get("schema", {}))

    def response(self, where, old, new):
        for code in descriptions.codes(old).keys() - descriptions.codes(new).keys():
            self.broken(where, f"code {code} is gone")
        for name, header in old.get("headers", {}).items():
            after = new.get("headers", {}).get(name)
            if after is None:
                self.broken(where, f"header {name} is gone")
            elif self.old.resolve(header).get("required") and not self.new.resolve(after).get("required"):
                self.broken(where, f"header {name} may be missing now")
        for kind, content in old.get("content", {}).items():
            if kind not in new.get("content", {}):
                self.broken(where, f"{kind} is gone")
            else:
                # Requests of before have no new parameter, and get what they got.
                usual, _ = self.new.alternatives(new["content"][kind].get("schema", {}))
                before, _ = self.old.alternatives(content.get("schema", {}))
                self.sent(where, before, usual)

    # Schemas

    def accepted(self, where, old, new):
        """What a request may have: at least what it might before."""
        old, new = self.old.resolve(old), self.new.resolve(new)
        if gone := types(old, self.old) - types(new, self.new):
            self.broken(where, f"{', '.join(sorted(gone))} is not accepted any more")
        before, after = descriptions.enumeration(old), closed(new)
        if after is not None and (before is None or set(map(str, before)) - set(map(str, after))):
            self.broken(where, "fewer values are accepted")
        for bounds, worse in ((UPPER, lambda a, b: a < b), (LOWER, lambda a, b: a > b)):
            for bound in bounds:
                if bound in new and (bound not in old or worse(new[bound], old[bound])):
                    self.broken(where, f"{bound} is narrower")
        if new.get("pattern") not in (None, old.get("pattern")):
            self.broken(where, "pattern differs")
        required = set(new.get("required", [])) - set(old.get("required", []))
        for name in sorted(required):
            self.broken(where, f"member {name} is required now")
        self.members(where, old, new, self.accepted)

    def sent(self, where, old, new):
        """What an answer has: at most what it might before."""
        old, new = self.old.resolve(old), self.new.resolve(new)
        if more := types(new, self.new) - types(old, self.old):
            self.broken(where, f"may be {', '.join(sorted(more))} now")
        for value in sorted(known(old, self.old) - known(new, self.new)):
            self.broken(where, f"value {value} is gone")
        for name in sorted(set(old.get("required", [])) - set(new.get("required", []))):
            self.broken(where, f"member {name} may be missing now")
        self.members(where, old, new, self.sent)

    def members(self, where, old, new, compare):
        for name, member in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                self.broken(where, f"member {name} is gone")
            else:
                compare(f"{where} {name}", member, new["properties"][name])
        for name in ("items", "additionalProperties"):
            if isinstance(old.get(name), dict) and isinstance(new.get(name), dict):
                compare(f"{where}[]", old[name], new[name])


def shape(path):
    """The path without the names of its parameters, which clients do not see."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def key(parameter):
    # A parameter of the path is told by its place, and its schema is compared under its name.
    return parameter["name"], parameter["in"]


def closed(schema):
    """The values of an enumeration that has no others; None for any other schema."""
    return schema.get("enum") or ([schema["const"]] if "const" in schema else None)


def known(schema, description):
    """The values that are described, of whichever alternative."""
    schema = description.resolve(schema)
    return set(map(str, schema.get("enum", []))).union(*(known(each, description) for each in schema.get("anyOf", [])))


def types(schema, description):
    schema = description.resolve(schema)
    if "anyOf" in schema:
        return set().union(*(types(each, description) for each in schema["anyOf"]))
    kind = schema.get("type")
    return set(kind if isinstance(kind, list) else [kind]) - {None}


def keep(version):
    current = descriptions.Description(descriptions.SOURCE)
    text = re.sub(r"^ +examples: \{recorded: .*\}\n", "", current.text.partition(MARKER)[0], flags=re.M)
    KEPT.mkdir(parents=True, exist_ok=True)
    (KEPT / f"{version}.yaml").write_text(text, encoding="utf-8")
    text = json.dumps(answers(current), ensure_ascii=False, indent=2, sort_keys=True)
    ANSWERS.mkdir(parents=True, exist_ok=True)
    (ANSWERS / f"{version}.json").write_text(text + "\n", encoding="utf-8")


def answers(description):
    """The recorded answers to players, by operation and status; the requests are left out."""
    players = {each.id for each in description.operations
               if each.path.startswith("/v1/") and each.members["tags"] != ["App Store"]}
    recorded = description.document["components"]["examples"]
    return {name: example["value"] for name, example in recorded.items()
            if name.split(".")[0] in players and name.split(".")[1].isdigit()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", metavar="VERSION")
    parser.add_argument("--old")
    parser.add_argument("--new", default=descriptions.SOURCE)
    arguments = parser.parse_args()
    if arguments.keep:
        return keep(arguments.keep)
    old = [arguments.old] if arguments.old else sorted(KEPT.glob("*.yaml"))
    if not old:
        sys.exit("docs/openapi/ has no description of a release")
    new = descriptions.Description(arguments.new)
    failed = False
    for path in old:
        breaks = Comparison(descriptions.Description(path), new).run()
        failed = failed or bool(breaks)
        name = Path(path).name
        print("\n".join(f"since {name}: {each}" for each in sorted(set(breaks)))
              or f"compatibility: nothing of {name} is gone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
