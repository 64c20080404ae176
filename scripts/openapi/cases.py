"""What the hooks of schemathesis for both descriptions share: facts, counts, a watchdog, a check of the error codes.

fuzzing.py starts a server and names a file with the facts in QUARTERMASTER_FUZZ_FACTS."""

import atexit
import faulthandler
import gc
import json
import os
import sys
import time
import zlib
from collections import Counter
from functools import lru_cache

import hypothesis
import schemathesis
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import description as descriptions  # noqa: E402

with open(os.environ["QUARTERMASTER_FUZZ_FACTS"], encoding="utf-8") as file:
    FACTS = json.load(file)
DESCRIPTION = descriptions.Description(FACTS["description"])
REQUEST_ID = descriptions.request_id(DESCRIPTION.document)
# Between two requests, of a generator that looks for a case or of a server that does not answer. A case that is as
# described takes some milliseconds.
STILL_WITHIN = 300  # seconds
WRITTEN_EVERY = 1  # seconds

# schemathesis has Hypothesis prefer what the server accepts. Hypothesis then changes one value at a time for as long as
# the request is accepted none the less, draws for minutes, and sends little or nothing.
hypothesis.target = lambda observation, **others: observation
# schemathesis keeps every exchange until an operation is done; looking through them for what to free took a third of the
# time.
gc.set_threshold(50_000, 50, 1_000)


class Progress:
    """How many requests each operation had. Where none follows for long, all stacks are told and the run ends."""

    requests, last = Counter(), None
    written = 0

    @classmethod
    def note(cls, operation):
        cls.requests[operation] += 1
        cls.last = operation
        if time.monotonic() - cls.written >= WRITTEN_EVERY:
            cls.write()

    @classmethod
    def write(cls):
        faulthandler.dump_traceback_later(STILL_WITHIN, exit=True)
        cls.written = time.monotonic()
        with open(FACTS["progress"] + ".new", "w", encoding="utf-8") as file:
            json.dump({"last": cls.last, "requests": cls.requests}, file)
        os.replace(FACTS["progress"] + ".new", FACTS["progress"])


Progress.write()
atexit.register(Progress.write)


def choice(case, place, things):
    """One of the things, or None: the same for the same case."""
    number = zlib.crc32(f"{case.operation.label}{place}{case.path_parameters}{case.query}{case.body!r}".encode())
    return things[number // 4 % len(things)] if number % 4 else None


class Bearer:
    """What sends the token that `get` gives."""

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


def fill(case, members, there):
    """Has members of a case name something that is there."""
    for name in members or {}:
        if name in there and (thing := choice(case, name, there[name])):
            members[name] = thing


@schemathesis.hook
def before_call(context, case, **kwargs):
    Progress.note(case.operation.label)


# The libraries' own reader takes a quarter of a second for the description.
@schemathesis.deserializer("application/yaml")
def read_yaml(context, response):
    return parsed(response.content)


@lru_cache(maxsize=4)
def parsed(content):
    return yaml.load(content, descriptions.Loader)


@schemathesis.check
def described_code(context, response, case):
    """An error answer has a code that is described, and every answer an ID."""
    assert REQUEST_ID.fullmatch((response.headers.get("x-request-id") or [""])[0]), "no X-Request-Id"
    operation = DESCRIPTION.operation(response.request.method, case.operation.path)
    if operation is None or not response.content:
        return
    known = descriptions.codes(operation.responses.get(response.status_code, {}))
    code = response.json().get("code") if known else None
    assert code is None or code in known, f"{response.status_code} {code} is not described"
