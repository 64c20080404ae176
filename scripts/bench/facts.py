"""What the facts of a purchase that decide no access cost: price, currency, storefront, offer. The same receipt is sent
with them and without; the difference is theirs, and that of the longer receipt."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass

import receipts
import shop
from client import Client
from failure import Failure
from plan import CONNECTIONS, PURCHASES_PER_PLAYER
from rounds import Spread
from signer import Signer, payload

WITHOUT, WITH = "without", "with"
FACTS = {
    "price": 4_990, "currency": "EUR", "storefront": "DEU", "storefrontId": "143443", "offerType": 2,
    "offerIdentifier": "autumn", "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": "P1M",
    "transactionReason": "PURCHASE", "webOrderLineItemId": "2000000123456789",
    "appTransactionId": "704123456789012345",
}


@dataclass(frozen=True)
class Facts:
    kind: str
    # Of the ledger's file, for each receipt, and of the receipt and the facts in it.
    ledger_bytes: float
    receipt_bytes: float
    facts_bytes: float
    cpu_seconds: Spread


def made(process, signer, kind, count):
    """So many lines of token and receipt."""
    server = Client(process.port)
    players = [shop.Player.made(server) for _ in range(-(-count // PURCHASES_PER_PLAYER))]
    buyers = [players[number % len(players)] for number in range(count)]
    receipts_of = signer.signed(payload(buyer.account, **(FACTS if kind == WITH else {})) for buyer in buyers)
    return [f"{buyer.token}\t{receipt}\n" for buyer, receipt in zip(buyers, receipts_of)]


def used(database):
    """The bytes of all pages that have something."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as ledger:
        [[pages]], [[free]], [[size]] = (
            ledger.execute(f"PRAGMA {name}").fetchall() for name in ("page_count", "freelist_count", "page_size"))
        return (pages - free) * size


def sizes(database):
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as ledger:
        rows = ledger.execute("""
            SELECT t.facts LIKE '%"price":4990%', avg(length(r.content)), avg(length(t.facts))
            FROM transactions t JOIN receiptTransactions c USING (app, environment, id)
            JOIN receipts r ON r.id = c.receipt GROUP BY 1""").fetchall()
    return {WITH if has else WITHOUT: (content, facts) for has, content, facts in rows}


def measured(plan, workspace):
    """Rounds of one kind and of the other, on one server and one ledger."""
    signer, database = Signer(workspace.folder / "facts"), workspace.folder / "facts.sqlite"
    costs, grown = {WITHOUT: [], WITH: []}, {WITHOUT: 0, WITH: 0}
    with workspace.serving(database=str(database), roots=signer.root) as server:
        sender = receipts.Sender(plan, workspace.cores, server)
        # The first round warms up.
        for number, kind in enumerate([WITHOUT] + [WITHOUT, WITH, WITH, WITHOUT] * plan.quadruples):
            file = workspace.folder / f"facts-{number}"
            file.write_text("".join(made(server, signer, kind, plan.receipts_together)))
            server.wait_until_idle()
            before = used(database)
            done = sender.round(file, CONNECTIONS, receipts.NEW)
            # Then the trail is sealed.
            server.wait_until_idle()
            if number > 0:
                costs[kind].append(done.cost)
                grown[kind] += used(database) - before
    found = sizes(database)
    if set(found) != {WITHOUT, WITH}:
        raise Failure("the ledger does not have the facts that were sent")
    for kind in (WITHOUT, WITH):
        content, facts = found[kind]
        count = plan.receipts_together * len(costs[kind])
        yield Facts(kind, grown[kind] / count, content, facts, Spread.of(costs[kind]))
