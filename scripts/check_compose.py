"""The walk through what compose.yaml describes. scripts/check-compose.sh starts it, in a network of its own."""

import hashlib
import json
import shutil
import signal
import ssl
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from urllib.request import urlopen

import compose
from client import Client
from composed import CONTENT_HOST, FILE, SHOP, Machine, run
from failure import Failure
from interruption import clean_up_when_interrupted
from players import APP, CREDITS
from replicas import fetch, simulator
from shop import Player

ALONE = "compose.single.yaml"
BUNDLE, PRODUCT, HINTS = "hard-words", "hardwords", "tenhints"
SERVERS = ("server-1", "server-2")
# Until each server has looked at the catalog and the bucket.
SEEN_WITHIN = 15  # seconds
TIME_LIMIT = 300  # seconds
BUYERS = 8  # so that some wait for an answer when a server is killed
AWAY = 1  # seconds, of each server


class Visitor:
    """A player, by nginx alone."""

    def __init__(self, machine, store):
        self.machine, self.store = machine, Client(store.port)
        self.trust = ssl.create_default_context(cafile=machine.folder / "chain.pem")
        self.player = Player.made(self.client)

    @property
    def client(self):
        return Client(443, self.trust)

    def ask(self, path):
        return self.client.json("GET", path, 200, self.player.authorization)

    def buys(self, product, kind):
        receipt = self.player.buys(self.store, f"{APP}.{product}", kind)
        return self.client.json("POST", "/v1/receipts", 200, self.player.authorization, {"receipt": receipt})

    def downloads(self):
        manifest = self.ask(f"/v1/bundles/{BUNDLE}")
        for file in manifest["files"]:
            link = self.client.ask("GET", file["url"], 303)[0]["location"]
            if not link.startswith(f"https://{CONTENT_HOST}/"):
                raise Failure(f"players are sent to {link.partition('?')[0]}")
            with urlopen(link, context=self.trust, timeout=30) as answer:
                if hashlib.sha256(answer.read()).hexdigest() != file["sha256"]:
                    raise Failure(f"{file['path']} has other bytes")
        return manifest["version"]


def sees(what, look):
    deadline = time.monotonic() + SEEN_WITHIN
    while not look():
        if time.monotonic() > deadline:
            raise Failure(f"{what} is not seen within {SEEN_WITHIN} seconds")
        time.sleep(0.2)


def change_shop(machine, visitor):
    """As the head of compose.yaml says."""
    catalog = json.loads((SHOP / "products.json").read_text())
    catalog["apps"][0]["products"].append({"id": f"{APP}.more", "type": "consumable", "credits": {"hints": 1}})
    (SHOP / "products.json").write_text(json.dumps(catalog))
    machine.once("tool", "catalog", "push", "products.json")
    for name in SERVERS:
        address = compose.address(machine.services[name])
        client = Client(8080, source=address, host=address)
        sees(f"the new product at {name}", lambda: f"{APP}.more" in client.json(
            "GET", f"/v1/apps/{APP}/products", 200)["productIDs"])
    shutil.copytree(SHOP / "content" / BUNDLE / "1.0.0", SHOP / "content/new")
    (SHOP / "content/new/words.txt").write_text("zyzzyva\n")
    machine.once("tool", "bundles", "publish", "content/new", "--bundle", BUNDLE, "--version", "1.1.0")
    sees("the new version", lambda: visitor.downloads() == "1.1.0")


def check_next_up(machine):
    """The content is published anew at each `up`, and what was withdrawn stays so."""
    machine.once("tool", "bundles", "yank", BUNDLE, "1.0.0")
    machine.once("content")
    listed = json.loads(machine.once("tool", "bundles", "list", "--json"))
    versions = next(each["versions"] for each in listed if each["bundle"] == BUNDLE)
    if [each["state"] for each in versions if each["version"] == "1.0.0"] != ["yanked"]:
        raise Failure(f"a version that was yanked came back: {versions}")


def check_strangers(machine, visitor):
    """What nginx keeps from them."""
    for path in ["/metrics", "/metrics/", "//metrics"]:
        visitor.client.ask("GET", path, 404)
    visitor.client.ask("GET", "/admin/v1/accounts", 401)  # This address may; the server asks for a token.
    Client(443, visitor.trust, "127.0.0.2").ask("GET", "/admin/v1/accounts", 403)
    said = run(
        "curl", "--silent", "--cacert", machine.folder / "chain.pem", "--resolve", f"{CONTENT_HOST}:443:127.0.0.1",
        "--upload-file", "README.md", f"https://{CONTENT_HOST}/quartermaster/content/stranger")
    if "<title>403" not in said:
        raise Failure(f"a stranger writes to the store, and is told {said[:200]}")


def check_update(buyers, stacks, machine):
    """One server after the other is gone and comes back, and whoever buys meanwhile notices nothing."""
    done = Event()

    def buying(visitor):
        count = 0
        while not done.is_set():
            visitor.buys(HINTS, "consumable")
            count += 1
        return visitor, count

    with ThreadPoolExecutor(len(buyers)) as pool:
        bought = [pool.submit(buying, visitor) for visitor in buyers]
        try:
            for name, (stack, process) in stacks.items():
                if name == SERVERS[-1]:
                    process.popen.kill()  # The others are stopped.
                stack.close()
                time.sleep(AWAY)
                stack.enter_context(machine.server(name))
        finally:
            done.set()
    for visitor, count in (each.result() for each in bought):
        hints = visitor.ask("/v1/entitlements")["balances"]["hints"]
        if hints != count * CREDITS[HINTS]:
            raise Failure(f"{count} purchases came to {hints} hints")


def walk(machine, store):
    with ExitStack() as stack:
        stack.enter_context(machine.database())
        stack.enter_context(machine.store())
        stack.enter_context(machine.front())
        machine.once("content")
        stacks = {}
        for name in SERVERS:
            server = stack.enter_context(ExitStack())
            stacks[name] = server, server.enter_context(machine.server(name))
        visitor = Visitor(machine, store)
        visitor.buys(PRODUCT, "non-consumable")
        if visitor.downloads() != "1.0.0":
            raise Failure("another version than the one that was published")
        change_shop(machine, visitor)
        check_next_up(machine)
        check_strangers(machine, visitor)
        check_update([Visitor(machine, store) for _ in range(BUYERS)], stacks, machine)


def main():
    clean_up_when_interrupted()
    signal.alarm(TIME_LIMIT)
    binary, nginx = sys.argv[1:]
    Path("var").mkdir(exist_ok=True)
    compose.check(ALONE, compose.load(ALONE, {}))
    with TemporaryDirectory(dir="var", prefix="check-compose.") as folder:
        machine = Machine(Path(folder).resolve(), binary, nginx)
        compose.check(FILE, machine.services)
        machine.prepare()
        with simulator(binary, machine.folder) as store:
            machine.roots.write_bytes(fetch(store.port, "/simulator/v1/root.cer"))
            walk(machine, store)
    print("check-compose: the shop is served by both servers and by either, and its files come from the store")


try:
    main()
except (Failure, OSError) as error:
    sys.exit(f"check-compose: {error}")
