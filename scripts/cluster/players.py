"""Players who buy, and send what they bought until it is answered: again, at the same time, and for one another."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException

from client import Client
from failure import Failure

CREDITS = {"tenhints": 10, "hundredhints": 100}
# Once each, since the second is the same access again.
ONCE = {"hardwords": "non-consumable", "ioswords": "non-consumable", "nighttheme.month": "non-renewing"}
THREADS = 32
ANSWER_WITHIN = 30  # seconds
# Longer than every outage together.
SETTLED_WITHIN = 600  # seconds
# Of the sendings: sent twice by its buyer, at the same time or later; shown by two of whom either may have it; shown by
# somebody whose it is not; credits spent with it, twice with the same key.
TWICE, CONTESTED, STOLEN, SPENT = 0.15, 0.05, 0.05, 0.10
SPENT_AMOUNT = 3


@dataclass
class Player:
    account: str
    token: str
    # Product names, of what was bought for this account by its token.
    bought: list = field(default_factory=list)
    spends: set = field(default_factory=set)


@dataclass(frozen=True)
class Purchase:
    id: str
    product: str
    content: str


@dataclass(frozen=True)
class Sending:
    player: Player
    purchase: Purchase
    # "own", "contested", "stolen", "spend"
    kind: str = "own"


@dataclass(frozen=True)
class Refusal:
    """A 503, with the monotonic times between which it was asked for and answered."""

    began: float
    ended: float
    words: str


class Players:
    def __init__(self, port, store_port, count, generator):
        self.port, self.store_port, self.generator = port, store_port, generator
        client = Client(port)
        made = [client.json("POST", "/v1/accounts", 201) for _ in range(count)]
        self.all = [Player(each["account"], each["accessToken"]) for each in made]
        self.sendings, self.tries, self.refusals = [], 0, []
        self.lock = threading.Lock()
        # By transaction: the accounts that were told they have it.
        self.told = {}

    @property
    def described(self):
        kinds = [each.kind for each in self.sendings]
        return ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))

    def buy(self, receipts):
        """Purchases of everybody, so many that all sendings together are as many as wanted."""
        share = 1 + TWICE + CONTESTED + STOLEN + SPENT
        orders = []
        for player in self.all:
            orders += [(player, name, kind) for name, kind in ONCE.items()]
        while len(orders) < receipts / share:
            orders.append((self.generator.choice(self.all), self.generator.choice(list(CREDITS)), "consumable"))
        self.generator.shuffle(orders)
        orders = orders[: int(receipts / share)]
        contested = {index for index in range(len(orders))
                     if orders[index][2] == "consumable" and self.generator.random() < CONTESTED}
        with ThreadPoolExecutor(8) as pool:
            bought = list(pool.map(self.purchase, orders, [index in contested for index in range(len(orders))]))
        for index, (order, purchase) in enumerate(zip(orders, bought)):
            self.add(order[0], purchase, index in contested)
        self.generator.shuffle(self.sendings)

    def purchase(self, order, is_contested):
        player, name, kind = order
        named = {} if is_contested else {"appAccountToken": player.account}
        answer = Client(self.store_port).buy(name, kind, customer=player.account, **named)
        return Purchase(answer["transactionID"], name, answer["signedTransaction"])

    def add(self, player, purchase, is_contested):
        kind = "contested" if is_contested else "own"
        self.sendings.append(Sending(player, purchase, kind))
        if is_contested:
            self.sendings.append(Sending(self.other(player), purchase, kind))
            return
        player.bought.append(purchase.product)
        if self.generator.random() < TWICE:
            self.sendings.append(Sending(player, purchase))
        # What is for ever may move to who shows it; what is used up never does.
        if purchase.product in CREDITS:
            if self.generator.random() < STOLEN:
                self.sendings.append(Sending(self.other(player), purchase, "stolen"))
            if self.generator.random() < SPENT:
                self.sendings += [Sending(player, purchase, "spend")] * 2

    def other(self, player):
        while (other := self.generator.choice(self.all)) is player:
            pass
        return other

    def send_everything(self):
        with ThreadPoolExecutor(THREADS) as pool:
            for each in [pool.submit(self.settle, sending) for sending in self.sendings]:
                each.result()

    def settle(self, sending):
        """Sends until there is an answer that is one."""
        deadline = time.monotonic() + SETTLED_WITHIN
        while time.monotonic() < deadline:
            with self.lock:
                self.tries += 1
            try:
                if self.send(sending):
                    return
            except (OSError, HTTPException, json.JSONDecodeError):
                pass  # Nobody knows whether it arrived: it is sent again.
            time.sleep(0.2)
        raise Failure(f"a receipt was not settled within {SETTLED_WITHIN} seconds")

    def send(self, sending):
        """Whether the answer is final. What it says is held against everybody later."""
        player, purchase = sending.player, sending.purchase
        if sending.kind == "spend":
            key = f"spend-{purchase.id}"
            status, answer = self.post(
                player, "/v1/balances/hints/spend", {"amount": SPENT_AMOUNT}, {"Idempotency-Key": key})
            if status == 200:
                with self.lock:
                    player.spends.add(key)
            return self.is_final(status, answer, 200, 409)
        status, answer = self.post(player, "/v1/receipts", {"receipt": purchase.content})
        if status == 200:
            [told] = [each for each in answer["transactions"] if each["id"] == purchase.id]
            if told["outcome"] in ("delivered", "alreadyDelivered"):
                with self.lock:
                    self.told.setdefault(purchase.id, set()).add(player.account)
            elif sending.kind == "own":
                raise Failure(f"a player's own purchase is denied: {told}")
        return self.is_final(status, answer, 200, *(() if sending.kind == "own" else (409,)))

    def post(self, player, path, body, headers=()):
        # A connection of its own: what a killed server leaves behind must not be taken for an answer.
        connection = HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_WITHIN)
        began = time.monotonic()
        try:
            connection.request("POST", path, json.dumps(body), {
                "Authorization": f"Bearer {player.token}", "Content-Type": "application/json", **dict(headers)})
            answer = connection.getresponse()
            content = answer.read()
            if answer.status == 503:
                with self.lock:
                    self.refusals.append(Refusal(began, time.monotonic(), f"{path}: {content[:300]!r}"))
            return answer.status, json.loads(content) if answer.status < 500 else {}
        finally:
            connection.close()

    @staticmethod
    def is_final(status, answer, *expected):
        if status in expected:
            return True
        if status in (202, 429) or status >= 500:
            return False
        raise Failure(f"{status}: {answer}")
