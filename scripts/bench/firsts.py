"""First receipts: of new accounts, and without a notification that wrote the purchase before; and what they cost a
program in C that does nothing but what has to be done."""

import json
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import programs
import receipts
import shop
from client import Client
from facts import used
from failure import Failure
from plan import CONNECTIONS
from postgres import Postgres
from process import pinned
from rounds import RECEIPTS, Result, Spread, clients_text
from signer import Signer

FLOOR_WITHIN = 300  # seconds
# A mark is written with the next statement, and servers have some each second.
MARKED_WITHIN = 2.5


@dataclass(frozen=True)
class Floor:
    """Of a receipt, in seconds."""

    clients: int
    statements: float
    verification: Spread
    execution: Spread
    # The server's, for each round of its own.
    server: Spread

    @property
    def total(self):
        return self.verification.median + self.execution.median

    @property
    def ratio(self):
        return self.server.median / self.total


@dataclass(frozen=True)
class Size:
    """What a receipt takes on the disk, with all of its rows and indexes."""

    store: str
    bytes: float


class SQLite:
    name = "SQLite"

    def __init__(self, folder, name):
        self.database = str(folder / f"{name}.sqlite")

    @contextmanager
    def running(self):
        yield

    def bytes(self):
        return used(self.database)


class PostgreSQL:
    name = "PostgreSQL"

    def __init__(self, folder, name):
        self.postgres = Postgres(folder / f"{name}-postgres")
        self.database = self.postgres.url

    @contextmanager
    def running(self):
        with self.postgres.running():
            yield

    def bytes(self):
        self.postgres.run_sql("CHECKPOINT")
        return int(self.postgres.rows("SELECT pg_database_size(current_database())")[0][0])


class Pool:
    """Receipts of new accounts, each given out once."""

    def __init__(self, folder, port, signer, count):
        self.folder, self.taken = folder, 0
        client = Client(port)
        self.lines = signer.lines([shop.Player.made(client) for _ in range(count)])

    def take(self, count):
        self.taken += 1
        file = self.folder / f"firsts-{self.taken}"
        lines, self.lines = self.lines[:count], self.lines[count:]
        if len(lines) < count:
            raise Failure("too few receipts were made")
        file.write_text("".join(lines))
        return file


def measured(plan, workspace):
    """Results, sizes and floors."""
    signer = Signer(workspace.folder / "firsts")
    results, sizes, floors = [], [], []
    for kind in (SQLite, PostgreSQL):
        store = kind(workspace.folder, "firsts")
        with store.running():
            costs, pool, size = rounds(plan, workspace, signer, store)
            sizes.append(size)
            results += [
                Result(f"first receipts, {clients_text(clients)}, {store.name}", RECEIPTS, done)
                for clients, done in costs.items()]
        if kind is SQLite:
            floors = [floor(plan, workspace, signer, store, pool, clients, done) for clients, done in costs.items()]
    return results, sizes, floors


def rounds(plan, workspace, signer, store):
    counts = {1: plan.receipts_alone, CONNECTIONS: plan.receipts_together}
    # Those for the floor are of accounts that are there, too.
    needed = (2 * plan.quadruples + 1) * sum(counts.values()) + plan.receipts_together
    costs = {clients: [] for clients in counts}
    with workspace.serving(database=store.database, roots=signer.root, has_store=False) as server:
        pool = Pool(workspace.folder, server.port, signer, needed)
        sender = receipts.Sender(plan, workspace.cores, server)
        sender.send(pool.take(plan.receipts_together), CONNECTIONS, receipts.NEW)
        server.wait_until_idle()
        before, sent = store.bytes(), 0
        for number in range(2 * plan.quadruples):
            for clients in counts if number % 2 == 0 else reversed(counts):
                costs[clients].append(sender.round(pool.take(counts[clients]), clients, receipts.NEW))
                sent += counts[clients]
        # Then the trail is sealed.
        server.wait_until_idle()
        return costs, pool, Size(store.name, (store.bytes() - before) / sent)


def floor(plan, workspace, signer, store, pool, clients, costs):
    """The server's statements are recorded in a run of its own, which is not timed."""
    folder, count = workspace.folder, plan.receipts_alone if clients == 1 else plan.receipts_together
    file, ledger, recording = pool.take(count), folder / "floor.sqlite", folder / f"recording-{clients}"
    copied(store.database, ledger)
    recorder = programs.compiled(programs.RECORD, folder)
    tracer = ("env", f"LD_PRELOAD={recorder}", f"SQLITE_RECORDING={recording}")
    with workspace.serving(
            database=store.database, roots=signer.root, has_store=False, tracer=tracer) as server:
        server.wait_until_idle()
        server.popen.send_signal(signal.SIGUSR2)
        time.sleep(MARKED_WITHIN)
        receipts.Sender(plan, workspace.cores, server).send(file, clients, receipts.NEW)
        time.sleep(MARKED_WITHIN)
        server.popen.send_signal(signal.SIGUSR2)
        time.sleep(MARKED_WITHIN)
    runs = [replayed(workspace, ledger, recording, file) for _ in range(2 * plan.quadruples + 1)]
    return Floor(
        clients, runs[0]["statements"] / count, Spread.of(each["verification_seconds"] / count for each in runs),
        Spread.of(each["statement_seconds"] / count for each in runs), Spread.of(each.cost for each in costs))


def copied(ledger, copy):
    """With its log, should there be one."""
    for suffix in ("", "-wal"):
        source, target = Path(f"{ledger}{suffix}"), Path(f"{copy}{suffix}")
        target.unlink(missing_ok=True)
        if source.exists():
            shutil.copy(source, target)
    Path(f"{copy}-shm").unlink(missing_ok=True)


def replayed(workspace, ledger, recording, file):
    copy = workspace.folder / "replayed.sqlite"
    copied(ledger, copy)
    command = [programs.compiled(programs.FLOOR, workspace.folder), copy, recording, file]
    ended = subprocess.run(
        pinned(workspace.cores.server, [*map(str, command)]), capture_output=True, text=True, timeout=FLOOR_WITHIN,
        check=False)
    if ended.returncode != 0:
        raise Failure(f"the floor cannot be measured: {ended.stderr[-500:]}")
    return json.loads(ended.stdout)
