#!/usr/bin/env python3
"""Copies the examples of docs/openapi.yaml and docs/openapi-simulator.yaml from the exchanges of a test run, recorded
with QUARTERMASTER_RECORD=FILE make test.

    scripts/openapi/examples.py RECORD
    scripts/openapi/examples.py --check

The files refer to examples by `#/components/examples/<operation>.<status>`, with the code behind it where an error
has several, and `<operation>.request`; this script writes all of them after the line "Recorded examples". What it
chooses depends on the record alone: of the exchanges that are as described, the one with the most members, then the shortest.
Tokens, codes, keys, signatures, receipts and IDs are replaced by shortened or made-up ones. With --check nothing is
written: each example must be as described, and hold nothing that looks like a secret.
"""

import argparse
import hashlib
import json
import re
import sys

import jsonschema

import description as descriptions
import exchanges

FILES = {"server": "docs/openapi.yaml", "simulator": "docs/openapi-simulator.yaml"}
MARKER = "  # Recorded examples\n"
# Longer ones are chosen only if there is no other.
LONGEST = 2_000
# The catalog and content that most tests use, so that the examples fit each other.
USUAL = re.compile(r"hangman|hard-words")
UNUSUAL = re.compile(r"Xcode|Sandbox|\"odd\"|\.n\d+\"|command:root|alice|\\\\")

UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
SHA256 = re.compile(r"\b[0-9a-fA-F]{64}\b")
NUMBER = re.compile(r"\d{9,}")
# What a good example of an answer shows.
TYPICAL = {
    ("sendReceipt", 200): '"outcome": "delivered"',
    ("sendReceipt", 422): '"signature"',
    ("getReceipt", 200): '"outcome": "delivered"',
    ("restorePurchases", 200): '"status": "verified"',
    ("adjustCredits", 422): "name: hints",
}
# By the name of the member.
SECRETS = {
    "accessToken": "…", "recoveryCode": "KX4M-…", "x": "…", "kid": "…", "transactionReceipt": "ewoJ…",
    "privateKey": "-----BEGIN PRIVATE KEY-----…", "keyID": "…", "password": "…", "orderID": "MK…",
}
# Members whose digits are a time, and no ID.
MILLISECONDS = ("_ms", "expires_date")
# A place in the history: the number of a change, and a transaction.
REVISION = re.compile(r"^(\d+_)(\d{16})$")


