"""Plays what check-client.sh says, and prints what was seen."""

import argparse
import json
import os
import random
import shutil
import threading
import time
from pathlib import Path

from client import APP, Client
from failure import Failure, folder_of, run_of
from game import Game, Shelf, hashes
from link import Link
from process import cpu_seconds, eventually, free_ports, output_of, places, serving, stock
from proxy import Proxy

SERVER_FILES = Path("examples/Hangman/Server")
MIB = 1 << 20
# Of the bundle that is downloaded again and again.
FILES = {"a.bin": 11 * MIB, "b.bin": 6 * MIB, "c.bin": 3 * MIB - 70_000, "d.bin": 60_000, "e/f.txt": 10_000}
RATE = 24 * MIB  # bytes a second
KILLED_SHARE = 0.4
BROKEN_SHARE = 0.25
MEMORY = 64 * MIB  # above the start
START_BYTES = 4_096  # most are entitlements, which are signed for each start
SLOW_RATE, SLOW_SECONDS, SLOW_CORE = MIB, 10, 0.1  # bytes a second; how much of a core they may take
STALLS = 3


class World:
    """A server with the game's products, and two bundles of noise besides."""

    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.port, self.store_port, proxy_port = free_ports(3)
        self.proxy = Proxy(proxy_port, self.port)
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.url, self.store_url = f"http://127.0.0.1:{proxy_port}", f"http://127.0.0.1:{self.store_port}"
        stock(folder, SERVER_FILES)
        catalog = json.loads((SERVER_FILES / "products.json").read_text())
        for name in ("big", "huge"):
            catalog["apps"][0]["products"].append({"id": f"{APP}.{name}", "type": "non-consumable", "bundles": [name]})
        (folder / "products.json").write_text(json.dumps(catalog))
        self.versions = {"1.0.0": self.write("big", "1.0.0", FILES)}
        self.huge = {"1.0.0": self.write("huge", "1.0.0", {"huge.bin": options.huge * MIB})}

    def write(self, bundle, version, files):
        folder = self.folder / "content" / bundle / version
        for name, size in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("wb") as file:
                for _ in range(size // MIB):
                    file.write(os.urandom(MIB))
                file.write(os.urandom(size % MIB))
        return hashes(folder)

    def publish_next(self):
        """A version with another word in one file: all else is as it was."""
        new = self.folder / "new"
        shutil.copytree(self.folder / "content" / "big" / "1.0.0", new)
        (new / "e/f.txt").write_bytes(os.urandom(10_000))
        self.versions["1.1.0"] = hashes(new)
        output_of(self.options.binary, "bundles", "publish", new, "--bundle", "big", "--version", "1.1.0",
                  *places(self.folder))

    def serving(self):
        return serving(self.options.binary, self.folder, self.port, self.store_port)

    def game(self, home):
        return Game(self.options.game, self.url, self.store_url, home)

    def set_clock(self, offset):
        Client(self.store_port).ask("POST", "/simulator/v1/clock", 200, body={"offsetSeconds": offset})

    def manifest(self, home):
        """The manifest as the server has it now for the player of that home."""
        token = json.loads((home / "account.json").read_text())["accessToken"]
        return Client(self.port).json(
            "GET", "/v1/bundles/big?appVersion=1.0.0", 200, {"Authorization": f"Bearer {token}"})


def check_types(world, home):
    """Each type is bought, and comes back in a second folder with the code."""
    game = world.game(home)
    for product in ("tenhints", "hardwords", "nighttheme.month", "club.monthly", "big", "huge"):
        game.expect(f"buy {APP}.{product}", "delivered")
    code = game.ask("code").split()[-1]
    first = game.status
    game.quit()
    second = world.game(home.with_name("second"))
    second.ask(f"restore {code}")
    status = second.status
    second.quit()
    for member in ("account", "balances", "products"):
        if status[member] != first[member]:
            raise Failure(f"the second folder has {member}: {status[member]}, the first {first[member]}")
    return f"six products bought; the second folder has the same {len(status['products'])} products and {status['balances']}"


def check_start(world, home):
    """A client that is up to date and starts asks for little."""
    # The first start of a home sends what the customer bought before, once.
    start_bytes(world, home)
    count = start_bytes(world, home)
    if not 0 < count <= START_BYTES:
        raise Failure(f"an up-to-date start took {count} bytes, more than {START_BYTES}")
    return f"{count} bytes both ways at an up-to-date start"


def start_bytes(world, home):
    """The bytes both ways from a start until nothing comes any more."""
    link = Link(*free_ports(1), world.port)
    link.open()
    game = Game(world.options.game, f"http://127.0.0.1:{link.port}", world.store_url, home)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not (link.sent and time.monotonic() - link.last > 2):
        time.sleep(0.1)
    game.quit()
    return link.sent + link.received


class Downloads:
    """The bundle is downloaded again and again, through trouble and kills."""

    def __init__(self, world, home, old, random_number):
        self.world, self.home, self.old, self.random = world, home, old, random_number
        self.shelf = Shelf(home)
        self.kills = self.stalls = 0
        self.again = []  # shares of the bundle that were fetched twice, where nothing but kills was in the way

    def run(self, count):
        for number in range(count):
            self.shelf.forget_content()
            only_kills = number % 3 == 0
            self.world.proxy.sent.clear()
            self.world.proxy.rate = RATE
            self.world.proxy.decide = (lambda request: ("forward",)) if only_kills else self.decide
            kills = self.download()
            if only_kills:
                self.check_repeats(kills)
        self.world.proxy.decide = lambda request: ("forward",)

    def download(self):
        """Until it is installed. Returns how often the client was killed."""
        kills = 0
        while True:
            game = self.world.game(self.home)
            if self.random.random() < KILLED_SHARE and kills < 5:
                game.send("install big")
                time.sleep(self.random.uniform(0.05, 1.2))
                game.kill()
                kills += 1
                self.kills += 1
                self.shelf.expect_whole("big", self.world.versions)
                continue
            answer = game.ask("install big")
            game.quit()
            version = self.shelf.expect_whole("big", self.world.versions)
            if "installed" in answer:
                if version != "1.1.0":
                    raise Failure(f"{answer!r}, and {version} is there")
                return kills

    def check_repeats(self, kills):
        """At most one piece of each file is fetched again for each kill."""
        by_file = {}
        for sha256, first, count, asked in self.world.proxy.sent:
            by_file.setdefault(sha256, []).append((first, count, asked))
        again = 0
        for sha256, pieces in by_file.items():
            total = sum(count for _, count, _ in pieces)
            size = max(first + asked for first, _, asked in pieces)
            largest = max(asked for _, _, asked in pieces)
            if total - size > kills * largest:
                raise Failure(f"{total - size} bytes of {size} were fetched again after {kills} kills, pieces {largest}")
            again += max(0, total - size)
        self.again.append(again)

    def decide(self, request):
        if request.is_manifest and self.random.random() < BROKEN_SHARE:
            return "manifest", self.random.choice([self.expired, self.mixed, self.altered])
        if not request.is_content or self.random.random() > BROKEN_SHARE:
            return ("forward",)
        share = self.random.random()
        act = self.random.choice(["cut", "cut", "truncate", "flip", "whole", "lose", "stall"])
        if act == "stall":
            self.stalls += 1
            act = act if self.stalls <= STALLS else "cut"
        return (act,) if act in ("whole", "lose") else (act, share)

    def expired(self, manifest):
        """All as it was three days ago."""
        return {**manifest, **self.old}

    def mixed(self, manifest):
        """An old manifest that is said to be fresh."""
        return {**manifest, "signed": self.old["signed"]}

    def altered(self, manifest):
        """Another signature over the same files."""
        head, payload, signature = manifest["signed"].split(".")
        return {**manifest, "signed": f"{head}.{payload}.{signature[::-1]}"}


def check_downloads(world, home, options, random_number):
    # A manifest whose statement of freshness has expired.
    world.set_clock(-3 * 86_400)
    old = {name: world.manifest(home)[name] for name in ("signed", "fresh", "version", "files")}
    world.set_clock(0)
    present = world.manifest(home)
    world.publish_next()
    eventually("the new version is not published", 60, lambda: world.manifest(home)["version"] == "1.1.0", every=0.5)
    downloads = Downloads(world, home, old, random_number)
    downloads.run(options.downloads)
    check_rollback(world, home, present)
    again = sorted(downloads.again)
    return (f"{options.downloads} downloads of {sum(FILES.values()) / MIB:.0f} MiB, {downloads.kills} kills, acts of the "
            f"network {dict(sorted(world.proxy.acts.items()))}; bytes fetched again where only kills were in the way: "
            f"median {again[len(again) // 2]:,}, most {again[-1]:,}")


def check_rollback(world, home, earlier):
    """Who has the new version is not shown the old one as if it were the newest."""
    shelf = Shelf(home)
    world.proxy.decide = lambda request: (
        ("manifest", lambda _: earlier) if request.is_manifest else ("forward",))
    game = world.game(home)
    answer = game.ask("install big")
    game.quit()
    world.proxy.decide = lambda request: ("forward",)
    if shelf.expect_whole("big", world.versions) != "1.1.0":
        raise Failure(f"an earlier manifest took the new version away: {answer!r}")


def check_slow(world, home):
    """A download over a slow network leaves the processor alone."""
    world.proxy.rate = SLOW_RATE
    game = world.game(home)
    game.send("install huge")
    time.sleep(3)
    before = cpu_seconds(game.process.pid)
    time.sleep(SLOW_SECONDS)
    core = (cpu_seconds(game.process.pid) - before) / SLOW_SECONDS
    game.kill()
    world.proxy.rate = None
    if core > SLOW_CORE:
        raise Failure(f"a download at {SLOW_RATE / MIB:.0f} MiB/s takes {core:.0%} of a core, more than {SLOW_CORE:.0%}")
    return f"a download at {SLOW_RATE / MIB:.0f} MiB/s takes {core:.1%} of a core"


def check_memory(world, home):
    world.proxy.rate = None
    game = world.game(home)
    game.ask("status")
    before = game.peak()
    game.expect("install huge", "installed")
    more = game.peak() - before
    game.quit()
    Shelf(home).expect_whole("huge", world.huge)
    if more > MEMORY:
        raise Failure(f"a file of {world.options.huge} MiB took {more / MIB:.0f} MiB of memory")
    return f"a file of {world.options.huge} MiB takes {more / MIB:.1f} MiB of memory above the start"


def check_spends(world, home, count):
    """Each answer is lost, sometimes the client is killed as well: each hint is paid once."""
    game = world.game(home)
    before = game.status["balances"]["hints"]
    for _ in range(max(0, count - before) // 100 + 1):
        game.expect(f"buy {APP}.hundredhints", "delivered")
    before = game.status["balances"]["hints"]
    lost = []
    paid = 0
    while len(lost) < count:
        world.proxy.decide = lambda request: (
            ("lose",) if request.is_spend and not lost.append(request.headers["Idempotency-Key"]) else ("forward",))
        game.ask("play")
        game.ask("hint")
        if len(lost) % 7 == 0:
            game.kill()
        else:
            game.quit()
        world.proxy.decide = lambda request: ("forward",)
        game = world.game(home)
        # Asked again, it is the same hint.
        game.ask("hint")
        paid = len(set(lost))
        left = game.status["balances"]["hints"]
        if left != before - paid:
            raise Failure(f"{paid} hints of {before} were paid, and {left} are left, after {len(lost)} lost answers")
    game.quit()
    return f"{len(lost)} lost answers of {paid} spends: {before} hints became {before - paid}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--game", type=Path, required=True)
    for name in ("downloads", "spends", "huge"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    options = parser.parse_args()
    print(f"check-client: seed {options.seed}", flush=True)
    with folder_of("quartermaster-client", None) as folder:
        home = folder / "home"
        world = World(folder, options)
        with world.serving():
            for name, check in (
                    ("types", lambda: check_types(world, home)),
                    ("start", lambda: check_start(world, home)),
                    ("spends", lambda: check_spends(world, home, options.spends)),
                    ("slow", lambda: check_slow(world, home)),
                    ("memory", lambda: check_memory(world, home)),
                    ("downloads", lambda: check_downloads(world, home, options, random.Random(options.seed)))):
                began = time.monotonic()
                print(f"check-client: {name}: {check()} ({time.monotonic() - began:.0f} s)", flush=True)


with run_of("check-client"):
    main()
