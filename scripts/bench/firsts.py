"""First receipts: of new accounts, and without a notification that wrote the purchase before; and what they cost a
program in C that does nothing but what has to be done."""

import json
import shutil
import signal
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import programs
import receipts
import shop
from client import Client
from facts import used
from plan import CONNECTIONS
from postgres import Postgres
from process import output_of, pinned
from rounds import RECEIPTS, Result, Spread, clients_text
from signer import Signer

FLOOR_WITHIN = 300  # seconds
# A mark is written with the next statement, and servers have some each second.
MARKED_WITHIN = 2.5
# The sums of a day with so many transactions are made again by then, after which they are not until the next receipt.
SUMMED_WITHIN = 25


@dataclass(frozen=True)
class Floor:
    """Of a receipt, in seconds."""

    clients: int
    statements: float
    verification: Spread
    execution: Spread
    # The server's, until it is idle again, and what that is of the floor just beside it.
    server: Spread
    ratio: Spread

    @property
    def total(self):
        return self.verification.median + self.execution.median


@dataclass(frozen=True)
class Size:
    """What a receipt takes on the disk, with all of its rows and indexes."""

    store: str
    bytes: float


class SQLite:
    name = "SQLite"

    def __init__(self, folder, name):
        self.database = str(folder / f"{name}.sqlite")

    def running(self):
        return nullcontext()

    def bytes(self):
        return used(self.database)


class PostgreSQL:
    name = "PostgreSQL"

    def __init__(self, folder, name):
        self.postgres = Postgres(folder / f"{name}-postgres")
        self.database = self.postgres.url

    def running(self):
        return self.postgres.running()

    def bytes(self):
        self.postgres.run_sql("CHECKPOINT")
        return int(self.postgres.rows("SELECT pg_database_size(current_database())")[0][0])


def new_accounts(folder, port, signer, count):
    """Receipts of so many."""
    client = Client(port)
    return shop.Receipts(folder, "firsts", signer.lines([shop.Player.made(client) for _ in range(count)]))


def measured(plan, workspace):
    """Results, sizes and floors."""
    signer = Signer(workspace.folder / "firsts")
    results, sizes, floors = [], [], []
    for kind in (SQLite, PostgreSQL):
        store = kind(workspace.folder, "firsts")
        with store.running():
            pool = made(plan, workspace, signer, store)
            replays = {}
            if kind is SQLite:
                replays = {each: Replay(plan, workspace, signer, store, each, pool) for each in counts(plan)}
            costs, size = rounds(plan, workspace, signer, store, pool, replays)
            floors += [replay.floor() for replay in replays.values()]
            sizes.append(size)
            results += [
                Result(f"first receipts, {clients_text(clients)}, {store.name}", RECEIPTS, done)
                for clients, done in costs.items()]
    return results, sizes, floors


def counts(plan):
    """Receipts of a round, by clients."""
    return {1: plan.receipts_alone, CONNECTIONS: plan.receipts_together}


def made(plan, workspace, signer, store):
    """Receipts for all rounds, and for what is recorded once. As many are sent before, since a receipt dirties fewer
    pages of a ledger that is nearly empty."""
    needed = (2 * plan.quadruples + 1) * sum(counts(plan).values())
    with workspace.serving(database=store.database, roots=signer.root, has_store=False) as server:
        pool = new_accounts(workspace.folder, server.port, signer, 2 * needed + plan.receipts_together)
        receipts.Sender(plan, workspace.cores, server).send(pool.take(needed), CONNECTIONS, receipts.NEW)
        server.wait_until_idle()
        return pool


def rounds(plan, workspace, signer, store, pool, replays):
    """The rounds by clients, each beside the floor's where that is measured, and the size of a receipt."""
    sizes = list(counts(plan).items())
    costs = {clients: [] for clients, _ in sizes}
    with workspace.serving(database=store.database, roots=signer.root, has_store=False) as server:
        sender = receipts.Sender(plan, workspace.cores, server)
        sender.send(pool.take(plan.receipts_together), CONNECTIONS, receipts.NEW)
        server.wait_until_idle()
        before, sent = store.bytes(), 0
        for number in range(2 * plan.quadruples):
            for clients, count in sizes if number % 2 == 0 else reversed(sizes):
                replay = replays.get(clients)
                if replay and number % 2:
                    replay.run()
                began = server.cpu_seconds()
                costs[clients].append(sender.round(pool.take(count), clients, receipts.NEW))
                sent += count
                if replay:
                    server.wait_until_idle()
                    replay.costs.append((server.cpu_seconds() - began) / count)
                if replay and number % 2 == 0:
                    replay.run()
        # Then the trail is sealed.
        server.wait_until_idle()
        return costs, Size(store.name, (store.bytes() - before) / sent)


class Replay:
    """What the server does for some receipts of new accounts, done by the program in C on a copy of the ledger."""

    def __init__(self, plan, workspace, signer, store, clients, pool):
        """Records the server's statements in a run of its own, which is not timed."""
        self.workspace, self.clients, self.count = workspace, clients, counts(plan)[clients]
        self.file = pool.take(self.count)
        self.ledger = workspace.folder / f"floor-{clients}.sqlite"
        self.recording = workspace.folder / f"recording-{clients}"
        # Of each run, and of a receipt in the server's round beside it.
        self.runs, self.costs = [], []
        copied(store.database, self.ledger)
        recorder = programs.compiled(programs.RECORD, workspace.folder)
        tracer = ("env", f"LD_PRELOAD={recorder}", f"SQLITE_RECORDING={self.recording}")
        with workspace.serving(database=store.database, roots=signer.root, has_store=False, tracer=tracer) as server:
            server.wait_until_idle(SUMMED_WITHIN)
            server.popen.send_signal(signal.SIGUSR2)
            time.sleep(MARKED_WITHIN)
            receipts.Sender(plan, workspace.cores, server).send(self.file, clients, receipts.NEW)
            time.sleep(MARKED_WITHIN)
            server.popen.send_signal(signal.SIGUSR2)
            time.sleep(MARKED_WITHIN)

    def run(self):
        self.runs.append(replayed(self.workspace, self.ledger, self.recording, self.file))

    def floor(self):
        return floor(self.clients, self.count, self.runs, self.costs)


def floor(clients, count, runs, costs):
    """Of a receipt, from runs of so many, and from what each cost the server in the round beside the run."""
    verification = [each["verification_seconds"] / count for each in runs]
    execution = [each["statement_seconds"] / count for each in runs]
    ratios = [cost / sum(floor) for cost, *floor in zip(costs, verification, execution)]
    spreads = map(Spread.of, (verification, execution, costs, ratios))
    return Floor(clients, runs[0]["statements"] / count, *spreads)


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
    return json.loads(output_of(*pinned(workspace.cores.server, command), within=FLOOR_WITHIN))
