"""Receipts: each recorded, verified, delivered and on disk before it is answered."""

import os
from functools import partial

import wrk
from failure import Failure
from plan import CONNECTIONS
from rounds import RECEIPTS, Result, timed

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


def flushes(plan, workspace, receipts):
    """How often the disk was flushed for each new receipt: by one client, by many. Traced, so never timed."""
    trace = workspace.folder / "flushes"
    # The tracer is the grandchild, so that the server is the process that is stopped, and ends by itself with it.
    tracer = ("strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", "trace=fsync,fdatasync", "-o", str(trace))
    counts = []
    with workspace.serving(tracer=tracer) as process:
        sender = Sender(plan, workspace.cores, process)
        for count, connections in ((plan.flushed_alone, 1), (plan.flushed_together, CONNECTIONS)):
            before = flushed(trace)
            sender.send(receipts.take(count), connections, NEW)
            counts.append((flushed(trace) - before) / count)
    if not all(counts):
        raise Failure("no flush was seen: either strace may not trace here, or receipts are not durable")
    return dict(zip(("1 client", f"{CONNECTIONS} clients"), counts))


def flushed(trace):
    # A call that another thread interrupts is two lines, of which the first has the name and the parenthesis.
    return sum("sync(" in line for line in trace.read_text().splitlines())
