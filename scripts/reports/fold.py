#!/usr/bin/env python3
"""Computes reports from the rows of an SQLite ledger, by code that shares nothing with the server's.

    scripts/reports/fold.py LEDGER < QUERIES

Each line of standard input is a query, for example

    {"report": "purchases", "by": "day", "from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z",
     "environment": "Production", "app": null, "served": ["com.example.hangman"], "at": "2026-12-01T00:00:00Z"}

and each line of standard output its answer, the rows, the total and the numbers of other apps than the served ones as
GET /admin/v1/reports has them; `at` is the time of the report. The whole ledger is in memory: this is a check, see docs/operate/reports.md for what is counted.
"""

import collections
import datetime
import json
import re
import sqlite3
import sys

MAXIMUM = 2**63 - 1
OFFERS = {1: "introductory", 2: "promotional", 3: "offerCode", 4: "winBack"}
END_REASONS = {1: "cancelled", 2: "billing", 3: "priceIncrease", 4: "unavailable"}
COLUMNS = {
    # No history that is compared has seats, which have tests of their own.
    "purchases": ["purchases", "renewals", "seatAdditions", "units", "refundedSeats", "trials", "offers", "types",
                  "revenue", "unpriced"],
    "subscriptions": ["starts", "restarts", "upgrades", "renewals", "trials", "conversions", "offers", "ends", "active"],
    "refunds": ["refunds", "full", "partial", "percentages", "reasons", "refunded", "unpriced"],
}
NAMED = {"offers", "types", "revenue", "ends", "percentages", "reasons", "refunded"}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def milliseconds(text):
    span = datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH
    return span // datetime.timedelta(milliseconds=1)


