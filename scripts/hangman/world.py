"""What there is around the game: a server with the game's own content, the simulated App Store, the link to it, and
somebody who guesses words."""

import json
import re
import shutil
from base64 import urlsafe_b64decode
from collections import Counter
from pathlib import Path

from client import APP, Client
from failure import Failure
from link import Link
from process import free_ports, output_of, places, serving, stock

SERVER_FILES = Path("examples/Hangman/Server")
# Beside the words of the pack, so that its download takes a while.
RECORDINGS = 3 << 20  # bytes
RATE = 640 << 10  # bytes a second


class World:
    def __init__(self, folder, binary, recordings=RECORDINGS):
        self.folder, self.binary = folder, binary
        self.port, self.store_port, link = free_ports(3)
        stock(folder, SERVER_FILES)
        self.hard_words = folder / "content" / "hard-words" / "1.0.0"
        # No two bytes alike, so that nothing makes it smaller.
        if recordings:
            (self.hard_words / "recordings.bin").write_bytes(Path("/dev/urandom").open("rb").read(recordings))
        self.link = Link(link, self.port, RATE)

    def server(self):
        return serving(self.binary, self.folder, self.port, self.store_port)

    @property
    def flags(self):
        return f"--server http://127.0.0.1:{self.link.port} --simulator http://127.0.0.1:{self.store_port}"

    def quiet_bytes(self):
        """What may come although nothing is downloaded: what was on its way, and answers about the account."""
        return RATE // 2

    def refund(self, home, product):
        """Refunds what the customer of that folder bought."""
        customer = json.loads((home / "customer.json").read_text())["customer"]
        store, path = Client(self.store_port), "/simulator/v1"
        known = store.json("GET", f"{path}/customers/{customer}/transactions?bundleID={APP}", 200)
        for signed in known["transactions"]:
            claims = payload(signed)
            if claims["productId"] == f"{APP}.{product}":
                return store.ask("POST", f"{path}/transactions/{claims['transactionId']}/refund", 200, body={})
        raise Failure(f"the customer has no {product} to be refunded")

    def advance(self, days):
        Client(self.store_port).ask("POST", "/simulator/v1/clock", 200, body={"advanceSeconds": days * 86_400})

    def publish_update(self):
        """A version of the pack with one more word: all the rest is as it was."""
        new = self.folder / "new"
        shutil.copytree(self.hard_words, new)
        with (new / "words.txt").open("a") as words:
            words.write("zyzzyva\tLast of all weevils\n")
        output_of(self.binary, "bundles", "publish", new, "--bundle", "hard-words", "--version", "1.1.0",
                  *places(self.folder))


def payload(signed):
    part = signed.split(".")[1]
    return json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))


class Guesser:
    """Guesses words as somebody would who knows the list."""

    def __init__(self, words):
        self.words = words

    def letter(self, shown, tried):
        """The letter that most of the words have that fit what is shown, `_ A _ _`."""
        letters = shown.lower().split()
        wrong = set(tried) - set(letters)
        form = re.compile("".join("[^" + "".join(tried) + "_]" if each == "_" and tried else
                                  "." if each == "_" else each for each in letters) + "$")
        fitting = [word for word in self.words if form.match(word) and not wrong & set(word)]
        counts = Counter(letter for word in fitting or self.words for letter in set(word) if letter not in tried)
        return max(sorted(counts), key=lambda letter: counts[letter])


def built_in(source):
    """The words in the game's own source."""
    return re.findall(r'^            \("([a-z]+)", "', source.read_text(), re.M)


def of_pack(folder):
    return [line.split("\t")[0] for line in (folder / "words.txt").read_text().splitlines()]
