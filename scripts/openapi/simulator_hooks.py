"""What schemathesis needs to know of the simulated App Store: a token for Apple's interfaces, and purchases."""

import os
import sys
import time
import urllib.request
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

import schemathesis

from cases import FACTS, HERE, Bearer, choice, fill

sys.path.insert(0, os.path.dirname(HERE))
from signed_data import jws  # noqa: E402

# Apple refuses tokens that live longer than an hour.
TOKEN_LIFETIME, RENEWED_AFTER = 3_600, 1_800  # seconds
# Where nobody listens: the simulator is to send nothing to hosts that a generator made up.
SENT_TO, NOWHERE = ("http", "https"), "http://127.0.0.1:9"
# What each of these sets is taken back at once, or nothing else would be answered as described.
TAKEN_BACK = {"POST /simulator/v1/faults": "/simulator/v1/faults", "POST /simulator/v1/clock": "/simulator/v1/clock"}


def token():
    """A JWT of the app's key (Apple, "Generating JSON Web Tokens for API requests")."""
    key, now = FACTS["key"], int(time.time())
    claims = {
        "iss": key["issuerID"], "iat": now, "exp": now + TOKEN_LIFETIME, "aud": "appstoreconnect-v1",
        "bid": FACTS["app"]}
    header = {"alg": "ES256", "kid": key["keyID"], "typ": "JWT"}
    with NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(key["privateKey"])
        file.flush()
        return jws(header, claims, file.name)


@schemathesis.auth(refresh_interval=RENEWED_AFTER).apply_to(tag="Apple")
class AppAuthentication(Bearer):
    def get(self, case, context):
        return token()


def things(path, name):
    """What a parameter of the path may name that is there."""
    if name != "id":
        return FACTS["path"].get(name)
    if "/lookup/{id}" in path and "refund" not in path:
        return FACTS["orders"]
    return FACTS["subscriptions" if "/subscriptions/" in path else "transactions"]


@schemathesis.hook
def before_call(context, case, **kwargs):
    """Has many cases that are as described name something that is there."""
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("url"), str) and urlsplit(body["url"]).scheme in SENT_TO:
        body["url"] = NOWHERE
    if case.meta is None or case.meta.generation.mode.is_negative:
        return
    for name in case.path_parameters or {}:
        if (there := things(case.operation.path, name)) and (thing := choice(case, name, there)):
            case.path_parameters[name] = thing
    fill(case, case.query, FACTS["query"])
    if isinstance(body, dict):
        fill(case, body, FACTS["body"])
        if case.operation.path == "/{store}/verifyReceipt" and (receipt := choice(case, "receipt", FACTS["receipts"])):
            body["receipt-data"] = receipt


@schemathesis.hook
def after_call(context, case, response):
    if (path := TAKEN_BACK.get(case.operation.label)) and response.status_code < 300:
        urllib.request.urlopen(urllib.request.Request(FACTS["server"] + path, method="DELETE")).close()
