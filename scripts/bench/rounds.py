"""Rounds of load in an order that is fair to both, and what they come to."""

import statistics
import time
from dataclasses import dataclass

from process import all_busy_seconds

# Of one core. What others compute more than that in a round, they take from the server or from the load.
DISTURBING_SHARE = 0.1


@dataclass(frozen=True)
class Round:
    """One timed round: work done, and what it cost the server."""

    work: float
    seconds: float
    cpu_seconds: float
    # Between the two looks at the CPU time: also what it took to start the load and to end it.
    elapsed: float
    load_cpu_seconds: float = 0
    # Of everybody else, on all cores.
    others_cpu_seconds: float = 0

    @property
    def rate(self):
        return self.work / self.seconds

    @property
    def cost(self):
        return self.cpu_seconds / self.work

    @property
    def busy(self):
        return self.cpu_seconds / self.elapsed

    @property
    def load_busy(self):
        return self.load_cpu_seconds / self.elapsed

    @property
    def others_busy(self):
        return self.others_cpu_seconds / self.elapsed


def timed(process, load, work_of):
    """Runs the load and reads what the process spent meanwhile, and everybody else."""
    before, all_before, began = process.cpu_seconds(), all_busy_seconds(), time.monotonic()
    done = load()
    process.expect_alive()
    cpu_seconds, elapsed = process.cpu_seconds() - before, time.monotonic() - began
    others = all_busy_seconds() - all_before - cpu_seconds - done.cpu_seconds
    process.forget_log()
    # Cores are sampled at each tick, processes are not.
    return Round(work_of(done), done.seconds, cpu_seconds, elapsed, done.cpu_seconds, max(0, others))


def undisturbed(act, tries):
    """The first of so many rounds in which others took little, or the one in which they took least."""
    rounds = []
    while len(rounds) < tries:
        rounds.append(act())
        if rounds[-1].others_busy <= DISTURBING_SHARE:
            break
    return min(rounds, key=lambda each: each.others_busy)


@dataclass(frozen=True)
class Spread:
    median: float
    lowest: float
    highest: float

    @staticmethod
    def of(values):
        values = list(values)
        return Spread(statistics.median(values), min(values), max(values))


@dataclass(frozen=True)
class Unit:
    name: str
    # From work per second, and from CPU seconds per work, to what is printed.
    rate_scale: float
    rate_text: str
    cost_scale: float
    cost_text: str


REQUESTS = Unit("requests", 1, "{:,.0f}/s", 1e6, "{:,.1f} µs")
RECEIPTS = Unit("receipts", 1, "{:,.0f}/s", 1e6, "{:,.1f} µs")
BYTES = Unit("bytes", 2.0**-20, "{:,.0f} MiB/s", 2.0**30, "{:,.3f} s/GiB")


@dataclass(frozen=True)
class Result:
    measure: str
    unit: Unit
    ours: list
    nginx: list | None = None

    def ratios(self, member):
        """Ours to nginx's, of each pair of neighbours in time."""
        return Spread.of(getattr(a, member) / getattr(b, member) for a, b in zip(self.ours, self.nginx))


def compared(plan, ours, nginx):
    """A-B-B-A, so often: both lists, with the rounds of a pair at the same place."""
    first, second = [], []
    for _ in range(plan.quadruples):
        first.append(ours())
        second += [nginx(), nginx()]
        first.append(ours())
    return first, second


def clients_text(count):
    return "1 client" if count == 1 else f"{count} clients"
