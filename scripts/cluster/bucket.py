"""The object store that all servers have their content in, and what players load from it."""

import hashlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from client import Client
from failure import Failure
from process import output_of

PYTHON, SERVER = ".build/object-store-venv/bin/python3", "scripts/object-store/server.py"
# Of the server above.
ACCESS_KEY, SECRET_KEY, REGION, CONTENT = "AKIDTEST", "test-secret", "eu-test-1", "s3://words/cluster"
BUNDLES = {"hardwords": "hard-words", "ioswords": "ios-words", "nighttheme.month": "night-theme"}
VERSION = "1.0.0"


class Bucket:
    def __init__(self, port):
        self.environment = [
            f"AWS_ACCESS_KEY_ID={ACCESS_KEY}", f"AWS_SECRET_ACCESS_KEY={SECRET_KEY}",
            f"QUARTERMASTER_OBJECT_STORE_REGION={REGION}",
            f"QUARTERMASTER_OBJECT_STORE_ENDPOINT=http://127.0.0.1:{port}"]

    def publish(self, binary, database):
        """What is done stands in the audit trail of the ledger there, which is made for it."""
        command = ["env", *self.environment, binary]
        output_of(*command, "serve", "--migrate-only", "--database", database, within=120)
        for bundle in BUNDLES.values():
            output_of(
                *command, "bundles", "publish", f"content/{bundle}/{VERSION}", "--bundle", bundle, "--version", VERSION,
                "--content", CONTENT, "--database", database, within=120)


@contextmanager
def bucket(folder):
    with (folder / "bucket.log").open("wb") as log:
        popen = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", PYTHON, "-B", SERVER], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=log)
    try:
        line = popen.stdout.readline()
        if not line.strip().isdigit():
            raise Failure(f"the object store does not start:\n{Path(log.name).read_text()[-1000:]}")
        yield Bucket(int(line))
    finally:
        popen.kill()
        popen.wait()


def downloads(port, players):
    """Every bundle of every player, by the manifest, the redirection and the store. Returns how many files came."""
    with ThreadPoolExecutor(8) as pool:
        return sum(pool.map(lambda player: of_player(port, player), players.all))


def of_player(port, player):
    client, headers = Client(port), {"Authorization": f"Bearer {player.token}"}
    count = 0
    for product in set(player.bought) & set(BUNDLES):
        manifest = client.json("GET", f"/v1/bundles/{BUNDLES[product]}", 200, headers)
        for file in manifest["files"]:
            link = urlsplit(client.ask("GET", file["url"], 303)[0]["location"])
            content = Client(link.port).ask("GET", f"{link.path}?{link.query}", 200)[1]
            if hashlib.sha256(content).hexdigest() != file["sha256"]:
                raise Failure(f"{file['path']} of {BUNDLES[product]} has other bytes")
            count += 1
    return count
