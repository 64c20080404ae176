#!/usr/bin/env python3
"""Checks docs/openapi.yaml and docs/openapi-simulator.yaml against the exchanges of a test run, recorded with
QUARTERMASTER_RECORD=FILE make test.

    scripts/openapi/traffic.py RECORD

Fails if an exchange is not as described: an operation, a status, a code or a header that is not described, a member that
is missing, of another type, or not described. Also fails if a described (operation, status, code) never occurred and
does not stand in scripts/openapi/unseen.txt (unseen-simulator.txt) with a reason, or stands there and did occur.
"""

import argparse
import copy
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import jsonschema

import description as descriptions
import exchanges

HERE = Path(__file__).parent
MOST_SHOWN = 40
# Headers of every answer, or of the connection; `content-*` are compared with the body.
PLAIN_HEADERS = {
    "cache-control", "connection", "content-length", "content-type", "date", "keep-alive", "server", "transfer-encoding",
}
# Headers of the whole answer that its 304 may have too.
HEADERS_OF_SOME = {304: {"accept-ranges", "repr-digest", "use-as-dictionary", "vary", "x-content-type-options"}}
# Of the answers that may be kept; all others with a body are not to be.
CACHE_CONTROL = {
    "listProducts": "no-cache", "getDescription": "no-cache",
    "downloadContent": "private, max-age=31536000, immutable",
}
# Tests of the simulator in which its answers are those of a fault.
FAULTY = re.compile(r"FaultTests")
# Tests of servers with product types and reasons of their own.
OWN_WORDS = re.compile(r"OwnType|CustomServer|Unknown|LiveCatalog")
# A test of a store that is not Apple's, whose route for notifications is no part of the description.
OTHER_STORE = re.compile(r"SecondStoreTests")


