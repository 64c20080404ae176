"""What is only read: product list, manifest, content."""

from dataclasses import dataclass, field
from functools import partial

import wrk
from client import Client
from failure import Failure
from plan import (
    CONNECTIONS, LARGE_CONNECTIONS, LARGE_FILE_BYTES, PRODUCT_COUNT, RANGE_BYTES, UNPINNED_CONNECTIONS)
from rounds import BYTES, REQUESTS, Result, compared, timed, undisturbed
from servers import APP, BUNDLE

PRODUCTS = f"/v1/apps/{APP}/products"
MANIFEST = f"/v1/bundles/{BUNDLE}"
ENTITLEMENTS = "/v1/entitlements"
# Dates and request IDs are as long each time, so that an answer of another length is another answer.
TOLERANCE = 0.02


@dataclass(frozen=True)
class Question:
    """What is asked of one server over and over, and how long the answer to it is."""

    process: object
    path: str
    wire: int
    headers: dict = field(default_factory=dict)
    connections: int = CONNECTIONS
    script: str = "report.lua"
    arguments: tuple = ()

    def load(self, core, seconds):
        url = f"http://127.0.0.1:{self.process.port}{self.path}"
        load = wrk.run(url, core, seconds, self.connections, self.headers, self.script, self.arguments)
        if not can_be(load.bytes, load.requests, self.wire, self.connections):
            raise Failure(
                f"{self.path.partition('?')[0]}: {load.requests} answers of {self.wire} bytes cannot be {load.bytes}")
        return load


def can_be(size, answers, wire, connections):
    """Whether so many answers of `wire` bytes each can have been so many bytes."""
    least = answers * wire
    # Those that were under way at the end were read in part.
    most = least + connections * wire
    return least * (1 - TOLERANCE) <= size <= most * (1 + TOLERANCE)


class Reads:
    def __init__(self, plan, cores, server, nginx, player):
        self.plan, self.cores, self.server, self.nginx, self.player = plan, cores, server, nginx, player

    def round(self, question, unit):
        work_of = (lambda load: load.bytes) if unit is BYTES else (lambda load: load.requests)
        load = partial(question.load, self.cores.load, self.plan.seconds)
        return undisturbed(partial(timed, question.process, load, work_of), self.plan.tries)

    def measure(self, name, unit, ours, nginx=None):
        for question in filter(None, (ours, nginx)):
            question.load(self.cores.load, self.plan.warm_up_seconds)
        ask = partial(self.round, ours, unit)
        if nginx is None:
            return Result(name, unit, [ask() for _ in range(2 * self.plan.quadruples)])
        return Result(name, unit, *compared(self.plan, ask, partial(self.round, nginx, unit)))

    def product_list(self):
        pair = self.pair(PRODUCTS, "/products")
        return self.measure(f"product list of {PRODUCT_COUNT}", REQUESTS, *pair)

    def unpinned_list(self):
        pair = self.pair(PRODUCTS, "/products", connections=UNPINNED_CONNECTIONS)
        return self.measure("the same, unpinned", REQUESTS, *pair)

    def new_connections(self):
        pair = self.pair(PRODUCTS, "/products", headers={"Connection": "close"})
        return self.measure("a connection each", REQUESTS, *pair)

    def unchanged_list(self):
        pair = [
            self.question(process, path, 304, {"If-None-Match": self.tag(process, path)})
            for process, path in ((self.server, PRODUCTS), (self.nginx, "/products"))
        ]
        return self.measure("product list, 304", REQUESTS, *pair)

    def manifest(self):
        return self.measure("manifest", REQUESTS, self.question(self.server, MANIFEST, 200, self.player.authorization))

    def small_file(self):
        return self.measure("file, 16 KiB", REQUESTS, *self.pair(*self.links("small.bin")))

    def medium_file(self):
        return self.measure("file, 1 MiB", BYTES, *self.pair(*self.links("medium.bin"), connections=LARGE_CONNECTIONS))

    def large_file(self):
        return self.measure("file, 64 MiB", BYTES, *self.pair(*self.links("large.bin"), connections=LARGE_CONNECTIONS))

    def ranges(self):
        pair = [
            self.question(
                process, path, 206, probe={"Range": f"bytes=0-{RANGE_BYTES - 1}"}, connections=LARGE_CONNECTIONS,
                script="ranges.lua", arguments=(LARGE_FILE_BYTES, RANGE_BYTES))
            for process, path in zip((self.server, self.nginx), self.links("large.bin"))
        ]
        return self.measure("ranges, 256 KiB", BYTES, *pair)

    def pair(self, ours, nginx, **options):
        """The same bytes from both."""
        contents = [Client(process.port).ask("GET", path, 200)[1]
                    for process, path in ((self.server, ours), (self.nginx, nginx))]
        if contents[0] != contents[1]:
            raise Failure(f"{ours.partition('?')[0]}: nginx has other bytes")
        return [self.question(self.server, ours, 200, **options), self.question(self.nginx, nginx, 200, **options)]

    def question(self, process, path, status, headers=None, probe=None, **options):
        wire = Client(process.port).ask("GET", path, status, {**(headers or {}), **(probe or {})})[2]
        return Question(process, path, wire, headers or {}, **options)

    def tag(self, process, path):
        return Client(process.port).ask("GET", path, 200)[0]["etag"]

    def links(self, file):
        """The server's, a fresh one, since it is good for minutes only, and nginx's."""
        manifest = Client(self.server.port).json("GET", MANIFEST, 200, self.player.authorization)
        return next(each["url"] for each in manifest["files"] if each["path"] == file), self.nginx.link(file)
