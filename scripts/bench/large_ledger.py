"""Makes a large ledger of a small one: every account with all that it bought, many times, in random order.

What is copied is what requests read and write. Copies have IDs of their own, but no bytes of receipts, no sessions and
no rows in the audit trail, which is sealed: they cannot sign in, and `ledger rebuild` cannot read their receipts again.
"""

import base64
import random
import re
import sqlite3
import uuid
from contextlib import closing

# With the column that names the transaction of a row; the rows of the others come once for each account.
OF_TRANSACTIONS = {"transactions": "id", "lines": "originalID", "deliveries": "id", "receiptTransactions": "id"}
CONDENSED = "standings"
OF_ACCOUNTS = {"accounts": "id", "balances": "account", CONDENSED: "account", "historyRevisions": "account"}
# In random order, so they would be counted again.
TRIGGERED = "transactions"
NAME = re.compile(r"\b2\d{15}\b|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|\br_[\w-]{22}")
# Those of the signer begin with 2, too; random ones of 15 digits hardly meet these.
FIRST_ID = 29 * 10 ** 14
BATCH = 20_000  # rows in a statement
CACHE_KIB = 4 << 20


class Pattern:
    """A row of the small ledger, with places for the names in it."""

    def __init__(self, table, row, columns, names):
        self.names = {compact(name): key for name, key in names.items() if table == CONDENSED and key != "receipt"}
        self.values = [self.text(value, names) for value in row]
        places = ", ".join("?" * len(columns))
        self.statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"

    @staticmethod
    def text(value, names):
        """A value, or a format with the places of its names."""
        if not isinstance(value, str) or not NAME.search(value):
            return value, None
        places = []

        def place(match):
            key = names.get(match.group().lower())
            if key is None:
                return match.group()  # Of the store: the same in all copies.
            places.append(key)
            return "%s"

        return NAME.sub(place, value.replace("%", "%%")), places

    def row(self, names):
        return [
            self.renamed(value, names) if places is None else value % tuple(names[place] for place in places)
            for value, places in self.values]

    def renamed(self, value, names):
        """Names of the same length in bytes, as those of all copies are."""
        if isinstance(value, bytes):
            for name, key in self.names.items():
                value = value.replace(name, compact(names[key]))
        return value


class Sample:
    """An account of the small ledger: the rows that it has, and those of each transaction."""

    def __init__(self, database, account):
        self.names = {account: "account"}
        self.ids = [each for [each] in database.execute(
            "SELECT id FROM transactions WHERE creditedTo = ? ORDER BY purchasedAt, id", (account,))]
        self.names |= {each: number for number, each in enumerate(self.ids)}
        receipts = database.execute("SELECT id FROM receipts WHERE account = ?", (account,)).fetchall()
        self.names |= {each.lower(): "receipt" for [each] in receipts}
        self.rows = [
            pattern for table, column in OF_ACCOUNTS.items()
            for pattern in self.patterns(database, table, column, compact(account) if table == CONDENSED else account)]
        self.transactions = [self.of_transaction(database, each) for each in self.ids]

    def patterns(self, database, table, column, value, left_out=()):
        cursor = database.execute(f"SELECT * FROM {table} WHERE {column} = ?", (value,))
        columns = [each[0] for each in cursor.description]
        kept = [number for number, each in enumerate(columns) if each not in left_out]
        for row in cursor.fetchall():
            yield Pattern(table, [row[each] for each in kept], [columns[each] for each in kept], self.names)

    def of_transaction(self, database, identifier):
        found = [
            pattern for table, column in OF_TRANSACTIONS.items()
            for pattern in self.patterns(database, table, column, identifier)]
        receipts = database.execute("SELECT receipt FROM receiptTransactions WHERE id = ?", (identifier,)).fetchall()
        told = database.execute("SELECT notification FROM deliveries WHERE id = ?", (identifier,)).fetchall()
        for cause in {identifier, *(each for [each] in receipts + told if each)}:
            found += self.patterns(database, "postings", "cause", cause, left_out=["sequence"])
        for [receipt] in receipts:
            found += self.patterns(database, "receipts", "id", receipt, left_out=["packed"])
        return found


