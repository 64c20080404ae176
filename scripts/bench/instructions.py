"""How many instructions the server executes for a request. scripts/bench/instructions.sh is what starts it."""

import argparse
import json
import os
import platform
import re
import shutil
import socket
import sqlite3
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from callgrind import Callgrind
from client import Client
from counted_histories import check_histories
from failure import Failure, folder_of, run_of
from machine import Cores
from plan import SMALL_FILE_BYTES
from process import output_of
from reads import ENTITLEMENTS, MANIFEST, PRODUCTS
from servers import BUNDLE_PRODUCT, Workspace
from shop import Player
from signer import Signer, payload

KEPT = Path(__file__).parent / "instructions.json"
# How far a count may be above the one that is kept.
TOLERANCE = 0.03
# Requests of one part of a measure, as many as make what the server does by itself little of it. The least of the parts
# counts: now and then that work is more than usual, which was 8 % of a receipt.
COUNTS = {"list": 1500, "unchanged": 1500, "small": 1500, "connection": 300, "manifest": 100,
          "entitlements": 100, "nonce": 100, "receipt": 60, "catalog": 30}
# As many products make a receipt cost hardly more than a few do.
CATALOG_PRODUCTS, MAXIMUM_CATALOG_RATIO, CATALOG_WITHIN = 10_000, 1.1, 120
# The sums of the day's reports are made anew after purchases, each 10 s: 20 to 60 % of a part of receipts. Of ten
# parts some have none of it, on a slow machine too; of three, not always.
PARTS, IDLE_SECONDS = {"receipt": 10, "catalog": 6}, 6
USUAL_PARTS = 3
TIME_LIMIT, HISTORIES_TIME_LIMIT = 900, 1800  # seconds, of the whole run
ANSWER_WITHIN = 60  # seconds


def parts_of(name):
    return PARTS.get(name, USUAL_PARTS)


def arguments():
    parser = argparse.ArgumentParser(prog="instructions.sh")
    parser.add_argument("--binary", required=True, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help=f"write what is counted to {KEPT.name}")
    parser.add_argument("--profiles", type=Path, help="a folder for the profiles, for callgrind_annotate")
    parser.add_argument(
        "--histories", action="store_true", help="count by how much an account had bought, and compare these counts")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"count this alone: {', '.join(COUNTS)}")
    options = parser.parse_args()
    for name in options.names:
        if name not in COUNTS:
            parser.error(f"{name} is none of {', '.join(COUNTS)}")
    if options.histories and (options.names or options.write or options.profiles):
        parser.error("--histories counts all of its own, and keeps nothing")
    return options


