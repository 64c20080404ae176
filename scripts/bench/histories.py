"""What an act costs an account that has bought much: purchases of ten products over ten years, shown in order, and then
a new one, the same again, the entitlements and a manifest."""

import time
from dataclasses import dataclass

from client import Client
from firsts import PostgreSQL, SQLite
from servers import APP, BUNDLE, BUNDLE_PRODUCT, Workspace
from shop import Player
from signer import Signer, payload

KINDS = {
    "consumable": ("Consumable", {"credits": {"hints": 1}}),
    "non-consumable": ("Non-Consumable", {"bundles": [BUNDLE]}),
    "non-renewing": ("Non-Renewing Subscription", {"duration": "P1D", "bundles": [BUNDLE]}),
    "auto-renewable": ("Auto-Renewable Subscription", {"bundles": [BUNDLE]}),
}
PRODUCTS, YEARS = 10, 10
YEAR = 365 * 86_400 * 1000  # milliseconds
# Receipts of one restore.
RESTORED = 100
# What the others are compared with.
REFERENCE = 10
RECEIPT, AGAIN, ENTITLEMENTS, MANIFEST = "receipt", "again", "entitlements", "manifest"
FILE_BYTES = 16 << 10
# Of a server that takes so many receipts of one account.
UNLIMITED = ("env", "QUARTERMASTER_LIMITS_RECEIPTS_PER_MINUTE=off")


@dataclass(frozen=True)
class Growth:
    """CPU seconds of one act, by how much the account had bought."""

    store: str
    kind: str
    act: str
    costs: dict


def product(kind, number):
    return f"{APP}.history.{kind}{number % PRODUCTS}"


def catalog():
    for kind, (_, members) in KINDS.items():
        for number in range(PRODUCTS):
            group = {"group": f"history{number}"} if kind == "auto-renewable" else {}
            yield {"id": product(kind, number), "type": kind, **members, **group}


class History:
    """The purchases of one account, the oldest first."""

    def __init__(self, kind, account, size, more):
        self.kind, self.account, self.size, self.originals = kind, account, size, {}
        now = int(time.time() * 1000)
        step = YEARS * YEAR // max(size, 1)
        dates = [now - (size - number) * step - 3_600_000 for number in range(size)]
        dates += [now - 3_600_000 + number * 1000 for number in range(1, more + 1)]
        self.payloads = [self.payload(number, date, step) for number, date in enumerate(dates)]

    def payload(self, number, date, step):
        # Signed now, while the certificates are valid.
        facts = {"purchaseDate": date, "originalPurchaseDate": date}
        made = payload(self.account, product(self.kind, number), KINDS[self.kind][0], **facts)
        if self.kind == "auto-renewable":
            first = self.originals.setdefault(number % PRODUCTS, made)
            made["originalTransactionId"] = first["transactionId"]
            made["originalPurchaseDate"] = first["purchaseDate"]
            made["expiresDate"] = date + max(PRODUCTS * step, 86_400_000)
            made["subscriptionGroupIdentifier"] = f"history{number % PRODUCTS}"
        return made


class Shopper:
    """An account with a past, asking one thing after the other."""

    def __init__(self, plan, server, signer, kind, size):
        self.plan = plan
        self.use(server)
        self.player = Player.made(self.client)
        history = History(kind, self.player.account, size, plan.history_receipts)
        [bundle, *receipts] = signer.signed(
            [payload(self.player.account, BUNDLE_PRODUCT, "Non-Consumable"), *history.payloads])
        self.receipts = receipts[size:]
        for start in range(0, size, RESTORED):
            self.ask("POST", "/v1/restore", {"receipts": receipts[start:min(start + RESTORED, size)]})
        self.send(bundle)

    def use(self, server):
        """From now on this server of the same ledger is asked."""
        self.server, self.client = server, Client(server.port)

    def ask(self, method, path, body=None):
        return self.client.ask(method, path, 200, self.player.authorization, body)

    def send(self, receipt):
        self.ask("POST", "/v1/receipts", {"receipt": receipt})

    def acts(self):
        """By name, in the order in which they can be done."""
        sends = [lambda receipt=receipt: self.send(receipt) for receipt in self.receipts]
        entitlements = lambda: self.ask("GET", "/v1/entitlements")
        manifest = lambda: self.ask("GET", f"/v1/bundles/{BUNDLE}")
        entitlements(), manifest()
        reads = self.plan.history_reads
        return {RECEIPT: sends, AGAIN: sends, ENTITLEMENTS: [entitlements] * reads, MANIFEST: [manifest] * reads}

    def costs(self):
        self.server.wait_until_idle()
        for name, acts in self.acts().items():
            yield name, cost(self.server, acts)


def perform(acts):
    for act in acts:
        act()


def cost(server, acts):
    """CPU seconds of each, of all that the server did meanwhile."""
    before = server.exact_cpu_seconds()
    perform(acts)
    return (server.exact_cpu_seconds() - before) / len(acts)


def measured(plan, workspace, say):
    shop = Workspace(workspace.folder / "shop", workspace.binary, None, workspace.cores)
    shop.folder.mkdir()
    shop.prepare(files={"small.bin": FILE_BYTES}, products=catalog())
    signer = Signer(shop.folder / "signer")
    for store_kind in (SQLite, PostgreSQL):
        store = store_kind(workspace.folder, "histories")
        with store.running(), shop.serving(
                database=store.database, roots=signer.root, has_store=False, tracer=UNLIMITED) as server:
            for kind in KINDS:
                found = {}
                for size in plan.histories:
                    say(f"{store.name}: {size} × {kind}")
                    for act, cost in Shopper(plan, server, signer, kind, size).costs():
                        found.setdefault(act, {})[size] = cost
                yield from (Growth(store.name, kind, act, costs) for act, costs in found.items())
