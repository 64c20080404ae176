"""What the ledger must say in the end. Shares no code with the server: a fold of its own over rows read by psql."""

import json
from concurrent.futures import ThreadPoolExecutor

from client import Client
from failure import Failure
from players import APP, CREDITS, ONCE, SPENT_AMOUNT

# What was bought, and whose it is: the line's owner.
OWNED = """
SELECT t.id, t.product, l.owner, t.creditedTo, t.facts FROM transactions t
JOIN lines l ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
"""
POSTED = "SELECT account, currency, sum(amount) FROM postings GROUP BY account, currency"


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
