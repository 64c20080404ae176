"""What schemathesis needs to know of the server: tokens, and things that are there."""

import base64
import hashlib
import json
import urllib.request
from urllib.parse import parse_qsl, urlsplit

import schemathesis

from cases import FACTS, Bearer, choice, fill


class Session:
    """The player's, which some cases end."""

    token = FACTS["accessToken"]

    @classmethod
    def renew(cls):
        body = json.dumps({"recoveryCode": FACTS["recoveryCode"]}).encode()
        request = urllib.request.Request(FACTS["server"] + "/v1/sessions", body, method="POST")
        with urllib.request.urlopen(request) as answer:
            cls.token = json.load(answer)["accessToken"]


@schemathesis.auth(refresh_interval=None).apply_to(tag="Player")
class PlayerAuthentication(Bearer):
    def get(self, case, context):
        return Session.token


@schemathesis.auth(refresh_interval=None).apply_to(tag="Operator")
class AdminAuthentication(Bearer):
    def get(self, case, context):
        return FACTS["adminToken"]


def mutated(receipt, number):
    """The receipt with one character replaced."""
    place = number % len(receipt)
    return receipt[:place] + ("A" if receipt[place] != "A" else "B") + receipt[place + 1:]


def receipts():
    real = FACTS["receipts"]
    altered = [mutated(each, 7_919 * number) for number, each in enumerate(real * 3, 1)]
    garbage = [base64.b64encode(bytes([0x30, 0x82]) + bytes(range(200))).decode(), "2000000000000001", "a.b.c", " "]
    return real + altered + garbage


RECEIPTS = receipts()


# Lists whose next page begins at a place that only a page tells.
LISTS = {
    "/admin/v1/receipts", "/admin/v1/notifications", "/admin/v1/accounts", "/admin/v1/accounts/{account}",
    "/admin/v1/bundles", "/admin/v1/deliveries", "/admin/v1/testers",
}
# Filters of lists that want times, words that there are, and names without control characters: the description cannot say
# that.
FILTERS = {
    "/admin/v1/audit": {
        "since": "2026-11-01", "until": "2026-12-01", "kind": "account.blocked", "actor": "admin:alice"},
    "/admin/v1/deliveries": {"bundleID": "com.example.hangman", "bundle": "hard-words"},
    "/admin/v1/receipts": {"bundleID": "com.example.hangman", "reason": "signature"},
}
SEARCHES = ("transaction", "originalTransaction", "receipt", "order")


def search(query):
    """One search alone, an order with its app, or the list of the newest: OpenAPI cannot say that."""
    named = [name for name in SEARCHES if name in query]
    if not named:
        return {name: value for name, value in query.items() if name == "limit"}
    kept = {named[0], "bundleID"} if named[0] == "order" else {named[0]}
    return {name: value for name, value in query.items() if name in kept}


@schemathesis.hook
def before_call(context, case, **kwargs):
    """Has many cases that are as described name something that is there."""
    if case.meta is None or case.meta.generation.mode.is_negative:
        return
    for name, value in (case.path_parameters or {}).items():
        things = FACTS["path"].get(f"{case.operation.path} {name}") or FACTS["path"].get(name)
        if things and (thing := choice(case, name, things)):
            case.path_parameters[name] = thing
    if case.operation.path == "/v1/content/{sha256}" and (url := choice(case, "url", FACTS["links"])):
        parts = urlsplit(url)
        case.path_parameters["sha256"] = parts.path.rsplit("/", 1)[-1]
        case.query = dict(parse_qsl(parts.query))
    if case.operation.path == "/v1/accounts" and (key := (case.headers or {}).get("Idempotency-Key")):
        # Random, as the description says, and its pattern cannot.
        case.headers["Idempotency-Key"] = hashlib.sha256(key.encode()).hexdigest()
    if case.operation.path in LISTS and "after" in (case.query or {}):
        del case.query["after"]  # What a page before called next, or an error.
    if case.operation.path == "/admin/v1/accounts":
        case.query = search(case.query or {})
    if usual := FILTERS.get(case.operation.path):
        case.query = {name: usual.get(name, value) for name, value in (case.query or {}).items()}
    # Filters that go with one value of another parameter: OpenAPI cannot say that.
    if case.operation.path == "/admin/v1/deliveries" and "bundleID" in case.query:
        case.query["unconfirmed"] = "true"
    if case.operation.path == "/admin/v1/receipts" and "reason" in case.query:
        case.query["status"] = "rejected"
    if case.operation.path.startswith("/admin/v1/reports/"):
        # Days that there are, in their order.
        case.query = {**(case.query or {}), "from": "2026-11-01", "to": "2026-12-01"}
    if case.operation.path == "/admin/v1/apps/{bundleID}" and case.method == "PUT":
        # With a second app requests that name none would be ambiguous, with another number every receipt wrong.
        case.headers = {**(case.headers or {}), "If-Match": "*"}
        if isinstance(case.body, dict):
            case.body["appAppleID"] = 1_234_567_890
    for members in (case.query, case.path_parameters, case.body):
        if isinstance(members, dict) and members.get("environment") == "Xcode":
            members["environment"] = "Sandbox"  # The app trusts no certificate of Xcode.
    if isinstance(case.body, dict):
        fill_body(case, case.body)


def fill_body(case, body):
    if "receipt" in body and (receipt := choice(case, "receipt", RECEIPTS)):
        body["receipt"] = receipt
    if body.get("receipts") and (receipt := choice(case, "receipts", RECEIPTS)):
        body["receipts"][0] = receipt
    if "signedPayload" in body and (payload := choice(case, "payload", FACTS["notifications"])):
        body["signedPayload"] = payload
    fill(case, body, FACTS["body"])


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.label == "DELETE /v1/sessions/current" and response.status_code == 204:
        Session.renew()
