"""A large ledger of an earlier release gets the facts that it did not keep, however often the server is killed meanwhile.
check-backfill.sh starts it."""

import argparse
import base64
import json
import random
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

from cryptography import x509

from failure import Failure, folder_of, run_of
from multiply import Names, multiply
from process import free_ports, output_of, running
from resigning import Signers, header, receipt_certificates

FIXTURES = Path("Tests/Fixtures/Ledgers")
RELEASE = "01e8554"
RECEIPTS_OF_RELEASE = 2_000
XCODE_APP = "COM_EXAMPLE_HANGMAN"
TIME_LIMIT = 3_600  # seconds
# Of what is to be read; in each span the server is killed once.
KILLED_WITHIN = [(0.05, 0.45), (0.5, 0.95)]
ASKED_EVERY = 0.05  # seconds
POSITION = "SELECT CAST(value AS TEXT) FROM keyValues WHERE key = 'backfill/purchaseFacts'"
STORED = """
    SELECT 'receipts' AS phase, id FROM receipts WHERE content <> '' AND status IN ('verified', 'conflict')
    UNION ALL SELECT 'notifications', id FROM notifications WHERE content <> ''"""
FACTS = """
    SELECT 'transactions', app, environment, id, facts FROM transactions
    UNION ALL SELECT 'unclaimedTransactions', app, environment, id, facts FROM unclaimedTransactions
    UNION ALL SELECT 'renewals', app, environment, originalID, facts FROM renewals"""
BALANCES = """
    SELECT 'balances', app, environment, account || ' ' || currency, CAST(amount AS TEXT) FROM balances"""


def read(path, statement):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as database:
        return database.execute(statement).fetchall()


def facts(path):
    return {tuple(row[:4]): row[4] for row in read(path, f"{FACTS} UNION ALL {BALANCES}")}


def unpacked(ending):
    file = FIXTURES / f"{RELEASE}.{ending}.zst"
    return subprocess.run(["zstd", "-d", "--long=27", "-q", "-c", file], check=True, stdout=subprocess.PIPE).stdout


def roots(path):
    """Of the store that signed the receipts: what signed itself in their chains."""
    found = set()
    for kind, content in read(path, "SELECT kind, content FROM receipts WHERE status = 'verified'"):
        if kind == "signedTransaction":
            chain = [base64.b64decode(each) for each in header(content)["x5c"]]
            found.update(chain[2:])
        elif kind == "appReceipt":
            found.update(receipt_certificates(base64.b64decode(content)))
    certificates = {der: x509.load_der_x509_certificate(der) for der in found}
    return [der for der, certificate in certificates.items() if certificate.issuer == certificate.subject]


