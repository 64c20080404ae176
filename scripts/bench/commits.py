"""Receipts beside the bare commits of the same store, where every flush of the disk costs as much as on a slow one."""

import os
import re
from dataclasses import dataclass

import receipts
import shop
from client import Client
from failure import Failure
from firsts import PostgreSQL, SQLite
from plan import CONNECTIONS
from process import output_of, pinned
from sqlite_commits import ROWS_TABLE

# What a flush takes besides, in microseconds: that of a disk without a cache that survives a power loss.
FLUSH_COST = 2_000
RAW_WITHIN = 120  # seconds


@dataclass(frozen=True)
class Commits:
    store: str
    clients: int
    # Of the bare store: one client, one row a commit.
    raw_rate: float
    rate: float
    cpu_seconds: float
    flushes: int
    receipts: int

    @property
    def ratio(self):
        return self.rate / self.raw_rate

    @property
    def receipts_per_flush(self):
        return self.receipts / self.flushes


class Trace:
    """The flushes of a process and its children, each made to cost more."""

    def __init__(self, path):
        self.path = path

    @property
    def tracer(self):
        # The tracer is the grandchild, so that the process is the one that is stopped, and ends by itself with it.
        calls = "fsync,fdatasync"
        return ("strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", f"trace={calls}", "-e",
                f"inject={calls}:delay_exit={FLUSH_COST}", "-o", str(self.path))

    @property
    def flushes(self):
        return receipts.counted(self.path)["flushes"]


class SQLiteStore(SQLite):
    def __init__(self, workspace):
        super().__init__(workspace.folder, "commits")
        self.workspace, self.trace = workspace, Trace(workspace.folder / "commits-sqlite")
        self.tracer = self.trace.tracer

    def settle(self):
        """There is nothing that it does by itself after a while."""

    def raw_rate(self, plan):
        file, trace = self.workspace.folder / "raw.sqlite", Trace(self.workspace.folder / "raw-sqlite")
        script = os.path.join(os.path.dirname(__file__), "sqlite_commits.py")
        command = [*trace.tracer, "python3", "-B", script, str(file), str(plan.commits_alone)]
        return float(output_of(*pinned(self.workspace.cores.server, command), within=RAW_WITHIN))


class PostgresStore(PostgreSQL):
    """It is the database that flushes, not the server."""

    tracer = ()

    def __init__(self, workspace):
        super().__init__(workspace.folder, "commits")
        self.workspace, self.trace = workspace, Trace(workspace.folder / "commits-trace")

    def running(self):
        return self.postgres.running(self.trace.tracer)

    def settle(self):
        """Its planner knows nothing of new tables; it looks at them by itself after a minute."""
        self.postgres.run_sql("ANALYZE")

    def raw_rate(self, plan):
        self.postgres.run_sql(ROWS_TABLE)
        script = self.workspace.folder / "insert.sql"
        script.write_text("INSERT INTO bare (value) VALUES ('x');\n")
        text = output_of(*self.postgres.command(
            "pgbench", "--no-vacuum", "--client=1", f"--transactions={plan.commits_alone}", f"--file={script}"),
            within=RAW_WITHIN)
        found = re.search(r"^tps = ([0-9.]+) \(without", text, re.MULTILINE)
        if not found:
            raise Failure(f"pgbench did not say its rate:\n{text[-500:]}")
        return float(found[1])


def measured(plan, workspace):
    for kind in (SQLiteStore, PostgresStore):
        store = kind(workspace)
        with store.running():
            pool = bought(workspace, store, plan)
            raw = store.raw_rate(plan)
            # What is compared is the disk's rate, not a core's: the server may use them all.
            with workspace.serving(
                    is_pinned=False, database=store.database, tracer=store.tracer, log="commits.log") as server:
                server.wait_until_idle()
                sender = receipts.Sender(plan, workspace.cores, server)
                sender.send(pool.take(plan.commits_warm_up), CONNECTIONS, receipts.NEW)
                store.settle()
                for clients, count in ((1, plan.commits_alone), (CONNECTIONS, plan.commits_together)):
                    before, file = store.trace.flushes, pool.take(count)
                    done = sender.round(file, clients, receipts.NEW)
                    flushes = store.trace.flushes - before
                    if flushes == 0:
                        raise Failure("no flush was seen: strace may not trace here, or receipts are not durable")
                    yield Commits(store.name, clients, raw, done.rate, done.cpu_seconds, flushes, count)


def bought(workspace, store, plan):
    count = plan.commits_warm_up + plan.commits_alone + plan.commits_together
    with workspace.serving(is_pinned=False, database=store.database) as process:
        shop.player_with_bundle(Client(process.port), Client(process.store_port))
        return shop.Receipts(workspace.folder, "receipts", shop.bought(process, count))
