"""The large ledger that is made of a small one: copies with names of their own, and nothing of the originals."""

import sqlite3
import uuid
from contextlib import closing

import pytest

from large_ledger import FIRST_ID, NAME, LargeLedger, Names, Pattern, compact, condensed

ACCOUNT, OTHER = "5f0c3f0e-7d1c-4b6a-9a35-0c8c2f2f9a11", "0b0e5c1e-0000-4000-8000-000000000001"
FIRST, SECOND = "2000000000000001", "2000000000000002"
RECEIPT = "r_" + "a" * 22
# The columns that its queries name; a server has more, which are copied as they are.
TABLES = """
CREATE TABLE accounts (id TEXT PRIMARY KEY, recoveryCode BLOB UNIQUE, name TEXT);
CREATE TABLE balances (account TEXT, credits INTEGER);
CREATE TABLE historyRevisions (account TEXT, revision INTEGER);
CREATE TABLE standings (account BLOB, history BLOB);
CREATE TABLE transactions (id TEXT PRIMARY KEY, creditedTo TEXT, purchasedAt INTEGER, facts TEXT);
CREATE TABLE lines (originalID TEXT, owner TEXT);
CREATE TABLE receiptTransactions (receipt TEXT, id TEXT);
CREATE TABLE deliveries (id TEXT, notification TEXT);
CREATE TABLE receipts (id TEXT PRIMARY KEY, account TEXT, digest BLOB UNIQUE, packed BLOB);
CREATE TABLE postings (sequence INTEGER PRIMARY KEY, cause TEXT, account TEXT);
CREATE INDEX linesByOwner ON lines (owner);
CREATE TRIGGER countHistories AFTER INSERT ON transactions BEGIN SELECT 1; END;
"""


@pytest.mark.parametrize("text, number", [("0", 0), ("127", 127), ("128", 128), ("300", 300), (FIRST, int(FIRST))])
def test_an_id_is_condensed_to_seven_bits_a_byte(text, number):
    found = compact(text)
    assert sum((byte & 0x7F) << 7 * place for place, byte in enumerate(found)) == number
    assert all(byte & 0x80 for byte in found[:-1]) and not found[-1] & 0x80


def test_an_account_is_condensed_to_the_bytes_of_its_uuid_and_receipts_are_left_out():
    names = [ACCOUNT, FIRST, SECOND, RECEIPT, RECEIPT]
    assert condensed(names) == [uuid.UUID(ACCOUNT).bytes, compact(FIRST), compact(SECOND)]


NAMES = Names(NAME, "%s", {ACCOUNT: 0, FIRST: 1, RECEIPT: 2})


@pytest.mark.parametrize("value, text, places", [
    (FIRST, "%s", [1]), (f'{{"id":"{FIRST}","of":"{ACCOUNT}"}}', '{"id":"%s","of":"%s"}', [1, 0]),
    (f"{RECEIPT} and {RECEIPT}", "%s and %s", [2, 2]), ("nothing", "nothing", []),
    # Another's, or the store's: the same in all copies.
    (SECOND, SECOND, []), (f"100% of {FIRST}", "100%% of %s", [1]), (f"{FIRST}9", f"{FIRST}9", []),
])
def test_names_are_found_wherever_they_stand(value, text, places):
    assert NAMES.format(value) == (text, places)


def test_a_row_has_the_names_of_the_copy_and_a_digest_of_its_own():
    pattern = Pattern([FIRST, f"50% of {ACCOUNT}", 7, b"old", None], NAMES, fresh=3)
    assert pattern.row([OTHER, SECOND, "r"], bytes) == [SECOND, f"50% of {OTHER}", 7, bytes(32), None]
    assert [pattern.value(column) for column in range(5)] == [None, None, (7,), None, (None,)]
    pattern.keep([0, 1, 3])
    assert pattern.row([OTHER, SECOND, "r"], bytes) == [SECOND, f"50% of {OTHER}", bytes(32)]


@pytest.fixture
def grown(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(TABLES)
        database.execute("INSERT INTO accounts VALUES (?, ?, 'x')", (ACCOUNT, b"code"))
        database.execute("INSERT INTO balances VALUES (?, 5)", (ACCOUNT,))
        database.execute("INSERT INTO standings VALUES (?, ?)", (compact(ACCOUNT), b"h" + compact(FIRST) + b"%"))
        database.execute("INSERT INTO receipts VALUES (?, ?, ?, ?)", (RECEIPT, ACCOUNT, b"digest", b"packed"))
        for number, each in enumerate((FIRST, SECOND)):
            database.execute("INSERT INTO transactions VALUES (?, ?, ?, ?)",
                (each, ACCOUNT, number, f'{{"id":"{each}"}}'))
            database.execute("INSERT INTO lines VALUES (?, ?)", (each, ACCOUNT))
            database.execute("INSERT INTO receiptTransactions VALUES (?, ?)", (RECEIPT, each))
            database.execute("INSERT INTO deliveries VALUES (?, NULL)", (each,))
            database.execute("INSERT INTO postings VALUES (NULL, ?, ?)", (each, ACCOUNT))
        schema = database.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        database.commit()
    LargeLedger(path, [ACCOUNT]).grow(10)
    with closing(sqlite3.connect(path)) as database:
        yield database, schema


def test_a_ledger_grows_by_copies_of_an_account_with_all_that_it_bought(grown):
    database, _ = grown

    def count(table):
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    assert (count("accounts"), count("balances"), count("standings"), count("historyRevisions")) == (11, 11, 11, 0)
    assert [count(table) for table in ("transactions", "lines", "deliveries", "receiptTransactions",
        "postings")] == [22] * 5
    # The two purchases of the sample are on one receipt, those of copies on two.
    assert count("receipts") == 1 + 20


def test_copies_have_their_own_names_in_every_table(grown):
    database, _ = grown
    for query in (
            "SELECT owner FROM lines JOIN transactions ON id = originalID WHERE owner != creditedTo",
            "SELECT creditedTo FROM transactions WHERE creditedTo NOT IN (SELECT id FROM accounts)",
            "SELECT id FROM transactions WHERE facts != '{\"id\":\"' || id || '\"}'",
            "SELECT id FROM deliveries WHERE id NOT IN (SELECT id FROM transactions)",
            "SELECT cause FROM postings WHERE cause NOT IN (SELECT id FROM transactions)",
            "SELECT receipt FROM receiptTransactions WHERE receipt NOT IN (SELECT id FROM receipts)",
            "SELECT account FROM balances WHERE account NOT IN (SELECT id FROM accounts)"):
        assert database.execute(query).fetchall() == [], query
    assert database.execute("SELECT count(*) FROM transactions WHERE id >= ?", (str(FIRST_ID),)).fetchone() == (20,)
    histories = dict(database.execute("SELECT account, history FROM standings"))
    for account, first in database.execute("SELECT creditedTo, id FROM transactions WHERE purchasedAt = 0"):
        assert histories[compact(account)] == b"h" + compact(first) + b"%"


def test_copies_have_no_bytes_of_receipts(grown):
    database, _ = grown
    assert database.execute("SELECT id FROM receipts WHERE packed NOT NULL").fetchall() == [(RECEIPT,)]


def test_indexes_and_triggers_are_there_again(grown):
    database, schema = grown
    found = database.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name")
    assert found.fetchall() == schema
