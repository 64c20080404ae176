"""What there is around the game: a server with the game's own content, the simulated App Store, and the link to it."""

import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

from failure import Failure
from link import SlowLink
from process import free_ports, running

SERVER_FILES = Path("examples/Hangman/Server")
APP = "com.example.hangman"
# Beside the words of the pack, so that its download takes a while.
RECORDINGS = 3 << 20  # bytes
RATE = 640 << 10  # bytes a second


class World:
    def __init__(self, folder, binary):
        self.folder, self.binary = folder, binary
        self.port, self.store_port, link = free_ports(3)
        shutil.copytree(SERVER_FILES / "content", folder / "content")
        shutil.copy(SERVER_FILES / "products.json", folder)
        self.hard_words = folder / "content" / "hard-words" / "1.0.0"
        # No two bytes alike, so that nothing makes it smaller.
        (self.hard_words / "recordings.bin").write_bytes(Path("/dev/urandom").open("rb").read(RECORDINGS))
        self.link = SlowLink(link, self.port, RATE)

    @contextmanager
    def server(self):
        command = [
            self.binary, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--database", self.folder / "l.sqlite",
            "--products", self.folder / "products.json", "--content", self.folder / "content", "--simulator",
            "--simulator-port", str(self.store_port)]
        with running("the server", command, None, self.port, "/ready", self.folder / "log") as process:
            yield process

    @property
    def flags(self):
        return f"--server http://127.0.0.1:{self.link.port} --simulator http://127.0.0.1:{self.store_port}"

    def store(self, path, body=None):
        """Asks the simulated App Store."""
        request = Request(
            f"http://127.0.0.1:{self.store_port}/simulator/v1/{path}",
            data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        with urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def quiet_bytes(self):
        """What may come although nothing is downloaded: what was on its way, and answers about the account."""
        return RATE // 2

    def refund(self, home, product):
        """Refunds what the customer of that folder bought."""
        customer = json.loads((home / "customer.json").read_text())["customer"]
        for signed in self.store(f"customers/{customer}/transactions?bundleID={APP}")["transactions"]:
            claims = payload(signed)
            if claims["productId"] == f"{APP}.{product}":
                return self.store(f"transactions/{claims['transactionId']}/refund", {})
        raise Failure(f"the customer has no {product} to be refunded")

    def advance(self, days):
        self.store("clock", {"advanceSeconds": days * 86_400})

    def publish_update(self):
        """A version of the pack with one more word: all the rest is as it was."""
        new = self.folder / "new"
        shutil.copytree(self.hard_words, new)
        with (new / "words.txt").open("a") as words:
            words.write("zyzzyva\tLast of all weevils\n")
        subprocess.run(
            [self.binary, "bundles", "publish", new, "--bundle", "hard-words", "--version", "1.1.0", "--content",
             self.folder / "content", "--database", self.folder / "l.sqlite"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def payload(signed):
    from base64 import urlsafe_b64decode
    part = signed.split(".")[1]
    return json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
