"""Players, and what they bought from the simulated App Store before anything is timed."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from client import Client
from failure import Failure
from plan import BUYING_THREADS, PURCHASES_PER_PLAYER
from servers import BUNDLE, CREDITS


@dataclass(frozen=True)
class Player:
    account: str
    token: str

    @staticmethod
    def made(server):
        answer = server.json("POST", "/v1/accounts", 201)
        return Player(answer["account"], answer["accessToken"])

    def buys(self, store, product, kind):
        """The signed transaction of a purchase that was just made."""
        return store.buy(product, kind, appAccountToken=self.account)["signedTransaction"]

    @property
    def authorization(self):
        return {"Authorization": f"Bearer {self.token}"}


def player_with_bundle(server, store):
    """Somebody who bought the bundle and whose receipt is settled."""
    player = Player.made(server)
    receipt = player.buys(store, BUNDLE, "non-consumable")
    server.json("POST", "/v1/receipts", 200, player.authorization, {"receipt": receipt})
    return player


class Receipts:
    """Receipts that nobody has sent yet, each given out once, as files of lines that wrk reads."""

    def __init__(self, folder, name, lines):
        self.folder, self.name, self.lines, self.files = Path(folder), name, lines, 0

    def take(self, count):
        if len(self.lines) < count:
            raise Failure(f"{count} receipts are wanted and {len(self.lines)} left")
        taken, self.lines = self.lines[:count], self.lines[count:]
        self.files += 1
        path = self.folder / f"{self.name}-{self.files}"
        path.write_text("".join(taken))
        return path


def bought(process, count):
    """So many lines of token and receipt, in an order that keeps the receipts of a player apart."""
    players = -(-count // PURCHASES_PER_PLAYER)
    share = -(-players // BUYING_THREADS)

    stopped = Event()

    def buy():
        server, store = Client(process.port), Client(process.store_port)
        lines = []
        for _ in range(share):
            if stopped.is_set():
                break
            player = Player.made(server)
            for _ in range(PURCHASES_PER_PLAYER):
                lines.append(f"{player.token}\t{player.buys(store, CREDITS, 'consumable')}\n")
        return lines

    with ThreadPoolExecutor(BUYING_THREADS) as pool:
        buyers = [pool.submit(buy) for _ in range(BUYING_THREADS)]
        try:
            lines = [line for buyer in buyers for line in buyer.result()]
        finally:
            stopped.set()  # Whoever waits no longer, lets nobody go on.
    random.Random(1).shuffle(lines)
    return lines[:count]
