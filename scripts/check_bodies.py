"""What request bodies cost the server: time of its processor, and memory. check-bodies.sh starts it.

Starts the server on a fresh ledger and sends, to every route that takes any, bodies that are deep, that have a
million members, and a million empty arrays, each as large as the route takes it: none may take more than MAXIMUM_TIME of
the server's processor, the best of three. Then 500 connections hold bodies that do not end: the server may not grow beyond
MAXIMUM_MEMORY, refuses the rest by 503, and goes on answering. Ends with 1 if anything is not so.
"""

import json
import re
import socket
import sys
import time
import uuid
from http.client import HTTPConnection
from pathlib import Path

from failure import folder_of, run_of
from process import free_ports, output_of, places, serving, stock

MAXIMUM_TIME = 0.050
MAXIMUM_MEMORY = 200 << 20
HELD = 500
SMALL, PRODUCT, MANIFEST = 16 << 10, 64 << 10, 4 << 20
RECEIPT, RESTORE = (3 << 20) + (64 << 10), 16 << 20

# The largest body of each kind; those that are not here are small ones.
SIZES = {
    "PostBody": RECEIPT, "RestoreBody": RESTORE, "NotificationBody": 4 << 20, "ProductEntry": PRODUCT,
    "DraftBody": MANIFEST,
}
# Every route that is not for reading, and the kind of body that it takes; a test compares it with the router.
TABLE = Path("Tests/ServerHTTPTests/HTTP/BodyCostTests.swift")
SETTINGS = ["LOG_LEVEL=error", "TRUSTED_PROXIES=127.0.0.0/8", *(
    f"LIMITS_{name}_PER_MINUTE=off" for name in ("RECEIPTS", "NOTIFICATIONS", "RECOVERY_CODES"))]
PARTS = {
    "{bundleID}": "com.example.hangman", "{id}": "x", "{name}": "hard-words", "{currency}": "hints",
    "{version}": "9.0.0", "{sha256}": "0" * 64, "{environment}": "Production", "{originalID}": "1",
}


def filled(size, piece):
    return b'{"metadata":[' + (piece + b",") * ((size - 24) // (len(piece) + 1)) + b"0]}"


def members(size):
    text = b"".join(b'"%d":0,' % number for number in range(min(1_000_000, size // 5)))
    return b'{"a":{' + text[: size - 32].rpartition(b",")[0] + b"}}"


def text(size, name, piece):
    return b'{"%s":"' % name + piece * ((size - 32) // len(piece)) + b'"}'


BODIES = {
    "500 deep": lambda size: filled(size, b"[" * 500 + b"]" * 500),
    "objects 500 deep": lambda size: filled(size, b'{"a":' * 500 + b"1" + b"}" * 500),
    "deepest that is read": lambda size: filled(size, b"[" * 30 + b"]" * 30),
    "a million elements": lambda size: filled(size, b"0"),
    "a million empty arrays": lambda size: filled(size, b"[]"),
    "a million members": members,
    "one long text": lambda size: text(size, b"x", b"a"),
    "escapes": lambda size: text(size, b"receipt", b"\\u0061"),
    "a wrapper in the receipt": lambda size: text(size, b"receipt", b'{\\"Store\\":'),
    "arrays in the receipt": lambda size: text(size, b"receipt", b"[" * 500),
    "base64 in the receipt": lambda size: b'{"receipt":"MIAGCSqGSIb3' + b"BQAF" * ((size - 64) // 4) + b'"}',
}


class Server:
    def __init__(self, process, admin):
        self.process, self.port, self.admin = process, process.port, admin
        self.player = json.loads(self.ask("POST", "/v1/accounts")[1])

    def ask(self, method, path, body=None, token=None, address=None):
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if address:
            headers["X-Forwarded-For"] = address
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def routes(self):
        """Method, route, kind of body, and the path with something in the places of the route."""
        rows = re.findall(r'^        "([A-Z]+) (/\S+)": "([^"]+)",$', TABLE.read_text(), re.MULTILINE)
        assert len(rows) > 20
        for method, route, kind in rows:
            path = route.replace("{account}", self.player["account"])
            for name, value in PARTS.items():
                path = path.replace(name, value)
            yield method, route, kind, path

    def memory(self):
        status = Path(f"/proc/{self.process.popen.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) << 10


def measure(server, method, path, body, token):
    """The status, and the processor time of the best of three."""
    times = []
    for _ in range(3):
        before = server.process.exact_cpu_seconds()
        try:
            status = server.ask(method, path, body, token)[0]
        except OSError:
            # It answered and closed while the rest was on its way.
            status = 0
        time.sleep(0.02)
        times.append(server.process.exact_cpu_seconds() - before)
        if times[-1] <= MAXIMUM_TIME:
            break
    return status, min(times)


def check_times(server):
    failures, count, worst = 0, 0, (0, "")
    made = {}
    for method, route, kind, path in server.routes():
        if kind == "file":
            continue
        size = SIZES.get(kind, SMALL)
        token = server.admin if path.startswith("/admin") else server.player["accessToken"]
        if route.startswith("/v1/sessions/"):
            token = None  # It would end the session.
        for name, make in BODIES.items():
            body = made.setdefault((name, size), make(size))
            assert len(body) <= size, (name, len(body), size)
            status, used = measure(server, method, path, body, token)
            count += 1
            worst = max(worst, (used, f"{method} {route}, {name}"))
            if used > MAXIMUM_TIME or status >= 500 and status != 501:
                failures += 1
                print(f"check-bodies: {method} {route}, {name}: {status}, {used * 1000:.1f} ms", file=sys.stderr)
    print(f"bodies: {count} sent; the most that one cost: {worst[0] * 1000:.1f} ms, {worst[1]}")
    return failures


def check_memory(server):
    """Bodies that do not end, a tenth from each of ten addresses."""
    before, held, refused = server.memory(), [], 0
    piece = b" " * (1 << 20)
    for number in range(HELD):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.settimeout(10)
        head = (
            f"POST /v1/restore HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {server.player['accessToken']}\r\n"
            f"X-Forwarded-For: 198.51.100.{number % 10}\r\nContent-Length: {RESTORE}\r\n\r\n")
        try:
            connection.sendall(head.encode() + piece * 2)
        except OSError:
            pass
        held.append(connection)
    time.sleep(1)
    for connection in held:
        connection.setblocking(False)
        try:
            refused += connection.recv(100).startswith(b"HTTP/1.1 503")
        except OSError:
            pass
    memory = server.memory()
    status = server.ask(
        "POST", "/v1/sessions", json.dumps({"recoveryCode": server.player["recoveryCode"]}), address="198.51.100.99")[0]
    for connection in held:
        connection.close()
    print(
        f"bodies: {HELD} held: {memory >> 20} MiB, {before >> 20} before; {refused} refused by 503; a session "
        f"beside them: {status}")
    return (memory > MAXIMUM_MEMORY) + (refused == 0) + (status != 201)


def main(binary):
    environment = [f"QUARTERMASTER_{setting}" for setting in SETTINGS]
    with run_of("check-bodies"), folder_of("qm-bodies", None) as folder:
        stock(folder)
        with serving(binary, folder, *free_ports(2), environment) as process:
            create = ("admin-token", "create", "--name", "check", "--role", "write")
            server = Server(process, output_of(binary, *create, *places(folder)).strip())
            return 1 if check_memory(server) + check_times(server) else 0


sys.exit(main(sys.argv[1]))
