"""What must be so in the end: of the ledger, by a fold of its own over rows read by psql, and of the catalog."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

from client import APP, Client
from failure import Failure
from players import CREDITS, ONCE, SPENT_AMOUNT
from process import eventually

# What was bought, and whose it is: the line's owner.
OWNED = """
SELECT t.id, t.product, l.owner, t.creditedTo, t.facts FROM transactions t
JOIN lines l ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
"""
POSTED = "SELECT account, currency, sum(amount) FROM postings GROUP BY account, currency"
POLL_EVERY = 0.01  # seconds
SEEN_WITHIN = 10  # seconds


def compare(players, replicas, postgres):
    owned = [
        (id, product.removeprefix(f"{APP}."), owner.lower(), credited.lower(), json.loads(facts))
        for id, product, owner, credited, facts in postgres.rows(OWNED)]
    expect_what_was_told(players, owned)
    folded = fold(players, owned)
    posted = {account.lower(): int(amount) for account, _, amount in postgres.rows(POSTED)}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda player: entitlements(replicas.port, player), players.all))
    for player, (balance, products) in zip(players.all, answers):
        hints, granted = folded[player.account.lower()]
        if (balance, products) != (hints, granted) or posted.get(player.account.lower(), 0) != hints:
            raise Failure(
                f"account {player.account} is told {balance} hints and {sorted(products)}; its purchases make {hints} "
                f"and {sorted(granted)}, the postings {posted.get(player.account.lower())}")
    print(replicas.command("ledger", "rebuild", "--check").strip())
    print(replicas.command("audit", "verify").strip())


def expect_what_was_told(players, owned):
    owners = {id: owner for id, _, owner, _, _ in owned}
    for id, accounts in players.told.items():
        if len(accounts) != 1:
            raise Failure(f"transaction {id} was given to {sorted(accounts)}")
        if owners.get(id) != next(iter(accounts)).lower():
            raise Failure(f"transaction {id} was acknowledged, and its owner in the ledger is {owners.get(id)}")
    for each in players.sendings:
        if each.kind != "spend" and each.purchase.id not in players.told:
            raise Failure(f"transaction {each.purchase.id} was never given to anybody")


def fold(players, owned):
    """For each account its hints and the products it has, from nothing but its transactions and what it spent."""
    folded = {player.account.lower(): (-SPENT_AMOUNT * len(player.spends), set()) for player in players.all}
    for _, product, owner, credited, facts in owned:
        if product in CREDITS:
            hints, granted = folded[credited]
            folded[credited] = (hints + CREDITS[product] * facts.get("quantity", 1), granted)
        elif product in ONCE:
            folded[owner][1].add(product)
    return folded


def entitlements(port, player):
    state = Client(port).json("GET", "/v1/entitlements", 200, {"Authorization": f"Bearer {player.token}"})
    granted = {each["product"].removeprefix(f"{APP}.") for each in state["entitlements"] if each["access"] == "granted"}
    return state["balances"].get("hints", 0), granted & set(ONCE)


def catalog_changes(replicas, count, within):
    """Adds a product by one server's administration and waits until all sell it, so often.

    Returns: what was found, in words.
    """
    token = replicas.command("admin-token", "create", "--name", "cluster", "--role", "write", "--json")
    headers = {"Authorization": f"Bearer {json.loads(token)['token']}"}
    clients = [Client(port) for port in replicas.ports]
    times = sorted(change(clients, headers, number) for number in range(count))
    late = times[min(count - 1, int(count * 0.99))]
    if late > within:
        raise Failure(f"of {count} changes of the catalog, one in a hundred took over {late:.2f} s")
    return (f"{count} changes of the catalog: everywhere after {times[count // 2]:.2f} s (median), {late:.2f} s (99 in "
            f"100), {times[-1]:.2f} s (all)")


def change(clients, headers, number):
    name = f"{APP}.change{number}"
    entry = {"id": name, "type": "consumable", "credits": {"hints": 1}}
    began = time.monotonic()
    clients[number % len(clients)].json("PUT", f"/admin/v1/apps/{APP}/products/{name}", 201, headers, entry)
    for client in clients:
        eventually("a change of the catalog is not everywhere", SEEN_WITHIN, lambda: name in client.json(
            "GET", f"/v1/apps/{APP}/products", 200)["productIDs"], POLL_EVERY)
    return time.monotonic() - began