def say(text):
    print(f"instructions: {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def versions(binary):
    """On what a count depends besides the sources. libc and the cryptography choose code for the processor. Programs
    with Swift's libraries inside are those of make build, others those that make build-tests builds with the tests."""
    is_shared = "[libswiftCore.so]" in output_of("readelf", "--dynamic", "--wide", binary)
    swift = re.search(r"\((swift[^ )]*)", output_of("swift", "--version"))
    flags = set(Path("/proc/cpuinfo").read_text().split())
    return {
        "swift": swift[1] if swift else "unknown",
        "libc": " ".join(platform.libc_ver()),
        "sqlite": sqlite3.sqlite_version,
        "valgrind": output_of("valgrind", "--version").strip(),
        "processor": f"{platform.machine()}{' avx2' if 'avx2' in flags else ''}",
        "libraries": "shared" if is_shared else "static",
    }


def prepared(binary, folder):
    """A copy with names and without what valgrind cannot read."""
    named = binary.with_name(f"{binary.name}.debug")
    copy = folder / "quartermaster"
    output_of("strip", "-g", "-o", copy, named if named.exists() else binary)
    return copy


@dataclass(frozen=True)
class Request:
    """Sent in one piece, since two would be two reads."""

    head: str
    status: int
    body: str = ""
    # Of the answer; what it has to contain.
    length: int | None = None
    word: str = ""

    @property
    def content(self):
        length = f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\n" if self.body else ""
        return f"{self.head}Host: localhost\r\n{length}\r\n{self.body}".encode()

    def ask(self, connection):
        connection.sendall(self.content)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += received(connection)
        head, _, body = answer.partition(b"\r\n\r\n")
        found = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        length = int(found[1]) if found and self.status != 304 else 0
        while len(body) < length:
            body += received(connection)
        if not head.startswith(f"HTTP/1.1 {self.status} ".encode()) or self.word.encode() not in body or (
                self.length is not None and length != self.length):
            raise Failure(f"{self.head.split(' HTTP')[0].partition('?')[0]}: {head[:200]} {body[:300]}")


def received(connection):
    part = connection.recv(1 << 16)
    if not part:
        raise Failure("the server closed a connection")
    return part


class Load:
    """One client, which asks after each answer."""

    def __init__(self, port, requests, has_connection_each=False):
        self.port, self.requests, self.has_connection_each = port, requests, has_connection_each

    def run(self, count):
        connection = None
        for request in (next(self.requests) for _ in range(count)):
            connection = connection or socket.create_connection(("127.0.0.1", self.port), ANSWER_WITHIN)
            request.ask(connection)
            if self.has_connection_each:
                if connection.recv(1):
                    raise Failure("bytes after an answer")
                connection.close()
                connection = None
        if connection:
            connection.close()


class Loads:
    """By name: a generator of requests for each."""

    def __init__(self, server, signer):
        self.server, self.signer = server, signer
        self.player = Player.made(Client(server.port))
        [receipt] = signer.signed([payload(self.player.account, BUNDLE_PRODUCT, "Non-Consumable")])
        self.client.ask("POST", "/v1/receipts", 200, self.player.authorization, {"receipt": receipt})

    @property
    def client(self):
        return Client(self.server.port)

    def load(self, name, count):
        return Load(self.server.port, iter(getattr(self, name)(count)), name == "connection")

    @staticmethod
    def repeated(request):
        while True:
            yield request

    def get(self, path, *headers, status=200, **expected):
        return Request("\r\n".join([f"GET {path} HTTP/1.1", *headers, ""]), status, **expected)

    def list(self, _):
        return self.repeated(self.get(PRODUCTS))

    def connection(self, _):
        return self.repeated(self.get(PRODUCTS, "Connection: close"))

    def unchanged(self, _):
        tag = self.client.ask("GET", PRODUCTS, 200)[0]["etag"]
        return self.repeated(self.get(PRODUCTS, f"If-None-Match: {tag}", status=304))

    def manifest(self, _):
        return self.repeated(self.get(MANIFEST, f"Authorization: Bearer {self.player.token}", word="small.bin"))

    def entitlements(self, _):
        return self.repeated(self.get(ENTITLEMENTS, f"Authorization: Bearer {self.player.token}", word=BUNDLE_PRODUCT))

    def nonce(self, _):
        """Entitlements that are signed for each request."""
        headers = [f"Authorization: Bearer {self.player.token}", "Quartermaster-Nonce: 6f1c2a9e"]
        return self.repeated(self.get(ENTITLEMENTS, *headers, word=BUNDLE_PRODUCT))

    def small(self, _):
        manifest = self.client.json("GET", MANIFEST, 200, self.player.authorization)
        return self.repeated(self.get(manifest["files"][0]["url"], length=SMALL_FILE_BYTES))

    def receipt(self, count):
        """Each the first of a new account, without a notification before it."""
        client = self.client
        players = [Player.made(client) for _ in range(count)]
        receipts = self.signer.signed(payload(player.account) for player in players)
        for player, receipt in zip(players, receipts):
            head = f"POST /v1/receipts HTTP/1.1\r\nAuthorization: Bearer {player.token}\r\n"
            yield Request(head, 200, json.dumps({"receipt": receipt}), word='"outcome":"delivered"')

    def catalog(self, count):
        """The same, while the catalog has CATALOG_PRODUCTS."""
        return self.receipt(count)


def count_all(options, folder, names):
    """Instructions of one request each, without what the server does by itself meanwhile."""
    workspace = Workspace(folder, prepared(options.binary, folder), None, Cores.chosen())
    workspace.prepare(files={"small.bin": SMALL_FILE_BYTES})
    signer, callgrind = Signer(folder / "signer"), Callgrind(folder)
    # Without the simulated App Store, which does things each second.
    with workspace.serving(is_pinned=False, tracer=callgrind.command, roots=signer.root, has_store=False) as server:
        loads = Loads(server, signer)
        # One part more than is counted, to warm up.
        prepared_loads = {name: loads.load(name, COUNTS[name] * (1 + parts_of(name))) for name in names}
        for name, load in prepared_loads.items():
            load.run(COUNTS[name])
        callgrind.begin(server)
        rate = callgrind.idle_rate(IDLE_SECONDS, 2)
        say(f"{rate:,.0f} instructions a second by itself")
        for name, load in prepared_loads.items():
            if name == "catalog":
                rate = enlarged(workspace, callgrind)
                load.run(COUNTS[name])
            parts = [callgrind.counted(name, lambda: load.run(COUNTS[name])) for _ in range(parts_of(name))]
            least = min(parts, key=lambda part: part.beyond(rate))
            say(f"{name}: {', '.join(f'{part.instructions:,} in {part.seconds:.1f} s' for part in parts)}")
            if options.profiles:
                options.profiles.mkdir(parents=True, exist_ok=True)
                shutil.copy(least.profile, options.profiles / name)
            yield name, round(least.beyond(rate) / COUNTS[name])


def enlarged(workspace, callgrind):
    """Serves the large catalog; what the server executes by itself in a second then."""
    # To read it is not counted, and takes a tenth of the time.
    callgrind.control("--instr=off")
    workspace.enlarge(CATALOG_PRODUCTS, CATALOG_WITHIN)
    callgrind.control("--instr=on")
    rate = callgrind.idle_rate(IDLE_SECONDS, 2)
    say(f"{rate:,.0f} instructions a second by itself with {CATALOG_PRODUCTS:,} products")
    return rate


def costs_more_with_products(counts):
    """Whether a receipt costs much more in the large catalog than in the small one, where both were counted."""
    if "receipt" not in counts or "catalog" not in counts:
        return False
    return counts["catalog"] > counts["receipt"] * MAXIMUM_CATALOG_RATIO


def kept(entries, found):
    """What is kept for these versions, or else the newest of others."""
    for entry in entries:
        if entry["versions"] == found:
            return entry, True
    return (entries[0] if entries else {"versions": {}, "instructions": {}}), False


def merged(entries, found, counts):
    """The entries with the counts in that of these versions, which becomes the first."""
    entry, is_same = kept(entries, found)
    entries = [each for each in entries if each["versions"] != found]
    before = entry["instructions"] if is_same else {}
    instructions = {name: counts.get(name, before.get(name)) for name in COUNTS if name in counts or name in before}
    return [{"versions": found, "instructions": instructions}, *entries]


def report(entry, is_same, counts):
    """Prints the counts; the names of those that are too high."""
    if not is_same:
        print("other versions than those of instructions.json, so that nothing follows from a difference:")
        print(json.dumps(entry["versions"]))
    for name, count in counts.items():
        before = entry["instructions"].get(name)
        text = f"{before:>12,}  {count / before - 1:+.1%}" if before else f"{'-':>12}"
        print(f"{name:12}{count:>12,}{text}")
    changes = {name: counts[name] / before - 1 for name, before in entry["instructions"].items() if name in counts}
    if is_same and any(change < -TOLERANCE for change in changes.values()):
        print("fewer than before: keep it so with make bench-instructions WRITE=1")
    return [name for name, change in changes.items() if is_same and change > TOLERANCE]


def run(options):
    names = [name for name in COUNTS if name in options.names] or list(COUNTS)
    with folder_of("instructions") as folder:
        if options.histories:
            return check_histories(prepared(options.binary, folder), folder, say)
        counts = dict(count_all(options, folder, names))
    entries = json.loads(KEPT.read_text()) if KEPT.exists() else []
    found = versions(options.binary)
    print(json.dumps(found))
    too_high = report(*kept(entries, found), counts)
    if costs_more_with_products(counts):
        raise Failure(
            f"a receipt costs more than {MAXIMUM_CATALOG_RATIO} times as much with {CATALOG_PRODUCTS:,} products")
    if options.write:
        KEPT.write_text(json.dumps(merged(entries, found, counts), indent=2) + "\n")
    elif too_high:
        raise Failure(f"more than {TOLERANCE:.0%} above instructions.json: {', '.join(too_high)}")


def main():
    os.environ.pop("VALGRIND_OPTS", None)
    options = arguments()
    with run_of("instructions", HISTORIES_TIME_LIMIT if options.histories else TIME_LIMIT):
        run(options)


if __name__ == "__main__":
    main()