class LargeLedger:
    """Writes into a ledger that no server has open."""

    def __init__(self, path, accounts, seed=1):
        self.random, self.path = random.Random(seed), path
        with closing(sqlite3.connect(path)) as database:
            self.samples = [Sample(database, account) for account in accounts]

    def grow(self, accounts):
        """Until there are so many accounts more; all copies have the same share of the samples."""
        with closing(sqlite3.connect(self.path)) as database:
            for setting in ("synchronous = OFF", "journal_mode = OFF", f"cache_size = -{CACHE_KIB}"):
                database.execute(f"PRAGMA {setting}")
            triggers = self.without_triggers(database)
            copies = self.copies(accounts)
            self.write(database, (row for copy in copies for row in copy.account_rows()))
            self.write(database, self.transaction_rows(copies))
            for text in triggers:
                database.execute(text)
            database.execute("ANALYZE")
            database.commit()
            database.execute("PRAGMA journal_mode = WAL")

    @staticmethod
    def without_triggers(database):
        found = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            " AND (name LIKE '%Histor%' OR name LIKE '%Reports%')").fetchall()
        for name, _ in found:
            database.execute(f"DROP TRIGGER {name}")
        return [text for _, text in found]

    def copies(self, accounts):
        chosen = [self.samples[number % len(self.samples)] for number in range(accounts)]
        count = sum(len(each.ids) for each in chosen)
        self.order = list(range(count))
        self.random.shuffle(self.order)
        found, first = [], 0
        for sample in chosen:
            found.append(Copy(self, sample, first))
            first += len(sample.ids)
        return found

    def transaction_rows(self, copies):
        """In the order of their new IDs, so that those of an account stand far apart."""
        places = [(copy, number) for copy in copies for number in range(len(copy.sample.ids))]
        by_order = [None] * len(places)
        for place, position in zip(places, self.order):
            by_order[position] = place
        return (row for copy, number in by_order for row in copy.transaction_rows(number))

    @staticmethod
    def write(database, rows):
        waiting, count = {}, 0
        for statement, row in rows:
            waiting.setdefault(statement, []).append(row)
            count += 1
            if count % BATCH == 0:
                flush(database, waiting)
        flush(database, waiting)
        database.commit()


class Copy:
    """An account of the large ledger."""

    def __init__(self, ledger, sample, first):
        self.ledger, self.sample, self.first = ledger, sample, first
        self.account = str(uuid.UUID(int=ledger.random.getrandbits(128), version=4))

    def __getitem__(self, name):
        if name == "account":
            return self.account
        return self.receipt if name == "receipt" else str(FIRST_ID + self.ledger.order[self.first + name])

    def account_rows(self):
        for pattern in self.sample.rows:
            row = pattern.row(self)
            yield pattern.statement, row if pattern.names else [self.fresh(value) for value in row]

    def transaction_rows(self, number):
        self.receipt = "r_" + self.random_text()
        for pattern in self.sample.transactions[number]:
            row = pattern.row(self)
            is_receipt = pattern.statement.startswith("INSERT INTO receipts ")
            yield pattern.statement, [self.fresh(value) for value in row] if is_receipt else row

    def fresh(self, value):
        """Digests and codes are unique; the bytes of receipts are left out."""
        if not isinstance(value, bytes):
            return value
        return self.ledger.random.randbytes(32)

    def random_text(self):
        return base64.urlsafe_b64encode(self.ledger.random.randbytes(16)).decode().rstrip("=")


def compact(name):
    """A name in a condensed history: an account's UUID, or a transaction ID as seven bits a byte, the lowest first."""
    if "-" in name:
        return uuid.UUID(name).bytes
    rest, found = int(name), bytearray()
    while rest > 0x7F:
        found.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*found, rest])


def flush(database, waiting):
    for statement, rows in waiting.items():
        database.executemany(statement, rows)
    waiting.clear()
