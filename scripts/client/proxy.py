"""A network between client and server that cuts, stalls, lies and steals."""

import json
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = 64 << 10  # bytes
STALL = 25  # seconds: longer than the client waits


class Proxy(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port, target):
        super().__init__(("127.0.0.1", port), Handler)
        self.target = target
        # request -> act, a tuple whose first member is its name
        self.decide = lambda request: ("forward",)
        # Bytes a second of each answer with content; None is as fast as it goes.
        self.rate = None
        self.lock = threading.Lock()
        self.sent = []  # (SHA-256, first byte, bytes sent, bytes that were asked for)
        self.acts = {}

    def note(self, name):
        with self.lock:
            self.acts[name] = self.acts.get(name, 0) + 1

    def handle_error(self, request, client_address):
        """A client that goes away is what this is about."""


class Request:
    def __init__(self, handler, body):
        self.method, self.path, self.headers, self.body = handler.command, handler.path, handler.headers, body
        self.route = self.path.partition("?")[0]
        self.is_content = self.route.startswith("/v1/content/")
        self.is_manifest = self.method == "GET" and self.route.startswith("/v1/bundles/")
        self.is_spend = self.route.endswith("/spend")
        self.sha256 = self.route.rpartition("/")[2] if self.is_content else None
        self.first = 0
        if self.is_content and (asked := self.headers.get("Range")):
            self.first = int(asked.removeprefix("bytes=").partition("-")[0])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def exchange(self):
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(self, self.rfile.read(length))
        act, *details = self.server.decide(request)
        self.server.note(act)
        try:
            getattr(self, act)(request, *details)
        except (OSError, HTTPException):
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = exchange

    def ask(self, request, without=()):
        connection = HTTPConnection("127.0.0.1", self.server.target, timeout=60)
        fields = {
            name: value for name, value in request.headers.items()
            if name.lower() not in {"host", "connection", "content-length", *without}}
        connection.request(request.method, request.path, request.body or None, fields)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.getheaders(), body

    def send(self, request, status, fields, body, length=None, upto=None):
        """Sends the answer; with `upto` so many bytes of the body only."""
        self.send_response_only(status)
        for name, value in fields:
            if name.lower() not in {"content-length", "connection", "transfer-encoding"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        part = body if upto is None else body[:upto]
        done = 0
        try:
            while done < len(part):
                piece = part[done:done + PIECE]
                self.connection.sendall(piece)
                done += len(piece)
                if request.is_content and self.server.rate:
                    time.sleep(len(piece) / self.server.rate)
        finally:
            if request.is_content:
                with self.server.lock:
                    self.server.sent.append((request.sha256, request.first, done, len(body)))

    # Acts

    def forward(self, request):
        self.send(request, *self.ask(request))

    def lose(self, request):
        """The server does it, and nobody hears of it."""
        self.ask(request)
        self.hang_up()

    def cut(self, request, share, after=0):
        status, fields, body = self.ask(request)
        self.send(request, status, fields, body, upto=int(len(body) * share))
        time.sleep(after)
        self.hang_up()

    def stall(self, request, share):
        self.cut(request, share, STALL)

    def truncate(self, request, share):
        """Fewer bytes, as if they were all."""
        status, fields, body = self.ask(request)
        self.send(request, status, fields, body[:int(len(body) * share)])

    def flip(self, request, share):
        status, fields, body = self.ask(request)
        changed = bytearray(body)
        if changed:
            changed[min(int(len(body) * share), len(body) - 1)] ^= 1
        self.send(request, status, fields, bytes(changed))

    def whole(self, request):
        """200 to a range."""
        request.first = 0
        self.send(request, *self.ask(request, without={"range", "if-range"}))

    def manifest(self, request, change):
        """The server's manifest, changed."""
        status, fields, body = self.ask(request, without={"if-none-match", "accept-encoding"})
        if status == 200:
            body = json.dumps(change(json.loads(body))).encode()
            fields = [(name, value) for name, value in fields if name.lower() != "etag"]
        self.send(request, status, fields, body)

    def hang_up(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
