"""How long the pages for administrators take on a ledger of a million transactions: check_speed.py BINARY

The purchases lie in the last 30 days. Each page is asked for many times, of other accounts each time. Ends with 1 if one
of twenty takes longer than a fifth of a second. ACCOUNTS=1000 takes a smaller ledger.
"""

import http.client
import os
import re
import sqlite3
import sys
import time
import zlib
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

from everyone import pattern, routes
from large_ledger import LargeLedger
from process import eventually
from world import APP, World

ACCOUNTS = int(os.environ.get("ACCOUNTS", 100_000))
SAMPLES = 10
# What each account of the small ledger buys, ten purchases: what its app presents, and what the store alone tells of.
PRESENTED = [("hardwords", "non-consumable"), ("nighttheme.month", "non-renewing"), ("club.monthly", "auto-renewable")]
TOLD = [("ioswords", "non-consumable")] + [("nighttheme.month", "non-renewing"), ("tenhints", "consumable")] * 3
TOLD_WITHIN = 30  # seconds
EACH = 40  # requests of a page
ALLOWED = 0.2  # seconds, of the 95th percentile
AUDIT_ROWS_EACH = 4  # of its creation, and of each receipt
MOST_BYTES = 1_500_000_000  # of the whole ledger
DAYS = 30
ORDER_OF = 10  # transactions, one has an order
# What is not a page that administrators wait for: a link works once, and a catalog in a file has no revisions.
NOT_MEASURED = ("/admin/open/{code}", "/admin/catalog", "/admin/catalog/{number}")
COUNTED_WITHIN = 1_800  # seconds, all sums of days


def shopped(world):
    """Accounts with all kinds of purchases."""
    players = [world.player() for _ in range(SAMPLES)]
    for player in players:
        for product, kind in PRESENTED:
            world.buy(product, kind, player)
        for product, kind in TOLD:
            world.pay(product, kind, appAccountToken=player["account"])
        world.request("GET", f"{world.base}/v1/bundles/hard-words",
                      headers={"Authorization": f"Bearer {player['accessToken']}"})
    accounts = [player["account"] for player in players]
    await_purchases(world.folder / "ledger.sqlite", accounts)
    return accounts


def read(path, query):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def await_purchases(path, accounts):
    def has_all():
        counted = dict(read(path, "SELECT creditedTo, count(*) FROM transactions GROUP BY creditedTo"))
        return all(counted.get(each) == len(PRESENTED + TOLD) for each in accounts)

    eventually("the server is not told of all purchases", TOLD_WITHIN, has_all)


def grow(path, accounts):
    """The ledger, and the audit trail: rows of the new accounts, with seals that no check would accept."""
    LargeLedger(path, accounts).grow(ACCOUNTS)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA synchronous = OFF")
        [last] = database.execute("SELECT coalesce(max(position), 0) FROM auditSeals").fetchone()
        [first] = database.execute("SELECT max(sequence) FROM audit").fetchone()
        database.execute("""
            WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?)
            INSERT INTO audit (at, kind, account, subject, content, contentHash)
            SELECT a.createdAt + n.value, CASE n.value WHEN 1 THEN 'account.created' ELSE 'receipt.settled' END, a.id,
                'r_' || substr(a.id, 1, 18) || n.value, '{"status": "verified"}', randomblob(32)
            FROM accounts a, n""", (AUDIT_ROWS_EACH,))
        database.execute("""
            INSERT INTO auditSeals (position, sequence, hash)
            SELECT ? + row_number() OVER (ORDER BY sequence), sequence, randomblob(32) FROM audit WHERE sequence > ?""",
                         (last, first))
        # Copies have no orders of their own. So many are enough to search among, and all would make the ledger too large.
        database.execute("""
            INSERT OR IGNORE INTO orderTransactions (orderID, app, environment, id)
            SELECT 'MK' || id, app, environment, id FROM transactions WHERE CAST(id AS INTEGER) % ? = 0""", (ORDER_OF,))
        database.execute("ANALYZE")
        database.commit()
        spread(database)
        database.commit()
        # In random order pages are left half full; `ledger compact` does the same.
        database.execute("VACUUM")
        rows = database.execute("""
            SELECT owner, originalID FROM lines WHERE environment = 'Production' ORDER BY originalID LIMIT 2000""").fetchall()
        subscriptions = [each for [each] in database.execute("""
            SELECT DISTINCT originalID FROM transactions
            WHERE environment = 'Production' AND product = ? ORDER BY originalID LIMIT ?""", (f"{APP}.club.monthly", EACH))]
        orders = [each for [each] in database.execute(
            "SELECT orderID FROM orderTransactions WHERE environment = 'Production' ORDER BY orderID DESC LIMIT ?", (EACH,))]
        count = database.execute("SELECT count(*) FROM transactions").fetchone()[0]
    size = Path(path).stat().st_size
    print(f"{count:,} transactions of {ACCOUNTS:,} accounts in {size / 1e9:.3f} GB", flush=True)
    if size > MOST_BYTES:
        raise SystemExit(f"the ledger has more than {MOST_BYTES / 1e9} GB")
    return rows, subscriptions, orders


