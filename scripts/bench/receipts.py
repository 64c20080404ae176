"""Receipts: each recorded, verified, delivered and on disk before it is answered."""

import os
from functools import partial

import wrk
from failure import Failure
from plan import CONNECTIONS
from rounds import RECEIPTS, Result, clients_text, timed

NEW, AGAIN = '"outcome":"delivered"', '"outcome":"alreadyDelivered"'


class Sender:
    def __init__(self, plan, cores, process):
        self.plan, self.cores, self.process = plan, cores, process

    def send(self, file, connections, expected):
        limit = self.plan.time_limit // 10
        url = f"http://127.0.0.1:{self.process.port}/v1/receipts"
        return wrk.run(url, self.cores.load, limit, connections, script="receipts.lua", arguments=(file, expected))

    def round(self, file, connections, expected):
        return timed(self.process, partial(self.send, file, connections, expected), lambda load: load.requests)


def needed(plan):
    """How many receipts have to be bought for :func:`measured`."""
    return 2 * plan.quadruples * (plan.receipts_alone + plan.receipts_together) + plan.receipts_together


def measured(plan, cores, process, receipts):
    """New ones from one client and from many, and the latter again."""
    sender = Sender(plan, cores, process)
    alone, together, again = [], [], []

    def send_alone():
        alone.append(sender.round(receipts.take(plan.receipts_alone), 1, NEW))

    def send_together():
        file = receipts.take(plan.receipts_together)
        together.append(sender.round(file, CONNECTIONS, NEW))
        again.append(sender.round(file, CONNECTIONS, AGAIN))

    os.sync()  # What was written before must not be flushed with the receipts.
    sender.send(receipts.take(plan.receipts_together), CONNECTIONS, NEW)
    for _ in range(plan.quadruples):
        for act in (send_alone, send_together, send_together, send_alone):
            act()
    return [
        Result("receipts, 1 client", RECEIPTS, alone),
        Result(f"receipts, {CONNECTIONS} clients", RECEIPTS, together),
        Result(f"sent again, {CONNECTIONS} clients", RECEIPTS, again),
    ]


# Of the server for each new receipt, with the texts by which a trace has them. A call that another thread interrupts is
# two lines, of which the first has the name and the parenthesis.
CALLS = {"flushes": "sync(", "pwrite64": "pwrite64(", "getrandom": "getrandom("}


def calls(plan, workspace, receipts):
    """How often each new receipt had the disk flushed, its file written to, and random bytes read: by one client, by
    many. Traced, so never timed."""
    trace = workspace.folder / "calls"
    # The tracer is the grandchild, so that the server is the process that is stopped, and ends by itself with it.
    traced = "trace=fsync,fdatasync,pwrite64,getrandom"
    tracer = ("strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", traced, "-o", str(trace))
    found = {}
    with workspace.serving(tracer=tracer) as process:
        sender = Sender(plan, workspace.cores, process)
        for count, connections in ((plan.flushed_alone, 1), (plan.flushed_together, CONNECTIONS)):
            before = counted(trace)
            sender.send(receipts.take(count), connections, NEW)
            after = counted(trace)
            found[clients_text(connections)] = {name: (after[name] - before[name]) / count for name in CALLS}
    if not all(each["flushes"] for each in found.values()):
        raise Failure("no flush was seen: either strace may not trace here, or receipts are not durable")
    return found


def counted(trace):
    lines = trace.read_text().splitlines()
    return {name: sum(text in line for line in lines) for name, text in CALLS.items()}
