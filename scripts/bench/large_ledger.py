"""Makes a large ledger of a small one: every account with all that it bought, many times, in random order.

What is copied is what requests read and write. Copies have IDs of their own, but no bytes of receipts, no sessions and
no rows in the audit trail, which is sealed: they cannot sign in, and `ledger rebuild` cannot read their receipts again.

Each table gets its rows in the order of its primary key, and its other indexes afterwards: each page is written once.
"""

import base64
import random
import re
import sqlite3
import uuid
from contextlib import closing
from dataclasses import dataclass

# With the column that names the account of a row, or its transaction. Receipts and postings are found by these.
OF_ACCOUNTS = {"accounts": "id", "balances": "account", "historyRevisions": "account"}
OF_TRANSACTIONS = {"transactions": "id", "lines": "originalID", "receiptTransactions": "id", "deliveries": "id"}
CONDENSED, POSTINGS, RECEIPTS = "standings", "postings", "receipts"
# Tables whose keys begin with the account. Those of the others are given out in the order of the rows.
BY_ACCOUNT = [*OF_ACCOUNTS, CONDENSED, "deliveries"]
BY_TRANSACTION = ["transactions", "lines", "receiptTransactions", RECEIPTS, POSTINGS]
# The ledger numbers postings itself, and the bytes of receipts would be most of it.
LEFT_OUT = {POSTINGS: "sequence", RECEIPTS: "packed"}
# Digests, which are unique.
FRESH, FRESH_BYTES = {"accounts": "recoveryCode", RECEIPTS: "digest"}, 32
NAME = re.compile(r"\b(2\d{15}\b|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|r_[\w-]{22})")
# Those of the signer begin with 2, too; random ones of 15 digits hardly meet these.
FIRST_ID = 29 * 10 ** 14
RANDOM_CHARACTERS = 21  # of the 22 in the name of a receipt: the last one has two bits
CACHE_KIB = 1 << 20


@dataclass(frozen=True)
class Names:
    """The names of an account and of its purchases, and the place of each among those of a copy."""

    pattern: re.Pattern
    marker: str | bytes
    places: dict

    @staticmethod
    def condensed(places):
        """As they are in condensed histories."""
        found = {compact(name): place for name, place in places.items()}
        return Names(re.compile(b"(%b)" % b"|".join(map(re.escape, found)), re.DOTALL), b"%b", found)

    def format(self, value):
        """The value with markers for names, and the places of these."""
        parts, found, percent = [], [], self.marker[:1]
        for part in self.pattern.split(value):
            place = self.places.get(part)
            if place is not None:
                found.append(place)
            # A name that is none of these is of the store: the same in all copies.
            parts.append(part.replace(percent, percent * 2) if place is None else self.marker)
        return self.marker[:0].join(parts), found


class Pattern:
    """A row of the small ledger, and where names go in it."""

    def __init__(self, row, names, fresh):
        self.values, self.names, self.formats, self.fresh = list(row), [], [], fresh
        for column, value in enumerate(row):
            if not isinstance(value, type(names.marker)):
                continue
            text, places = names.format(value)
            if text == names.marker:
                self.names.append((column, places[0]))
            elif places:
                self.formats.append((column, text, places))

    def value(self, column):
        """What stands there in all copies; None where they differ."""
        changing = {self.fresh, *(each for each, *_ in self.names + self.formats)}
        return None if column in changing else (self.values[column],)

    def keep(self, kept):
        """Leaves out the other columns."""
        self.values = [self.values[column] for column in kept]
        self.names = [(kept.index(column), place) for column, place in self.names]
        self.formats = [(kept.index(column), *others) for column, *others in self.formats]
        self.fresh = kept.index(self.fresh) if self.fresh is not None else None

    def row(self, names, digest):
        row = self.values.copy()
        for column, place in self.names:
            row[column] = names[place]
        for column, text, places in self.formats:
            row[column] = text % tuple([names[place] for place in places])
        if self.fresh is not None:
            row[self.fresh] = digest(FRESH_BYTES)
        return row


class Sample:
    """An account of the small ledger: its rows in each table, and those of each of its transactions."""

    def __init__(self, database, columns, account):
        self.database, self.columns = database, columns
        self.ids = [each for [each] in database.execute(
            "SELECT id FROM transactions WHERE creditedTo = ? ORDER BY purchasedAt, id", (account,))]
        self.places = {account: 0} | {each: number for number, each in enumerate(self.ids, 1)}
        self.receipts = [each for [each] in database.execute("SELECT id FROM receipts WHERE account = ?", (account,))]
        names = Names(NAME, "%s", self.places | {account.upper(): 0})
        self.rows = {table: self.patterns(table, column, account, names) for table, column in OF_ACCOUNTS.items()}
        self.rows[CONDENSED] = self.patterns(CONDENSED, "account", compact(account), Names.condensed(self.places))
        self.transactions = [self.of_transaction(each, names) for each in self.ids]
        self.rows["deliveries"] = [each for found in self.transactions for each in found.pop("deliveries")]

    def of_table(self, table):
        return self.rows.get(table) or [each for found in self.transactions for each in found.get(table, [])]

    def patterns(self, table, column, value, names):
        columns = self.columns[table]
        rows = self.database.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE {column} = ?", (value,))
        fresh = columns.index(FRESH[table]) if table in FRESH else None
        return [Pattern(row, names, fresh) for row in rows]

    def of_transaction(self, identifier, names):
        """Each with a receipt of its own."""
        receipt = len(self.ids) + self.places[identifier]
        names = Names(NAME, "%s", names.places | {each: receipt for each in self.receipts})
        found = {table: self.patterns(table, column, identifier, names) for table, column in OF_TRANSACTIONS.items()}
        receipts = self.causes("SELECT receipt FROM receiptTransactions WHERE id = ?", identifier)
        told = self.causes("SELECT notification FROM deliveries WHERE id = ?", identifier)
        found[RECEIPTS] = [row for each in receipts for row in self.patterns(RECEIPTS, "id", each, names)]
        found[POSTINGS] = [
            row for each in {identifier, *receipts, *told} for row in self.patterns(POSTINGS, "cause", each, names)]
        return found

    def causes(self, query, identifier):
        return [each for [each] in self.database.execute(query, (identifier,)) if each]