class Disguise:
    """Replaces what is secret or differs from run to run; the same value by the same one."""

    def __init__(self):
        self.uuids, self.hashes, self.numbers = {}, {}, {}

    def __call__(self, value, name=None):
        if isinstance(value, dict):
            return {self.text(key): self(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [self(each, name) for each in value]
        if isinstance(value, str):
            return SECRETS.get(name) or (value if name and name.endswith(MILLISECONDS) else self.text(value))
        return value

    def text(self, text):
        if re.fullmatch(r"[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}", text):
            return "eyJ…"
        if not SHA256.fullmatch(text) and not UUID.fullmatch(text) and re.fullmatch(r"[A-Za-z0-9+/_=-]{60,}", text):
            return "MII…"
        text = re.sub(r"grant=[^\"&\s]+", "grant=…", text)
        text = re.sub(r"\b([rdg])_[\w-]{10,}", r"\1_…", text)
        text = REVISION.sub(lambda match: match[1] + self.number(match[2]), text)
        if NUMBER.fullmatch(text):
            return self.number(text)
        text = UUID.sub(lambda match: self.uuid(match[0].lower()), text)
        return SHA256.sub(lambda match: self.hash(match[0].lower()), text)

    def uuid(self, text):
        return self.uuids.setdefault(text, f"0b0e5c1e-0000-4000-8000-{len(self.uuids) + 1:012d}")

    def hash(self, text):
        return self.hashes.setdefault(text, hashlib.sha256(f"example {len(self.hashes) + 1}".encode()).hexdigest())

    def number(self, text):
        return self.numbers.setdefault(text, str(2_000_000_000_000_001 + len(self.numbers)))


def members(value, prefix=""):
    """The paths of all members, those of a list's elements once."""
    if isinstance(value, dict):
        return {prefix + name for name, member in value.items() if member not in ([], {})}.union(
            *(members(member, f"{prefix}{name}.") for name, member in value.items()))
    if isinstance(value, list):
        return set().union(*(members(each, prefix) for each in value))
    return set()


def parsed(text):
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None


def size(value):
    """The number of elements of all lists."""
    if isinstance(value, dict):
        return sum(map(size, value.values()))
    return len(value) + sum(map(size, value)) if isinstance(value, list) else 0


def order(request, response, typical):
    """The smallest is the best."""
    disguise = Disguise()
    text = json.dumps([disguise(request), disguise(response)], sort_keys=True, ensure_ascii=False)
    return (
        typical not in text, len(text) > LONGEST, bool(UNUSUAL.search(text)), not USUAL.search(text),
        size(response) // 8 - len(members(response)) - len(members(request)), len(text), text)


def fits(description, operation, request):
    """Whether a request is of the described form, and has no members besides."""
    if operation.body is None:
        return True
    if not isinstance(request, dict):
        return False
    schema = description.resolve(operation.body)
    if "additionalProperties" not in schema and set(request) - set(schema.get("properties", {})):
        return False
    whole = {"components": description.document["components"], **schema}
    return jsonschema.Draft202012Validator(whole).is_valid(request)


def read(description, record, subject):
    """By (operation, status, code), the best exchange as (request, response); code is None for the best of all."""
    best = {}
    for exchange in exchanges.read(record, subject):
        operation = description.operation(exchange["method"], exchange["path"])
        if operation is None or exchange["method"] == "HEAD":
            continue
        request, response = parsed(exchange["requestBody"]), parsed(exchange["body"])
        if not fits(description, operation, request):
            if exchange["status"] < 300:
                continue
            request = None  # What was wrong is not shown.
        typical = TYPICAL.get((operation.id, exchange["status"]), "")
        candidate = (order(request, response, typical), request, response)
        code = response.get("code") if isinstance(response, dict) else None
        for key in {(operation.id, exchange["status"], None), (operation.id, exchange["status"], code)}:
            if key not in best or candidate[0] < best[key][0]:
                best[key] = candidate
    return {key: (request, response) for key, (_, request, response) in best.items()}


def wanted(text):
    return sorted(set(re.findall(r"#/components/examples/([\w.-]+)", text)))


def example(name, exchanges, names):
    operation, part, code = [*name.split("."), None][:3]
    statuses = {status for found, status, _ in exchanges if found == operation and status < 300}
    # That of an answer which is an example too, if there is one.
    statuses = {status for status in statuses if f"{operation}.{status}" in names} or statuses
    if part == "request" and statuses:
        return Disguise()(exchanges[operation, min(statuses), None][0])
    if part != "request" and (operation, int(part), code) in exchanges:
        # The request first, so that values which it shares with its answer are the same in both examples.
        disguise = Disguise()
        request, response = exchanges[operation, int(part), code]
        disguise(request)
        return disguise(response)
    return None


def written(name, value):
    text = descriptions.pretty(value)
    return f"    {name}:\n      value:\n" + "".join(f"        {line}\n" for line in text.splitlines())


def contents(operation):
    """Of the request and of every answer."""
    body = operation.members.get("requestBody", {})
    for part in (body, *operation.responses.values()):
        yield from part.get("content", {}).values()


def check(description):
    """What is wrong with the examples that are there."""
    for operation in description.operations:
        for content in contents(operation):
            for reference in content.get("examples", {}).values():
                name = reference["$ref"].rsplit("/", 1)[-1]
                value = description.resolve(reference)["value"]
                whole = {"components": description.document["components"], **content["schema"]}
                for error in jsonschema.Draft202012Validator(whole).iter_errors(value):
                    yield f"{name}: {error.json_path}: {error.message}"
                for text in re.findall(r"[A-Za-z0-9+/_=-]{40,}", UUID.sub("", json.dumps(value))):
                    if not SHA256.fullmatch(text) and not re.search(r"/v1/content/", text):
                        yield f"{name}: {text[:12]}… looks like a secret"


def copy(description, path, record, subject):
    """Writes the examples after the line that says so. Returns what is missing."""
    found = read(description, record, subject)
    hand_written, marker, _ = description.text.partition(MARKER)
    if not marker:
        return [f"{path}: no line {MARKER.strip()!r}"]
    names = wanted(hand_written)
    values = {name: example(name, found, names) for name in names}
    missing = [f"{record} has no exchange for {name} of {path}" for name, value in values.items() if value is None]
    if not missing:
        examples = "".join(written(name, value) for name, value in values.items())
        path.write_text(f"{hand_written}{marker}  examples:\n{examples}", encoding="utf-8")
        print(f"{path}: {len(values)} examples")
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("record", nargs="?")
    arguments = parser.parse_args()
    mistakes = []
    for subject, file in FILES.items():
        path = descriptions.ROOT / file
        description = descriptions.Description(path)
        if arguments.check or not arguments.record:
            mistakes += sorted(check(description))
        else:
            mistakes += copy(description, path, arguments.record, subject)
    print("\n".join(mistakes) or "examples: as described")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