def spread(database):
    """What happened today happens on one of the last days. Triggers are left out, so the days are counted anew."""
    triggers = LargeLedger.without_triggers(database)
    database.create_function("shift", 1, lambda text: zlib.crc32(text.encode()) % DAYS * 86_400_000)
    database.execute("""
        UPDATE transactions SET purchasedAt = purchasedAt - shift(id), expiresAt = expiresAt - shift(id),
            facts = json_set(CASE WHEN expiresAt IS NULL THEN facts
                    ELSE json_set(facts, '$.expirationDate', expiresAt - shift(id)) END,
                '$.purchaseDate', purchasedAt - shift(id))""")
    database.execute("UPDATE postings SET postedAt = postedAt - shift(CAST(sequence AS TEXT))")
    database.execute("""
        UPDATE receipts SET recordedAt = recordedAt - shift(id), answeredAt = answeredAt - shift(id)
        WHERE answeredAt IS NOT NULL""")
    database.execute("UPDATE reportDays SET changes = changes + 1, dueAt = 0")
    for text in triggers:
        database.execute(text)


def counted(path):
    """Waits until the server has the sums of all days, and returns the seconds that it took."""
    def has_all():
        query = "SELECT count(*), count(*) FILTER (WHERE folded IS NOT changes) FROM reportDays"
        [(known, left)] = read(path, query)
        return known and not left

    began = time.monotonic()
    eventually("the sums of all days are not made", COUNTED_WITHIN, has_all, every=1)
    return time.monotonic() - began


