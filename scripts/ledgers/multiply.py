"""Makes a large ledger of a small one of an earlier release: every account, with all that it bought, many times.

Each copy has IDs of its own: of accounts, receipts, transactions, notifications and deliveries. What the store signed is
signed again with them, by signers of our own, which the server is to trust besides the store's. The audit trail and the
sessions are of the first copy only: the trail is sealed. Receipts that no server verifies by itself, and those that were
rejected, keep their bytes.
"""

import base64
import hashlib
import re
import sqlite3
import uuid
from contextlib import closing

# Those that name others after those.
TABLES = (
    "accounts", "receipts", "receiptTransactions", "lines", "lineMoves", "transactions", "renewals", "deliveries",
    "postings", "balances", "spends", "adjustments", "notifications", "unclaimedTransactions", "consumptionRequests",
    "refunds", "provisionalPurchases", "manifestDeliveries")
# Xcode counts its transactions from 0; the store's are numbers as long as these. So are those of line items, which stay:
# they name nothing in a ledger.
SHORT_ID = re.compile(r"\d{1,3}")
TOKEN = re.compile(
    r'(?P<member>"(?:id|originalID|transactionId|originalTransactionId)":")(?P<short>\d{1,3})"'
    r'|(?<!webOrderLineItemI[dD]":")\b(?P<transaction>2\d{15})\b'
    r"|(?P<uuid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
    r"|(?P<id>\b[rd]_)[\w-]{22}|(?P<first>\bv1-)[0-9a-f]{64}")
# In an app receipt: a text of 16 characters.
TRANSACTION_IN_DER = re.compile(rb"\x0c\x10(2\d{15})")
ID_COLUMNS = ("id", "originalID", "transactionID")
MOST_COPIES = 1_000


class Names:
    """The names of one copy for the names of the first; each is as long as that one but for Xcode's."""

    def __init__(self, copy):
        self.copy = copy

    def digest(self, text):
        return hashlib.sha256(f"{self.copy} {text}".encode()).digest()

    def transaction(self, text):
        return f"2{self.copy:03}{text[4:]}"

    def short(self, text):
        return f"{self.copy}{text:0>3}"

    def uuid(self, text):
        name = str(uuid.UUID(bytes=self.digest(text.lower())[:16], version=4))
        return name.upper() if text == text.upper() else name

    def renamed(self, match):
        text = match.group()
        if match["short"]:
            return f'{match["member"]}{self.short(match["short"])}"'
        if match["transaction"]:
            return self.transaction(text)
        if match["uuid"]:
            return self.uuid(text)
        if match["first"]:
            return match["first"] + self.digest(text).hex()
        return match["id"] + base64.urlsafe_b64encode(self.digest(text)[:16]).decode().rstrip("=")

    def text(self, text):
        return TOKEN.sub(self.renamed, text)

    def bytes(self, content):
        return TRANSACTION_IN_DER.sub(
            lambda match: match.group()[:2] + self.transaction(match[1].decode()).encode(), content)

    def value(self, column, value):
        if not isinstance(value, str):
            return value
        return self.short(value) if column in ID_COLUMNS and SHORT_ID.fullmatch(value) else self.text(value)


class Multiplier:
    def __init__(self, database, signers):
        self.database, self.signers = database, signers
        database.row_factory = sqlite3.Row
        self.rows = {table: database.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}

    def multiply(self, copies):
        if copies > MOST_COPIES:
            raise ValueError(f"{copies} copies; IDs have room for {MOST_COPIES}")
        for copy in range(1, copies):
            names = Names(copy)
            for table in TABLES:
                self.insert(table, [self.copied(table, row, names) for row in self.rows[table]])
            self.database.commit()

    def copied(self, table, row, names):
        values = {column: names.value(column, row[column]) for column in row.keys()}
        if table == "accounts":
            values["recoveryCode"] = names.digest(row["recoveryCode"].hex())
        elif table == "receipts":
            values["content"] = self.receipt(row, names)
            values["digest"] = hashlib.sha256(values["content"].encode()).digest()
        elif table == "notifications":
            signed = row["content"].count(".") == 2
            values["content"] = self.signers.jws(row["content"], names.text) if signed else row["content"]
        elif table == "postings":
            values["sequence"] = None  # The next one.
        return values

    def receipt(self, row, names):
        content = row["content"]
        if row["kind"] == "transactionID":
            return names.text(content)
        if row["status"] == "rejected" or not content:
            return content
        if row["kind"] == "signedTransaction":
            return self.signers.jws(content, names.text)
        return self.signers.app_receipt(content, names.bytes) if row["kind"] == "appReceipt" else content

    def insert(self, table, rows):
        if rows:
            places = ", ".join(f":{column}" for column in rows[0])
            self.database.executemany(f"INSERT INTO {table} VALUES ({places})", rows)


def multiply(path, copies, signers):
    """Writes into the ledger at the path until it has so many copies, the first included."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA synchronous = OFF")
        Multiplier(database, signers).multiply(copies)