def day(instant):
    return (EPOCH + datetime.timedelta(days=instant // 86_400_000)).strftime("%Y-%m-%d")


def version(text):
    """The version of an app, if it is up to three integers with periods between them."""
    parts = text.split(".")
    is_known = len(parts) <= 3 and all(re.fullmatch("[0-9]+", part) and int(part) <= MAXIMUM for part in parts)
    return text if is_known else "unknown"


def whole(facts, *columns):
    """The facts of a claimed transaction, which are not those that its columns and the usual values tell."""
    if facts.startswith('{"app":'):
        return json.loads(facts)  # Of an earlier version.
    names = ("app", "environment", "id", "originalID", "productID", "purchaseDate", "expirationDate")
    return {
        "quantity": 1, "isUpgraded": False, "ownershipType": "PURCHASED",
        **{name: value for name, value in zip(names, columns) if value is not None}, **json.loads(facts),
    }


class Purchase:
    """A transaction, with the facts that reports need."""

    def __init__(self, facts, terms_type):
        details = facts.get("details") or {}
        self.details = details
        self.app, self.environment = facts["app"], facts["environment"]
        self.id, self.original = facts["id"], facts["originalID"]
        self.product = facts["productID"]
        self.bought, self.end = facts["purchaseDate"], facts.get("expirationDate")
        self.revocation = facts.get("revocation")
        self.refunded = self.revocation["date"] if self.revocation else None
        self.quantity = max(0, facts["quantity"])
        self.is_upgraded = facts["isUpgraded"]
        self.is_own = facts["ownershipType"] == "PURCHASED"
        proven = facts.get("productType") or ("auto-renewable" if self.end is not None else None)
        self.type = proven or terms_type or "unknown"
        self.renews = facts.get("productType") == "auto-renewable" or self.end is not None
        self.storefront = details.get("storefront", "unknown")
        self.version = version(details.get("appVersion", ""))
        self.item = details.get("webOrderLineItemID")
        reason = details.get("reason")
        self.is_renewal = reason == "RENEWAL" if reason is not None else self.id != self.original
        offer = details.get("offer")
        self.is_trial = bool(
            details.get("isTrialPeriod") or (offer or {}).get("discountType") == "FREE_TRIAL"
            or ((offer or {}).get("type") == 1 and details.get("price") == 0))
        if offer is not None and offer.get("type") is not None:
            self.offer = OFFERS.get(offer["type"], "other")
        elif details.get("isIntroductoryPeriod"):
            self.offer = "introductory"
        else:
            self.offer = None if offer is None else "other"
        price = details.get("price")
        is_priced = price is not None and price >= 0 and "currency" in details
        self.price = (details["currency"], price) if is_priced else None
        self.earlier = self.later = None

    def is_sale(self):
        if not self.is_own or not (self.renews or self.id == self.original):
            return False
        return self.item is None or self.earlier is None or self.earlier.item != self.item

    def share(self):
        """The refunded share in thousandths of a percent."""
        percentage = self.revocation.get("percentage")
        return percentage if percentage is not None and 0 <= percentage <= 100_000 else 100_000

    def refund_reason(self):
        reason = self.revocation.get("reason")
        stated = self.details.get("revocation")
        if stated is not None and stated["date"] == self.refunded and stated.get("reason") is not None:
            reason = stated["reason"] if reason is None else max(reason, stated["reason"])
        return "unknown" if reason is None else "appIssue" if reason == 1 else "other"

    def is_family_revocation(self):
        stated = self.details.get("revocation")
        return stated is not None and stated["date"] == self.refunded and stated.get("type") == "FAMILY_REVOKE"

    def beginning(self):
        if self.is_renewal:
            return "renewals"
        if self.id == self.original:
            return "starts"
        if self.earlier is None:
            return "restarts"
        if self.earlier.is_upgraded:
            return "upgrades"
        ends = [each for each in (self.earlier.end, self.earlier.refunded) if each is not None]
        return "restarts" if any(each <= self.bought for each in ends) else "upgrades"

    def stops(self, instant):
        """Whether the subscription does not go on at the instant, but with a later purchase."""
        return self.later is None or (not self.later.is_renewal and self.later.bought >= instant)


class Books:
    """All transactions of a ledger, and the renewals of their subscriptions."""

    def __init__(self, path):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        types = {key: json.loads(product).get("type") for key, product in database.execute(
            "SELECT hash, product FROM terms")}
        self.renewals = {tuple(row[:3]): json.loads(row[3]) for row in database.execute(
            "SELECT app, environment, originalID, facts FROM renewals")}
        owned = set(database.execute("SELECT app, environment, originalID FROM lines"))
        # A purchase that has several IDs counts once, by the copy that gave it its name.
        rows = [(True, whole(*row[1:]), row[0]) for row in database.execute("""
            SELECT terms, coalesce(purchaseFacts, facts), app, environment, id, originalID, product, purchasedAt, expiresAt
            FROM transactions WHERE forgottenAt IS NULL AND (purchase IS NULL OR purchase = id)""")]
        rows += [(False, json.loads(facts), terms) for facts, terms in database.execute(
            "SELECT facts, terms FROM unclaimedTransactions")]
        self.purchases = []
        lines = collections.defaultdict(list)
        for is_claimed, facts, terms in rows:
            purchase = Purchase(facts, types.get(terms))
            line = (purchase.app, purchase.environment, purchase.original)
            if is_claimed or line not in owned:
                self.purchases.append(purchase)
                lines[line].append(purchase)
        for line in lines.values():
            line.sort(key=lambda each: (each.bought, each.id))
            for earlier, later in zip(line, line[1:]):
                # Only periods have neighbours.
                if later.end is not None:
                    later.earlier = earlier
                if earlier.end is not None:
                    earlier.later = later

    def end(self, purchase, now):
        """When and why the subscription ended with this period; None if it did not."""
        if not purchase.is_own or purchase.is_upgraded or purchase.end is None:
            return None
        if purchase.refunded is not None and purchase.refunded < purchase.end:
            return (purchase.refunded, "refunded") if purchase.stops(purchase.refunded) else None
        if purchase.end > now or not purchase.stops(purchase.end):
            return None
        facts = self.renewals.get((purchase.app, purchase.environment, purchase.original))
        if purchase.later is not None or facts is None or facts["signedDate"] < purchase.bought:
            return purchase.end, "unknown"
        if facts["isInBillingRetry"] or facts.get("gracePeriodExpirationDate", now) > now:
            return None
        intent = facts.get("expirationReason")
        return purchase.end, "unknown" if intent is None else END_REASONS.get(intent, "other")


class Tally:
    def __init__(self):
        self.numbers = collections.Counter()

    def add(self, column, amount=1, name=None):
        self.numbers[column, name] = min(MAXIMUM, self.numbers[column, name] + amount)

    def columns(self, kind):
        return {
            column: {name: number for (each, name), number in self.numbers.items() if each == column}
            if column in NAMED else self.numbers[column, None]
            for column in COLUMNS[kind]
        }


class Report:
    def __init__(self, books, query):
        self.books, self.kind, self.by = books, query["report"], query["by"]
        self.start, self.end = milliseconds(query["from"]), milliseconds(query["to"])
        self.now = milliseconds(query["at"])
        self.rows, self.total = collections.defaultdict(Tally), Tally()
        self.served, self.others = query.get("served"), collections.defaultdict(Tally)
        for purchase in books.purchases:
            if purchase.environment == query["environment"] and query.get("app") in (None, purchase.app):
                getattr(self, self.kind)(purchase)

    def has(self, instant):
        return instant is not None and self.start <= instant < self.end

    def tallies(self, purchase, instant):
        if self.served is not None and purchase.app not in self.served:
            return [self.others[purchase.app]]
        names = {"day": instant and day(instant), "product": purchase.product, "storefront": purchase.storefront,
                 "version": purchase.version}
        row = names[self.by]
        return [self.total] + ([self.rows[row]] if row is not None else [])

    def purchases(self, purchase):
        if not self.has(purchase.bought) or not purchase.is_sale():
            return
        for tally in self.tallies(purchase, purchase.bought):
            tally.add("renewals" if purchase.is_renewal else "purchases")
            tally.add("units", purchase.quantity)
            tally.add("types", 1, purchase.type)
            self.add_terms(tally, purchase)
            self.add_price(tally, purchase, "revenue", 100_000)

    def subscriptions(self, purchase):
        if purchase.renews and self.has(purchase.bought) and purchase.is_sale():
            for tally in self.tallies(purchase, purchase.bought):
                tally.add(purchase.beginning())
                earlier = purchase.earlier
                if earlier is not None and earlier.is_trial and not purchase.is_trial:
                    tally.add("conversions")
                self.add_terms(tally, purchase)
        end = self.books.end(purchase, self.now)
        if end is not None and self.has(end[0]):
            for tally in self.tallies(purchase, end[0]):
                tally.add("ends", 1, end[1])
        last = min(self.end, self.now)
        is_covered = purchase.end is not None and purchase.bought <= last < purchase.end
        is_last = purchase.later is None or purchase.later.bought > last
        is_refunded = purchase.refunded is not None and purchase.refunded <= last
        if purchase.is_own and is_covered and is_last and not is_refunded:
            for tally in self.tallies(purchase, None):
                tally.add("active")

    def refunds(self, purchase):
        if not self.has(purchase.refunded) or not purchase.is_sale() or purchase.is_family_revocation():
            return
        share = purchase.share()
        for tally in self.tallies(purchase, purchase.refunded):
            tally.add("refunds")
            tally.add("full" if share == 100_000 else "partial")
            if share != 100_000:
                tally.add("percentages", 1, str(share // 1_000))
            tally.add("reasons", 1, purchase.refund_reason())
            self.add_price(tally, purchase, "refunded", share)

    def add_terms(self, tally, purchase):
        if purchase.is_trial:
            tally.add("trials")
        if purchase.offer is not None:
            tally.add("offers", 1, purchase.offer)

    def add_price(self, tally, purchase, column, share):
        if purchase.price is None:
            tally.add("unpriced")
        else:
            currency, price = purchase.price
            # To the nearest whole number, halves down.
            tally.add(column, (2 * price * share + 99_999) // 200_000, currency)

    def answer(self):
        rows = []
        for name in sorted(self.rows):
            columns = self.rows[name].columns(self.kind)
            if self.by == "day":
                columns.pop("active", None)
            rows.append({self.by: name, **columns})
        others = [{"app": app, **self.others[app].columns(self.kind)} for app in sorted(self.others)]
        return {"rows": rows, "total": self.total.columns(self.kind), "notServed": others or None}


def main():
    books = Books(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(Report(books, json.loads(line)).answer(), sort_keys=True))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