def closed(schema):
    """The schema with open objects and enumerations closed: what is not described is a mistake of the description."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    choices = schema.get("anyOf", [])
    if len(choices) == 2 and "enum" in choices[0] and choices[1] == {"type": "string"}:
        return {**{k: v for k, v in schema.items() if k != "anyOf"}, **choices[0]}
    # A copy, so that the description stays open.
    result = {name: closed(value) if name not in ("enum", "const", "default", "required") else value
              for name, value in schema.items()}
    if "properties" in schema and "additionalProperties" not in schema:
        result["additionalProperties"] = False
    return result

# The pages for administrators are for people: HTML, and no interface that a program could rely on.
PAGE = re.compile(r"/admin(?!/v1)(/|\?|$)")


class Checker:
    unseen = "unseen.txt"

    def __init__(self, description):
        self.description = description
        document = copy.deepcopy(description.document)
        document["components"]["schemas"] = closed(document["components"]["schemas"])
        self.schemas = document["components"]["schemas"]
        self.request_id = descriptions.request_id(document)
        self.seen = Counter()
        self.mistakes = defaultdict(list)
        self.validators = {}

    def validator(self, schema):
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            whole = {"components": {"schemas": self.schemas}, **closed(schema)}
            self.validators[key] = jsonschema.Draft202012Validator(
                whole, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
        return self.validators[key]

    def complain(self, what, exchange):
        self.mistakes[what].append(exchange)

    def check(self, exchange):
        method, path, status = exchange["method"], exchange["path"], exchange["status"]
        headers = {name.lower(): value for name, value in exchange["headers"].items()}
        if self.is_left_out(exchange, headers):
            return None
        if not self.request_id.fullmatch(headers.get("x-request-id", "")):
            self.complain(f"{method} {path.split('?')[0]} {status}: no X-Request-Id", exchange)
        operation = self.description.operation(method, path)
        if operation is None:
            return self.check_no_operation(exchange, headers)
        response = operation.responses.get(status)
        problem = self.problem(exchange, headers)
        if response is None or (descriptions.codes(response) and problem and problem.get("code")
                                not in descriptions.codes(response)):
            code = problem.get("code") if problem else None
            if (status, code) in descriptions.GENERAL and self.is_general(exchange, code, headers):
                return None
            if code is None and self.is_refused_head(exchange, headers):
                return None
            return self.complain(f"{operation} {status} {code or ''}: not described", exchange)
        self.seen[operation.id, status, problem.get("code") if problem else ""] += 1
        self.check_security(operation, status, exchange, headers)
        self.check_headers(operation, status, response, headers, exchange)
        return self.check_body(operation, status, response, headers, exchange)

    def is_left_out(self, exchange, headers):
        """Bytes that are no HTTP are answered without a body and an ID, as the description's first part says."""
        if OTHER_STORE.search(exchange["test"]) and exchange["path"].startswith("/v1/notifications/"):
            return True
        return exchange["status"] == 400 and not exchange["body"] and "x-request-id" not in headers

    def check_security(self, operation, status, exchange, headers):
        has_token = any(name.lower() == "authorization" for name in exchange["requestHeaders"])
        security = operation.members.get("security", [])
        if security and not has_token and status != 401 and not self.is_refused_head(exchange, headers):
            self.complain(f"{operation} {status}: without a token", exchange)
        if not security and status == 401 and "invalid_credentials" not in exchange["body"]:
            self.complain(f"{operation} 401: needs a token", exchange)

    def is_general(self, exchange, code, headers):
        if code == "not_found":
            # A control character, or bytes that are not UTF-8, in the path.
            return bool(re.search(r"%(0|1|7f|[89a-f])", exchange["path"].split("?")[0], re.I))
        if code == "invalid_request":
            return self.is_refused_head(exchange, headers)
        return True

    def is_refused_head(self, exchange, headers):
        """What is refused before its path is looked at; with HTTP/1 the connection ends, and HEAD is not told why."""
        problem = self.problem(exchange, headers)
        has_code = problem.get("code") == "invalid_request" if problem else exchange["method"] == "HEAD"
        return exchange["status"] == 400 and has_code and (
            headers.get("connection") == "close" or ":path" in exchange["requestHeaders"])

    def check_no_operation(self, exchange, headers):
        method, path, status = exchange["method"], exchange["path"], exchange["status"]
        if PAGE.match(path):
            return
        expected = 405 if self.description.has_path(path) else 404
        if status not in (expected, 404) and not self.is_refused_head(exchange, headers):
            self.complain(f"{method} {path.split('?')[0]} {status}: no such operation", exchange)
        elif status == 405 and "allow" not in headers:
            self.complain(f"{method} {path.split('?')[0]} 405 without Allow", exchange)
        elif method != "HEAD":
            self.check_schema(f"{method} {path.split('?')[0]} {status}", {"$ref": "#/components/schemas/Problem"}, exchange)

    def problem(self, exchange, headers):
        if headers.get("content-type") != "application/problem+json" or not exchange["body"]:
            return None
        return json.loads(exchange["body"])

    def check_headers(self, operation, status, response, headers, exchange):
        described = {name.lower(): self.description.resolve(each) for name, each in response.get("headers", {}).items()}
        for name, header in described.items():
            if header.get("required") and name not in headers:
                self.complain(f"{operation} {status}: header {name} is missing", exchange)
            elif name in headers:
                value = headers[name]
                if header["schema"].get("type") == "integer" and re.fullmatch(r"\d+", value):
                    value = int(value)
                for error in self.validator(header["schema"]).iter_errors(value):
                    self.complain(f"{operation} {status}: header {name}: {error.message[:80]}", exchange)
        self.check_cache_control(operation, status, headers, exchange)
        for name in headers.keys() - described.keys() - PLAIN_HEADERS - HEADERS_OF_SOME.get(status, set()):
            self.complain(f"{operation} {status}: header {name} is not described", exchange)

    def check_cache_control(self, operation, status, headers, exchange):
        kept = CACHE_CONTROL.get(operation.id) if status < 300 else "no-store"
        if exchange["body"] and headers.get("cache-control") != (kept or "no-store"):
            self.complain(f"{operation} {status}: Cache-Control: {headers.get('cache-control')}", exchange)

    def check_body(self, operation, status, response, headers, exchange):
        content = response.get("content")
        if exchange["method"] == "HEAD" or content is None:
            if exchange["body"] not in ("", "0 bytes"):
                self.complain(f"{operation} {status}: a body that is not described", exchange)
            return
        kind = headers.get("content-type", "").split(";")[0]
        if kind not in content:
            self.complain(f"{operation} {status}: {kind or 'no type'} is not described", exchange)
        elif kind.endswith("json"):
            self.check_schema(f"{operation} {status}", content[kind]["schema"], exchange)

    def check_schema(self, where, schema, exchange):
        if re.fullmatch(r"\d+ bytes", exchange["body"]):
            return  # Too long to be recorded.
        try:
            body = json.loads(exchange["body"])
        except ValueError:
            return self.complain(f"{where}: no JSON", exchange)
        for error in self.validator(schema).iter_errors(body):
            if error.validator == "enum" and OWN_WORDS.search(exchange["test"]):
                continue
            place = re.sub(r"\[\d+\]", "[]", error.json_path)
            self.complain(f"{where}: {place}: {error.message[:120]}", exchange)


