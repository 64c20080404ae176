"""Asking one question at a time, before anything is timed."""

import json

from failure import Failure
from process import connect

APP = "com.example.hangman"
ANSWER_WITHIN = 30  # seconds


class Client:
    """One connection, kept open."""

    def __init__(self, port, tls=None, source="127.0.0.1", host="127.0.0.1"):
        self.connection = connect(port, ANSWER_WITHIN, tls, source, host)

    def ask(self, method, path, expected, headers=None, body=None):
        """The headers of the answer, its bytes, and how many bytes it had on the wire."""
        headers = dict(headers or {})
        if body is not None:
            headers["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != expected:
            place = path.partition("?")[0]
            raise Failure(f"{method} {place}: expected {expected}, got {answer.status} {content[:600]!r}")
        fields = answer.getheaders()
        head = len(f"HTTP/1.1 {answer.status} {answer.reason}\r\n") + 2
        wire = head + sum(len(name) + len(value) + 4 for name, value in fields) + len(content)
        return {name.lower(): value for name, value in fields}, content, wire

    def json(self, method, path, expected, headers=None, body=None):
        return json.loads(self.ask(method, path, expected, headers, body)[1])

    def buy(self, product, kind, **members):
        """What the simulated App Store answers to a purchase of the sample app's."""
        body = {"bundleID": APP, "productID": f"{APP}.{product}", "type": kind, **members}
        return self.json("POST", "/simulator/v1/purchases", 201, body=body)
