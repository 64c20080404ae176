"""A server with its simulated App Store, started and stopped on one ledger, at times of the past."""

import json
import time
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException

from failure import Failure
from process import connect, free_ports, output_of, running

ANSWER_WITHIN = 60  # seconds


@dataclass(frozen=True)
class Answer:
    status: int
    content: bytes

    @property
    def json(self):
        return json.loads(self.content) if self.content else {}


class Caller:
    """One connection, opened again whenever it is closed."""

    def __init__(self, port):
        self.port, self.connection = port, None

    def ask(self, method, path, body=None, token=None, headers=(), expected=None):
        fields = dict(headers)
        if token:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            fields["Content-Type"] = "application/json"
        try:
            answer = self.once(method, path, body, fields)
        except (OSError, HTTPException):
            self.connection = None
            answer = self.once(method, path, body, fields)
        if expected and answer.status not in expected:
            raise Failure(f"{method} {path}: {answer.status} {answer.content[:600]!r}, expected {expected}")
        return answer

    def once(self, method, path, body, fields):
        if self.connection is None:
            self.connection = connect(self.port, ANSWER_WITHIN)
        self.connection.request(method, path, body, fields)
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.read())


class World:
    def __init__(self, binary, folder, start):
        self.binary, self.folder, self.now = binary, folder, start
        self.port, self.store_port = free_ports(2)
        self.server, self.store = Caller(self.port), Caller(self.store_port)
        self.database = folder / "ledger.sqlite"

    @contextmanager
    def serving(self, settings=()):
        environment = {"QUARTERMASTER_LOG_LEVEL": "error", **dict(settings)}
        command = [
            "env", "-C", str(self.folder), *(f"{name}={value}" for name, value in environment.items()),
            str(self.binary), "serve", "--port", str(self.port), "--simulator", "--simulator-port",
            str(self.store_port), "--database", str(self.database), "--products", "products.json", "--content",
            "content"]
        with running("the server", command, None, self.port, "/ready", self.folder / "server.log"):
            self.server.connection = self.store.connection = None
            yield

    def begin(self):
        """Sets the time before any server makes a row: the server follows the store's time from its start."""
        command = [
            "env", "-C", str(self.folder), str(self.binary), "simulator", "--database", str(self.database),
            "--products", "products.json", "--simulator-port", str(self.store_port)]
        with running("the store", command, None, self.store_port, "/simulator/v1/root.cer", self.folder / "store.log"):
            self.set_clock(self.now)

    def set_clock(self, at):
        """The clock goes on from there: what takes a second takes one there too."""
        self.store.connection = None
        self.now, self.offset = at, round(at - time.time(), 3)
        self.store.ask("POST", "/simulator/v1/clock", {"offsetSeconds": self.offset}, expected=[200])

    def time(self):
        """Of the server's clock, as it writes it."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.offset))

    def fault(self, **members):
        self.store.ask("POST", "/simulator/v1/faults", members, expected=[204])

    def buy(self, app, product, kind, **members):
        # Releases whose subscriptions never renew by themselves ignore `renews`.
        body = {"bundleID": app, "productID": product, "type": kind, "renews": False, **members}
        return self.store.ask("POST", "/simulator/v1/purchases", body, expected=[201]).json

    def act(self, path, body=None, expected=(200,)):
        answer = self.store.ask("POST", f"/simulator/v1/{path}", body or {}, expected=expected)
        return answer.json

    def run(self, *arguments):
        """A command of the program, beside the server that serves."""
        return output_of(self.binary, *arguments, "--database", self.database, cwd=self.folder)