class World:
    """The folder of a server with the catalog and content of the release, which trusts whoever signed its ledgers."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.signers = Signers()
        record = json.loads(unpacked("json"))
        (folder / "products.json").write_text(record["products"])
        for name, data in record["content"].items():
            self.write(f"content/{name}", base64.b64decode(data))
        self.small, self.large = folder / "small.sqlite", folder / "large.sqlite"
        self.small.write_bytes(unpacked("sqlite"))
        trusted = [*roots(self.small), *self.signers.roots]
        xcodes = [base64.b64decode(record["xcode"]), *self.signers.xcode.certificates]
        self.environment = {
            "QUARTERMASTER_ROOT_CERTIFICATES": self.files("root", trusted),
            f"QUARTERMASTER_APPS_{XCODE_APP}_XCODE_CERTIFICATES": self.files("xcode", xcodes),
            "QUARTERMASTER_CATALOG": "database", "QUARTERMASTER_APP_RECEIPTS": "local",
            # Nobody answers: what waits for the store goes on waiting.
            "QUARTERMASTER_VERIFY_RECEIPT_PRODUCTION": "http://127.0.0.1:9/",
        }

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    def files(self, name, certificates):
        return ",".join(self.write(f"{name}-{number}.der", der) for number, der in enumerate(certificates))

    def command(self, *words):
        environment = [f"{name}={value}" for name, value in self.environment.items()]
        return ["env", *environment, str(self.binary), *words, "--products", str(self.folder / "products.json")]

    def serving(self, ledger):
        [port] = free_ports(1)
        command = self.command(
            "serve", "--host", "127.0.0.1", "--port", str(port), "--database", str(ledger), "--content",
            str(self.folder / "content"))
        return running("the server", command, None, port, "/ready", self.folder / "server.log")

    def check(self, ledger):
        return output_of(*self.command("ledger", "rebuild", "--check", "--database", str(ledger))).strip()


class Backfill:
    """What the server has read of a ledger."""

    def __init__(self, ledger):
        self.ledger = ledger
        stored = sorted(read(ledger, STORED), key=lambda row: (row[0] != "receipts", row[1]))
        self.places = {tuple(row): number for number, row in enumerate(stored, 1)}
        self.first = next(number for (phase, _), number in self.places.items() if phase == "notifications") - 1

    def share(self):
        found = read(self.ledger, POSITION)
        position = json.loads(found[0][0]) if found else {"phase": "receipts", "id": ""}
        if position["phase"] == "done":
            return 1
        before = 0 if position["phase"] == "receipts" else self.first
        return self.places.get((position["phase"], position["id"]), before) / len(self.places)

    def wait(self, share, process):
        while (come := self.share()) < share:
            process.expect_alive()
            time.sleep(ASKED_EVERY)
        return come


class Killed(Exception):
    """The server is gone, as was wanted."""


def fill(world, ledger, kills=()):
    """Has servers read the ledger. Returns the seconds, and the processor time and the most memory of the last one."""
    backfill, began = Backfill(ledger), time.monotonic()
    for share in kills:
        try:
            with world.serving(ledger) as process:
                backfill.wait(share, process)
                process.popen.kill()
                process.popen.wait()
                raise Killed
        except Killed:
            come = backfill.share()
            if not share <= come < 1:
                raise Failure(f"killed at {come:.1%} of what is to be read, not after {share:.1%}")
            print(f"check-backfill: killed at {come:.1%}", flush=True)
    with world.serving(ledger) as process:
        backfill.wait(1, process)
        status = Path(f"/proc/{process.popen.pid}/status").read_text()
        [memory] = [int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmHWM")]
        return time.monotonic() - began, process.cpu_seconds(), memory


def compare(world, copies, before):
    """Every copy's rows with the small ledger's, by the names of that copy."""
    rows, found = facts(world.small), facts(world.large)
    gained = sum(rows[key] != text for key, text in before.items())
    if gained < len(rows) // 2:
        raise Failure(f"only {gained:,} of {len(rows):,} rows changed: nothing is compared")
    expected = dict(rows)
    for copy in range(1, copies):
        names = Names(copy)
        for (table, app, environment, row), text in rows.items():
            expected[table, app, environment, names.value("id", row)] = names.text(text)
    if len(expected) != copies * len(rows):
        raise Failure(f"{copies} copies of {len(rows):,} rows make {len(expected):,}: two have one name")
    wrong = [key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key)]
    for key in wrong[:5]:
        print(f"check-backfill: {' '.join(key)}:\n  {found.get(key)}\n  expected {expected.get(key)}")
    if wrong:
        raise Failure(f"{len(wrong):,} of {len(expected):,} rows differ")
    print(f"check-backfill: {len(expected):,} rows as expected, of which {copies * gained:,} changed")


def run(options):
    generator = random.Random(options.seed)
    copies = max(2, -(-options.receipts // RECEIPTS_OF_RELEASE))
    with folder_of("backfill") as folder:
        world = World(options.binary, folder)
        before = facts(world.small)
        shutil.copy(world.small, world.large)
        began = time.monotonic()
        multiply(world.large, copies, world.signers)
        [[receipts]], size = read(world.large, "SELECT count(*) FROM receipts"), world.large.stat().st_size
        print(f"check-backfill: {receipts:,} receipts in {size:,} bytes, made in {time.monotonic() - began:.0f} s",
              flush=True)
        fill(world, world.small)
        kills = [generator.uniform(*span) for span in KILLED_WITHIN]
        seconds, processor, memory = fill(world, world.large, kills)
        print(f"check-backfill: read in {seconds:.0f} s, of which the last server used {processor:.0f} s of a processor "
              f"and {memory} MB at most")
        compare(world, copies, before)
        for ledger in (world.small, world.large):
            print(f"check-backfill: {ledger.stem}: {world.check(ledger)}")


def main():
    parser = argparse.ArgumentParser(prog="check-backfill.sh")
    parser.add_argument("--binary", required=True, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--receipts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000), help="of when it is killed")
    options = parser.parse_args()
    print(f"check-backfill: seed {options.seed}", flush=True)
    with run_of("check-backfill", TIME_LIMIT):
        run(options)


main()
