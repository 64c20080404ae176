"""What the same costs in a small ledger and in one of millions of transactions."""

import hashlib
import random
import secrets
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass

import receipts
from client import Client
from firsts import new_accounts
from histories import FILE_BYTES, KINDS, UNLIMITED, History, catalog, cost
from large_ledger import LargeLedger
from plan import CONNECTIONS
from reads import MANIFEST, PRODUCTS
from servers import BUNDLE_PRODUCT, Workspace
from shop import Player
from signer import Signer, payload

# Accounts of the small ledger, and what each bought of each type, besides a bundle.
SAMPLES, OF_EACH_TYPE = 40, 6
TRANSACTIONS = OF_EACH_TYPE * len(KINDS) + 1
COMMIT = 'quartermaster_ledger_write_duration_seconds_bucket{phase="commit",le="'
READS = {"product list": PRODUCTS, "entitlements": "/v1/entitlements", "manifest": MANIFEST}
# What a sample bought lies so many milliseconds before what the one before bought.
DATES, APART = {"purchaseDate", "originalPurchaseDate", "expiresDate"}, 9 * 86_400_000
RECEIPT = "receipt of an account that has bought"
# Accounts of the large ledger that are asked once, a third of them each thing: what is read is in no cache of the server.
STRANGERS, ASKED_ONCE = 3_000, ", each asked once"
# The sums of the days that receipts have changed are made in runs with ten seconds between them, beside the requests.
SUMMED_AFTER = 12


@dataclass(frozen=True)
class Large:
    """CPU seconds of each act, and the upper bound of the longest commit in seconds."""

    accounts: int
    transactions: int
    ledger_bytes: int
    seconds_to_make: float
    small: dict
    large: dict
    longest_commit: str


class Shoppers:
    """The accounts of the small ledger, with more receipts to show."""

    def __init__(self, server, signer, receipts_each):
        self.signer, client = signer, Client(server.port)
        self.players = [Player.made(client) for _ in range(SAMPLES)]
        self.more = []
        for number, player in enumerate(self.players):
            past, more = self.payloads(player.account, receipts_each)
            # Accounts did not all buy on the same days.
            for each in past:
                for member in DATES & each.keys():
                    each[member] -= number * APART
            client.ask("POST", "/v1/restore", 200, player.authorization, {"receipts": signer.signed(past)})
            self.more += [(player, receipt) for receipt in signer.signed(more)]
        random.Random(1).shuffle(self.more)

    @staticmethod
    def payloads(account, more):
        histories = [History(kind, account, OF_EACH_TYPE, more) for kind in KINDS]
        past = [payload(account, BUNDLE_PRODUCT, "Non-Consumable")]
        past += [each for history in histories for each in history.payloads[:OF_EACH_TYPE]]
        return past, [each for history in histories for each in history.payloads[OF_EACH_TYPE:]]

    def costs(self, plan, server, pool, cores):
        """CPU seconds of each act by its name."""
        client, half = Client(server.port), len(self.more) // 2
        server.wait_until_idle(SUMMED_AFTER)
        asked = random.Random(2).choices(self.players, k=plan.history_reads * 4)
        found = {name: cost(server, asking(client, name, asked)) for name in READS}
        shown, self.more = self.more[:half], self.more[half:]
        found[RECEIPT] = cost(server, sending(client, shown))
        server.wait_until_idle(SUMMED_AFTER)
        sender = receipts.Sender(plan, cores, server)
        for clients, count in ((1, plan.receipts_alone), (CONNECTIONS, plan.receipts_together)):
            round_ = sender.round(pool.take(count), clients, receipts.NEW)
            found[f"first receipt, {'1 client' if clients == 1 else f'{clients} clients'}"] = round_.cost
        return found


class Strangers:
    """Accounts of the large ledger in random order, which are signed in while no server has it open."""

    def __init__(self, database, signer):
        with closing(sqlite3.connect(database)) as ledger:
            # Those of first receipts have one purchase each, and no bundle.
            accounts = [each for [each] in ledger.execute(
                "SELECT owner FROM lines GROUP BY owner HAVING count(*) > 1 ORDER BY owner")]
            chosen = random.Random(3).sample(accounts, min(STRANGERS, len(accounts)))
            self.players = [Player(each, secrets.token_urlsafe(32)) for each in chosen]
            ledger.executemany(
                "INSERT INTO sessions (token, account, openedAt) VALUES (?, ?, ?)",
                ((hashlib.sha256(each.token.encode()).digest(), each.account, int(time.time() * 1000))
                 for each in self.players))
            ledger.commit()
        third = len(self.players) // 3
        self.readers = {"entitlements": self.players[:third], "manifest": self.players[third:2 * third]}
        payloads = [History("consumable", each.account, 0, 1).payloads[0] for each in self.players[2 * third:]]
        self.shown = list(zip(self.players[2 * third:], signer.signed(payloads)))

    def costs(self, server):
        client = Client(server.port)
        server.wait_until_idle(SUMMED_AFTER)
        for name, players in self.readers.items():
            yield name + ASKED_ONCE, cost(server, asking(client, name, players))
        yield RECEIPT + ASKED_ONCE, cost(server, sending(client, self.shown))


def asking(client, name, players):
    return [lambda each=each: client.ask("GET", READS[name], 200, each.authorization) for each in players]


def sending(client, shown):
    return [lambda player=player, receipt=receipt: client.ask(
        "POST", "/v1/receipts", 200, player.authorization, {"receipt": receipt}) for player, receipt in shown]


def longest_commit(server):
    return longest_in(Client(server.port).ask("GET", "/metrics", 200)[1].decode())


def longest_in(text):
    """The bound of the last bucket that is not empty, of the text of /metrics."""
    counts = [line.removeprefix(COMMIT).split('"} ') for line in text.splitlines() if line.startswith(COMMIT)]
    most = max((float(count) for _, count in counts), default=0)
    return next((bound for bound, count in counts if float(count) == most), "")


def measured(plan, workspace, say):
    shop = Workspace(workspace.folder / "large", workspace.binary, None, workspace.cores)
    shop.folder.mkdir()
    shop.prepare(files={"small.bin": FILE_BYTES}, products=catalog())
    signer, database = Signer(shop.folder / "signer"), str(shop.folder / "ledger.sqlite")

    def serving():
        return shop.serving(database=database, roots=signer.root, has_store=False, tracer=UNLIMITED)

    with serving() as server:
        shoppers = Shoppers(server, signer, receipts_each=2 * plan.history_receipts // SAMPLES + 2)
        pool = new_accounts(shop.folder, server.port, signer, 2 * (plan.receipts_alone + plan.receipts_together))
    with serving() as server:
        say("a small ledger")
        small = shoppers.costs(plan, server, pool, workspace.cores)
    say(f"a ledger of {plan.large_accounts:,} accounts and {plan.large_accounts * TRANSACTIONS:,} transactions")
    began = time.monotonic()
    LargeLedger(database, [each.account for each in shoppers.players]).grow(plan.large_accounts)
    took, strangers = time.monotonic() - began, Strangers(database, signer)
    with serving() as server:
        say(f"made in {took:.0f} s")
        large = dict(strangers.costs(server))
        small |= {each: small[each.removesuffix(ASKED_ONCE)] for each in large}
        large |= shoppers.costs(plan, server, pool, workspace.cores)
        longest = longest_commit(server)
    size = (shop.folder / "ledger.sqlite").stat().st_size
    return Large(plan.large_accounts, plan.large_accounts * TRANSACTIONS, size, took, small, large, longest)