class Browser:
    """A signed-in administrator on one connection."""

    def __init__(self, world, token):
        self.connection = http.client.HTTPConnection("127.0.0.1", world.port, timeout=30)
        self.cookie = None
        _, headers, _ = self.ask("POST", "/admin/sign-in", urlencode({"token": token}))
        self.cookie = headers["Set-Cookie"].split(";")[0]

    def ask(self, method, path, form=None):
        headers = {"Sec-Fetch-Site": "same-origin"}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if self.cookie:
            headers["Cookie"] = self.cookie
        self.connection.request(method, path, form, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()


def prepared(world, token, rows):
    """What some pages are about: a transfer that can be undone, products that were given, and a receipt that waits."""
    writer, reason = {"Authorization": f"Bearer {token}"}, {"reason": "ticket 7"}
    moved, owners = [original for _, original in rows[-EACH:]], [owner for owner, _ in rows[:EACH]]
    for original in moved:
        world.done("POST", f"/admin/v1/original-transactions/Production/{original}/transfer",
                   {"bundleID": APP, "to": owners[0], **reason}, writer)
    grants = []
    for number, owner in enumerate(owners[:SAMPLES]):
        answer = world.done(
            "POST", f"/admin/v1/accounts/{owner}/grants",
            {"bundleID": APP, "environment": "Production", "product": f"{APP}.hardwords", **reason},
            {**writer, "Idempotency-Key": f"speed-{number}"})
        grants.append((owner, answer["grant"]))
    world.request("POST", f"{world.store}/simulator/v1/faults", {"http": 503})
    _, waiting = world.send(world.pay("hardwords", "non-consumable")["appReceipt"], world.player())
    world.request("DELETE", f"{world.store}/simulator/v1/faults")
    return moved, grants, waiting["receipt"]


def repeated(paths):
    """As many as each page is asked for."""
    return [paths[number % len(paths)] for number in range(EACH)]


def pages(rows, subscriptions, orders, made):
    """The paths of each page, for one row of the ledger or another."""
    picks = rows[:: max(1, len(rows) // EACH)][:EACH]
    owners, originals = zip(*picks)
    moved, grants, waiting = made
    credits = urlencode({"balance": f"{APP}/Production/hints", "amount": 5})
    given = urlencode({"product": f"{APP}/Production/{APP}.hardwords"})
    purchase, account = "/admin/purchases/Production", "/admin/accounts"
    acts = ("block", "unblock", "add-tester", "remove-tester", "add-beta", "remove-beta", "end-sessions", "reset-sandbox",
            "recovery-code")
    product = f"/admin/products/{APP}/{APP}.tenhints"
    settings, bundle = f"/admin/apps/{APP}/settings", "/admin/bundles/hard-words"
    version = f"{bundle}/1.0.0"
    same = {
        "overview": "/admin", "accounts": account, "receipts that wait": "/admin/receipts",
        "receipts refused": "/admin/receipts?status=rejected",
        "receipts refused, filtered": f"/admin/receipts?status=rejected&reason=signature&app={APP}",
        "retry": f"/admin/receipts/{waiting}/retry", "deliveries": "/admin/deliveries",
        "deliveries, filtered": f"/admin/deliveries?app={APP}&bundle=hard-words", "products": "/admin/products",
        "product": product, "edit a product": f"{product}/edit", "take off sale": f"{product}/off-sale",
        "put on sale": f"{product}/on-sale", "remove a product": f"{product}/remove",
        "extend all": f"/admin/products/{APP}/{APP}.club.monthly/extend?days=7",
        "new product": f"/admin/apps/{APP}/new-product", "preview": f"/admin/apps/{APP}/preview",
        "settings": settings, "edit settings": f"{settings}/edit", "remove an app": f"{settings}/remove",
        "new app": "/admin/new-app", "bundles": "/admin/bundles", "bundle": bundle, "version": version,
        **{f"{act} a version": f"{version}/{act}" for act in ("publish", "promote", "yank", "restore", "discard")},
        "new version": "/admin/new-version", "store": "/admin/store", "sandbox": "/admin/sandbox",
        "test notification": f"/admin/store/test-notification?app={APP}&environment=Sandbox",
        "simulator": "/admin/simulator", "reports": "/admin/reports", "reports while somebody buys": "/admin/reports",
        "reports of one app": f"/admin/reports?app={APP}", "A/B tests": f"/admin/apps/{APP}/placements",
        "audit": "/admin/audit",
        "audit of a rare kind": "/admin/audit?kind=ledger.restored",
        "audit of a time": "/admin/audit?since=2020-01-01&until=2020-01-02", "tokens": "/admin/tokens",
        "sign in": "/admin/sign-in",
    }
    return {
        **{name: [path] * EACH for name, path in same.items()},
        "accounts, older ones": [f"{account}?after={each}" for each in owners],
        "account": [f"{account}/{each}" for each in owners],
        "find by order": [f"{account}?q={each}" for each in orders],
        "find by transaction": [f"{account}?q={each}" for each in originals],
        "find nothing": [f"{account}?q=9{each}" for each in originals],
        **{act: [f"{account}/{each}/{act}" for each in owners] for act in acts},
        "credits": [f"{account}/{each}/credits?{credits}" for each in owners],
        "grant": [f"{account}/{each}/grant?{given}" for each in owners],
        "take back": repeated([f"{account}/{owner}/grants/{grant}/revoke" for owner, grant in grants]),
        "transfer": [f"{purchase}/{each}/transfer?bundleID={APP}&to={owners[0]}" for each in originals],
        "undo": repeated([f"{purchase}/{each}/transfer/undo?bundleID={APP}" for each in moved]),
        "extend": repeated([f"{purchase}/{each}/extend?bundleID={APP}&days=7" for each in subscriptions]),
        "app transaction": [f"{purchase}/{each}/app-transaction?bundleID={APP}" for each in originals],
        "audit of an account": [f"/admin/audit?account={each}" for each in owners],
    }


def unmeasured(world, browser, measured):
    """The routes of pages, as the server's metrics name them, of which no path is measured. One that is no page takes
    forms only."""
    opened = {path.split("?")[0] for paths in measured.values() for path in paths}
    return [
        route for route in sorted(routes(world)) if route not in NOT_MEASURED
        and not any(pattern(route).match(each) for each in opened)
        and browser.ask("GET", re.sub(r"\{[^}]*\}", "x", route))[0] != 405]


def measured(browser, paths, before=lambda: None):
    """The 95th percentile of the seconds, and the worst status."""
    browser.ask("GET", paths[-1])
    seconds, statuses = [], set()
    for path in paths:
        before()
        began = time.perf_counter()
        status, _, _ = browser.ask("GET", path)
        seconds.append(time.perf_counter() - began)
        statuses.add(status)
    return sorted(seconds)[int(len(seconds) * 0.95) - 1 if len(seconds) >= 20 else -1], statuses


def main():
    wrong = []
    with World(sys.argv[1]) as world:
        token = world.token("alice", "write")
        accounts = shopped(world)
        world.stop()
        path = str(world.folder / "ledger.sqlite")
        rows, subscriptions, orders = grow(path, accounts)
        world.serve()
        print(f"The sums of all days were made in {counted(path):.0f} seconds.", flush=True)
        browser, player = Browser(world, token), world.player()
        paths_of = pages(rows, subscriptions, orders, prepared(world, token, rows))
        wrong += unmeasured(world, browser, paths_of)
        for route in wrong:
            print(f" ✘ {route}: no path of it is measured", flush=True)
        for name, paths in paths_of.items():
            buys = name.endswith("buys")
            took, statuses = measured(
                browser, paths, (lambda: world.buy("tenhints", "consumable", player)) if buys else (lambda: None))
            is_wrong = took > ALLOWED or not statuses <= {200, 303}
            print(f" {'✘' if is_wrong else '✔'} {name}: {took * 1000:.1f} ms, {sorted(statuses)}", flush=True)
            wrong += [name] if is_wrong else []
    print(f"{len(wrong)} pages are too slow, or not measured: {', '.join(wrong)}" if wrong else "Every page is fast enough.")
    return 1 if wrong else 0


sys.exit(main())