class LargeLedger:
    """Writes into a ledger that no server has open."""

    def __init__(self, path, accounts, seed=1):
        self.random, self.path = random.Random(seed), path
        with closing(sqlite3.connect(path)) as database:
            self.columns = {table: columns(database, table) for table in BY_ACCOUNT + BY_TRANSACTION}
            self.samples = [Sample(database, self.columns, account) for account in accounts]
            self.statements = {table: self.statement(database, table) for table in self.columns}

    def statement(self, database, table):
        """Inserts a row; what all rows have in common is in it, which takes half of the time."""
        patterns = [each for sample in self.samples for each in sample.of_table(table)]
        values = [{each.value(column) for each in patterns} for column in range(len(self.columns[table]))]
        kept = [column for column, found in enumerate(values) if len(found) != 1 or None in found]
        for each in patterns:
            each.keep(kept)
        texts = [
            "?" if column in kept else database.execute("SELECT quote(?)", found.pop()).fetchone()[0]
            for column, found in enumerate(values)]
        return f"INSERT INTO {table} ({', '.join(self.columns[table])}) VALUES ({', '.join(texts)})"

    def grow(self, accounts):
        """Until there are so many accounts more; all copies have the same share of the samples."""
        with closing(sqlite3.connect(self.path)) as database:
            for setting in (
                    "synchronous = OFF", "journal_mode = OFF", "locking_mode = EXCLUSIVE", "temp_store = MEMORY",
                    f"cache_size = -{CACHE_KIB}"):
                database.execute(f"PRAGMA {setting}")
            triggers, indexes = self.without_triggers(database), self.without_indexes(database)
            self.write(database, accounts)
            for text in indexes + triggers + ["ANALYZE"]:
                database.execute(text)
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

    def without_indexes(self, database):
        """But for those of keys, which cannot be dropped."""
        found = database.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
        found = [(name, text) for name, table, text in found.fetchall() if table in self.columns]
        for name, _ in found:
            database.execute(f"DROP INDEX {name}")
        return [text for _, text in found]

    def write(self, database, accounts):
        copies, purchases = self.copies(accounts)
        for table in BY_ACCOUNT:
            self.insert(database, table, (
                (sample.rows[table], condensed(names) if table == CONDENSED else names) for names, sample in copies))
        for table in BY_TRANSACTION:
            self.insert(database, table, ((found[table], names) for names, found in purchases))
        database.commit()

    def insert(self, database, table, rows):
        digest = self.random.randbytes
        database.executemany(
            self.statements[table], (pattern.row(names, digest) for patterns, names in rows for pattern in patterns))

    def copies(self, accounts):
        """The names and the sample of each account in the order of their IDs; the names of each purchase's account and
        its rows, in the order of theirs, so that those of an account stand far apart."""
        chosen = [self.samples[number % len(self.samples)] for number in range(accounts)]
        order = list(range(sum(len(each.ids) for each in chosen)))
        self.random.shuffle(order)
        ids = [str(FIRST_ID + number) for number in range(len(order))]
        receipts, copies, purchases, first = self.receipts(len(order)), [], order.copy(), 0
        for account, sample in zip(self.accounts(accounts), chosen):
            numbers = order[first:first + len(sample.ids)]
            names = [account, *(ids[each] for each in numbers), *(receipts[each] for each in numbers)]
            copies.append((names, sample))
            for number, patterns in zip(numbers, sample.transactions):
                purchases[number] = names, patterns
            first += len(numbers)
        return copies, purchases

    def accounts(self, count):
        return sorted(str(uuid.UUID(int=self.random.getrandbits(128), version=4)) for _ in range(count))

    def receipts(self, count):
        text = base64.urlsafe_b64encode(self.random.randbytes(count * RANDOM_CHARACTERS)).decode()
        starts = range(0, count * RANDOM_CHARACTERS, RANDOM_CHARACTERS)
        return sorted(f"r_{text[start:start + RANDOM_CHARACTERS]}A" for start in starts)


def columns(database, table):
    found = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
    return [each for each in found if each != LEFT_OUT.get(table)]


def condensed(names):
    """Those of receipts are not in condensed histories."""
    return [compact(name) for name in names[:len(names) // 2 + 1]]


def compact(name):
    """A name in a condensed history: an account's UUID, or a transaction ID as seven bits a byte, the lowest first."""
    if "-" in name:
        return uuid.UUID(name).bytes
    rest, found = int(name), bytearray()
    while rest > 0x7F:
        found.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*found, rest])
