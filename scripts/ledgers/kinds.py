"""What a ledger has of each kind, and what one of every kind has at least once."""

GROUPS = {
    "receipt": "SELECT kind || ' ' || status || coalesce(' ' || rejection, ''), count(*) FROM receipts GROUP BY 1",
    "audit": "SELECT kind, count(*) FROM audit GROUP BY 1",
    "posting": "SELECT kind, count(*) FROM postings GROUP BY 1",
    "owner": "SELECT basis, count(*) FROM lines GROUP BY 1",
    "notification": "SELECT type || coalesce(' ' || subtype, ''), count(*) FROM notifications GROUP BY 1",
    "environment": "SELECT environment, count(*) FROM transactions GROUP BY 1",
    "ownership": "SELECT coalesce(json_extract(facts, '$.ownershipType'), 'PURCHASED'), count(*) FROM transactions GROUP BY 1",
    "type": "SELECT coalesce(json_extract(facts, '$.productType'), 'unknown'), count(*) FROM transactions GROUP BY 1",
}
# By the names of both releases, where a later one has another.
REQUIRED = [
    *(f"receipt {kind} verified" for kind in (
        "signedTransaction", "appReceipt", "transactionReceipt", "transactionID")),
    *(f"receipt {kind} pending" for kind in ("appReceipt", "transactionReceipt", "transactionID")),
    *(f"receipt {kind}" for kind in (
        "signedTransaction rejected signature", "signedTransaction rejected bundleID", "appReceipt rejected malformed",
        "transactionReceipt rejected signature", "transactionID rejected notFound")),
    *(f"posting {kind}" for kind in ("credit", "spend", "refund", "adjustment", "forgiveness")),
    *(f"owner {basis}" for basis in ("token", "presented", "administrator")),
    *(f"environment {name}" for name in ("Production", "Sandbox", "Xcode")),
    *(f"ownership {name}" for name in ("PURCHASED", "FAMILY_SHARED")),
    *(f"type {name}" for name in (
        "consumable", "non-consumable", "non-renewing", "auto-renewable", "unknown")),
    *(f"notification {name}" for name in (
        "ONE_TIME_CHARGE", "SUBSCRIBED INITIAL_BUY", "SUBSCRIBED RESUBSCRIBE", "DID_RENEW", "REFUND", "REFUND_REVERSED",
        "REVOKE", "EXPIRED VOLUNTARY", "DID_FAIL_TO_RENEW GRACE_PERIOD", "PRICE_INCREASE ACCEPTED", "RENEWAL_EXTENDED",
        "CONSUMPTION_REQUEST", "INITIAL_BUY")),
    *(f"audit {name}" for name in (
        "account.blocked", "account.unblocked", "beta.added", "bundle.published", "bundle.yanked", "bundle.restored",
        "catalog.replaced", "credits.adjusted", "delivery.mismatch", "product.added", "receipt.presentedAgain",
        "receipt.unreadable", "sandbox.reset", "session.closed", "sessions.revoked", "terms.bound", "tester.added")),
]


def count(database):
    tables = database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").fetchall()
    found = {f"table {table}": database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for (table,) in tables}
    for group, statement in GROUPS.items():
        found.update({f"{group} {value}": number for value, number in database.execute(statement)})
    return found


def missing(found):
    return sorted({kind for kind, number in found.items() if number == 0} | (set(REQUIRED) - set(found)))
