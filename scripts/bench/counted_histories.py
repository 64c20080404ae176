"""How many instructions the server executes for accounts that have bought little, some, and much.

An answer lists up to 20 runs of a non-renewing subscription, so that it is longer after the first purchases; from then
on an act must not cost more, whatever was bought. The ledger is filled by the program as it is, and then served by the
same program under callgrind.
"""

import sqlite3
from dataclasses import dataclass

from callgrind import Callgrind
from failure import Failure
from histories import FILE_BYTES, KINDS, REFERENCE, UNLIMITED, Shopper, catalog, perform
from machine import Cores
from servers import Workspace
from signer import Signer

# Of ten products: 30 runs of each.
SOME, MANY = 300, 10_000
MAXIMUM_RATIO = 1.3
IDLE_SECONDS, QUIET_SECONDS = 3, 5
# The sums of reports are made now and then beside the requests. The least of several counts is without.
PARTS = 3


@dataclass(frozen=True)
class Plan:
    history_receipts: int = 7 * PARTS
    history_reads: int = 8 * PARTS


def shoppers(server, signer, say):
    """By kind: one for what is executed once only, and one for each size."""
    for kind in KINDS:
        say(f"{kind}: {MANY:,} purchases")
        yield kind, [Shopper(Plan(), server, signer, kind, size) for size in (REFERENCE, REFERENCE, SOME, MANY)]


def count_histories(binary, folder, say):
    """Kind, name of the act, and instructions of one such act for each account."""
    shop, callgrind = Workspace(folder, binary, None, Cores.chosen()), Callgrind(folder)
    shop.prepare(files={"small.bin": FILE_BYTES}, products=catalog())
    signer = Signer(folder / "signer")
    options = {"is_pinned": False, "roots": signer.root, "has_store": False}
    with shop.serving(tracer=UNLIMITED, **options) as server:
        found = dict(shoppers(server, signer, say))
    forget_due_sums(folder / "ledger.sqlite")
    with shop.serving(tracer=(*UNLIMITED, *callgrind.command), **options) as server:
        for first, *_ in found.values():
            first.use(server)
            for acts in first.acts().values():
                perform(acts)
        forget_due_sums(folder / "ledger.sqlite")
        server.wait_until_idle(QUIET_SECONDS)
        callgrind.begin(server)
        rate = callgrind.idle_rate(IDLE_SECONDS, PARTS)
        say(f"{rate:,.0f} instructions a second by itself")
        for kind, (_, *compared) in found.items():
            say(f"{kind}: acts")
            counts = []
            for shopper in compared:
                forget_due_sums(folder / "ledger.sqlite")
                counts.append(dict(count(callgrind, server, shopper, rate)))
            yield from ((kind, name, *(each[name] for each in counts)) for name in counts[0])


def forget_due_sums(ledger):
    """Those of ten years of purchases, and of a day with all of them, which would be made all the while."""
    with sqlite3.connect(ledger) as database:
        database.execute("UPDATE reportDays SET dueAt = NULL")
        database.execute("DELETE FROM reportChanges")
    database.close()


def count(callgrind, server, shopper, rate):
    # A connection of before would have been closed meanwhile.
    shopper.use(server)
    for name, acts in shopper.acts().items():
        size = len(acts) // PARTS
        parts = [acts[start:start + size] for start in range(0, len(acts), size)]
        done = [callgrind.counted(name, lambda part=part: perform(part)) for part in parts]
        yield name, min(each.beyond(rate) / size for each in done)


def is_too_much(some, many):
    """Of the account that bought much, beside the one that bought some."""
    return many > some * MAXIMUM_RATIO


def check_histories(binary, folder, say):
    """Prints a line for each act.

    Throws `Failure` where one costs the account that bought much more than MAXIMUM_RATIO times as much as the one that
    bought some.
    """
    too_many = []
    print(f"instructions after {REFERENCE}, {SOME} and {MANY:,} purchases")
    for kind, name, few, some, many in count_histories(binary, folder, say):
        counts = f"{few:>12,.0f}{some:>12,.0f}{many:>12,.0f}"
        print(f"{kind:16}{name:14}{counts}{many / few:>8.2f}{many / some:>8.2f}", flush=True)
        if is_too_much(some, many):
            too_many.append(f"{kind}, {name}")
    if too_many:
        raise Failure(f"more than {MAXIMUM_RATIO} times as many: {'; '.join(too_many)}")