class SimulatorChecker(Checker):
    unseen = "unseen-simulator.txt"

    def is_left_out(self, exchange, headers):
        """What a fault has Apple's interfaces answer, and other methods of verifyReceipt, which answers all alike."""
        path = exchange["path"].split("?")[0]
        return (bool(FAULTY.search(exchange["test"])) and not path.startswith("/simulator/")) or (
            path.endswith("/verifyReceipt") and exchange["method"] != "POST")

    def check_security(self, operation, status, exchange, headers):
        """The description of each says when it answers 401."""

    def check_cache_control(self, operation, status, headers, exchange):
        """The simulator says nothing of caches."""


def reasons_in(text):
    """By (operation, status, code), why no test shows it. A `*` as operation stands for every one."""
    reasons = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            operation, status, code, reason = line.strip().split(maxsplit=3)
            reasons[operation, int(status), "" if code == "-" else code] = reason
    return reasons


def never_seen(description, seen):
    for operation in description.operations:
        for status, response in operation.responses.items():
            known = descriptions.codes(response) or [""]
            if operation.method == "head":
                known = [""]
            for code in known:
                if not seen[operation.id, status, code]:
                    yield operation.id, status, code


def unexplained(unseen, seen, reasons):
    """What no exchange shows and no rule gives a reason for, and the rules that nothing needs.

    A rule for every operation holds where one of them shows the status and the code."""
    shown, used, without = {(status, code) for _, status, code in seen}, set(), []
    for key in unseen:
        rule = key if key in reasons else ("*", *key[1:])
        if rule in reasons and (rule[0] != "*" or rule[1:] in shown):
            used.add(rule)
        else:
            without.append(key)
    return without, sorted(reasons.keys() - used)


def check(checker, record, subject):
    """Whether all is as described."""
    count = 0
    for exchange in exchanges.read(record, subject):
        count += 1
        checker.check(exchange)
    failed = False
    for what, examples in sorted(checker.mistakes.items(), key=lambda each: -len(each[1]))[:MOST_SHOWN]:
        failed = True
        print(f"{len(examples)} x {what}\n    in {examples[0]['test']}: {examples[0]['body'][:200]}")
    reasons = reasons_in((HERE / checker.unseen).read_text(encoding="utf-8"))
    unseen, unneeded = unexplained(never_seen(checker.description, checker.seen), checker.seen, reasons)
    for key in unseen:
        failed = True
        print(f"never seen: {key[0]} {key[1]} {key[2] or '-'}")
    for rule in unneeded:
        failed = True
        print(f"in {checker.unseen}, and was seen, or is not described: {' '.join(str(part) or '-' for part in rule)}")
    print(f"{subject}: {count} exchanges, {len(checker.seen)} of operation, status and code; "
          f"{len(checker.mistakes)} kinds of mistake")
    return not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("record")
    parser.add_argument("--description", default=descriptions.SOURCE)
    parser.add_argument("--simulator", default=descriptions.ROOT / "docs/openapi-simulator.yaml")
    arguments = parser.parse_args()
    server = Checker(descriptions.Description(arguments.description))
    simulator = SimulatorChecker(descriptions.Description(arguments.simulator))
    results = [check(server, arguments.record, "server"), check(simulator, arguments.record, "simulator")]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
