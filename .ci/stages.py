"""Runs the stages of .ci/run, at most two beside each other, and ends at the first that fails or takes too much.

    .ci/run [--write] [STAGE…]     all stages, or these alone where what they need is built; --write writes what they
                                   took to .ci/budget.json

A stage is named if it takes 15 % more processor time than its row in .ci/budget.json, and fails if it takes half more; a
commit that raises a row says why. Processor time is what the stage and the processes that it waited for took (getrusage),
on a machine as fast as the one that the rows are from: a fixed piece of work before, after and every half minute of a
stage tells how much slower this one is.
"""

import argparse
import hashlib
import json
import os
import signal
import statistics
import subprocess
import sys
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGET = ROOT / ".ci" / "budget.json"
LOGS = ROOT / ".build" / "ci"
RECORD = ROOT / ".build" / "exchanges.jsonl"
SERVER = ROOT / ".build" / "optimized" / "release" / "quartermaster"

MAXIMUM_WALL_SECONDS = 75 * 60
MAXIMUM_AT_ONCE = 2
# Above its row by more than the first share a stage is named, by more than the second it fails: what a neighbour on the
# same hardware takes from caches and memory, up to a third, the fixed piece of work does not see.
NAMED_SHARE, MAXIMUM_SHARE = 0.15, 0.5
# And by more than this: a second of the machine's mood is much of a short one.
MINIMUM_SECONDS = 5
POLL_SECONDS = 0.2
# A machine's mood changes within minutes, and builds take many: a hundredth of the time goes into looking at it.
SLOWNESS_SECONDS = 30
# A stage that is ended gets this long to end by itself.
GRACE_SECONDS = 5


@dataclass(frozen=True)
class Stage:
    name: str
    command: str
    # The stages that must have passed, and those that it may not run beside.
    after: tuple = ("build",)
    not_beside: tuple = ()
    alone: bool = False

    def may_run_beside(self, other):
        return not (self.alone or other.alone or other.name in self.not_beside or self.name in other.not_beside)


def on_server(target):
    return f"make {target} QUARTERMASTER_BINARY={SERVER}"


# The first that may run is the next one. A browser and schemathesis each take a core and have deadlines; so have tests,
# which take both. What is short fills the core that the first two leave.
STAGES = [
    Stage("setup", "make setup-tests", after=()),
    # With warnings as errors at once: to build everything again for them takes minutes.
    Stage("build", "env WARNINGS_AS_ERRORS=1 make build-tests", after=("setup",)),
    Stage("sources", "nice make --keep-going check-format check-style check-scripts check-api-docs check-workflows "
          "site", after=("setup",)),
    Stage("openapi", on_server("check-openapi EXAMPLES=20"), not_beside=("test", "admin")),
    Stage("storekit", "make check-storekit check-availability check-public-api"),
    Stage("unused", "make check-unused"),
    Stage("fuzz-reach", "make check-fuzz"),
    Stage("demo", on_server("demo check-newcomer")),
    Stage("pages", on_server("check-pages")),
    Stage("admin", on_server("check-admin QUICK=1"), not_beside=("test", "openapi")),
    Stage("test", f"env TESTS_BUILT=1 QUARTERMASTER_RECORD={RECORD} make test"),
    Stage("traffic", f"make check-traffic RECORD={RECORD}", after=("test",)),
    # Those that tell most in a minute. What runs beside it moves threads, and work from one count into another.
    Stage("instructions", on_server("bench-instructions COUNT='list connection receipt'"), alone=True),
]


class Failure(Exception):
    pass


def slowness():
    """Seconds of the processor for a fixed piece of work, less than half a second."""
    began = time.process_time()
    texts = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(60_000)]
    zlib.compress("".join(sorted(texts)).encode(), 9)
    return time.process_time() - began


@dataclass(frozen=True)
class Took:
    """What a stage took: seconds of the processor, and how slow the machine was meanwhile."""

    name: str
    cpu: float
    slowness: float


class Run:
    """A stage that began: its process is the first of a group, so that all of it can be ended."""

    def __init__(self, stage):
        self.stage, self.began, self.slowness = stage, time.monotonic(), [slowness()]
        self.log = LOGS / f"{stage.name}.log"
        print(f"== {stage.name}: {stage.command}", flush=True)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                stage.command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True)

    def ended(self):
        """Whether it ended; then its status and what it took are known."""
        process, status, used = os.wait4(self.process.pid, os.WNOHANG)
        if process == 0:
            return False
        self.process.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - self.began
        self.cpu = used.ru_utime + used.ru_stime
        self.slowness.append(slowness())
        return True

    @property
    def took(self):
        return Took(self.stage.name, self.cpu, statistics.mean(self.slowness))

    def kill(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return
            time.sleep(GRACE_SECONDS)

    def show(self):
        print(f"\n== {self.stage.name}: what it printed", flush=True)
        sys.stdout.buffer.write(self.log.read_bytes())
        sys.stdout.flush()


class Budget:
    def __init__(self, written):
        self.written = written

    def slowdown(self, took):
        """How much slower the machine was than the one of the rows."""
        return took.slowness / self.written["slowness"]

    def factor(self, took):
        """What a row is multiplied by; never below 1, so that a row is what it says."""
        return max(1, self.slowdown(took))

    def allowed(self, took, share):
        row = self.written["cpu_seconds"].get(took.name)
        if row is None:
            raise Failure(f"{took.name}: no row in .ci/budget.json")
        return max(row * (1 + share), row + MINIMUM_SECONDS) * self.factor(took)

    def is_named(self, took):
        return took.cpu > self.allowed(took, NAMED_SHARE)

    def check(self, took):
        allowed = self.allowed(took, MAXIMUM_SHARE)
        if took.cpu > allowed:
            raise Failure(f"{took.name}: over its budget: {took.cpu:.0f} s of the processor, {allowed:.0f} allowed "
                          f"(the machine is slower by {self.factor(took):.2f})")

    def rewritten(self, every):
        """What the stages took becomes their rows, as if the machine had been as fast as that of the rows."""
        rows = self.written["cpu_seconds"] | {took.name: round(took.cpu / self.factor(took)) for took in every}
        rows = {stage.name: rows[stage.name] for stage in STAGES if stage.name in rows}
        return {**self.written, "cpu_seconds": rows}


def may_begin(stage, waiting, running):
    """Whether a stage that waits may begin beside those that run."""
    # What was not chosen was built before. What neither waits nor runs has passed: the first failure ends all.
    pending = {other.name for other in [*waiting, *running]}
    return len(running) < MAXIMUM_AT_ONCE and not set(stage.after) & pending and all(
        stage.may_run_beside(other) for other in running)


class Schedule:
    def __init__(self, stages, budget, writes):
        self.waiting, self.budget, self.writes = list(stages), budget, writes
        self.running, self.passed = [], []

    def begin(self):
        for stage in list(self.waiting):
            if may_begin(stage, self.waiting, [run.stage for run in self.running]):
                self.waiting.remove(stage)
                self.running.append(Run(stage))

    def end(self, run):
        self.running.remove(run)
        run.show()
        if run.status != 0:
            raise Failure(f"{run.stage.name}: failed with status {run.status} after {run.wall:.0f} s")
        if not self.writes:
            self.budget.check(run.took)
        print(f"== {run.stage.name}: passed in {run.wall:.0f} s, {run.cpu:.0f} s of the processor", flush=True)
        self.passed.append(run)

    def run(self, began):
        try:
            looked = began
            while self.waiting or self.running:
                self.begin()
                time.sleep(POLL_SECONDS)
                if time.monotonic() - looked > SLOWNESS_SECONDS:
                    looked, now = time.monotonic(), slowness()
                    for run in self.running:
                        run.slowness.append(now)
                for run in [run for run in self.running if run.ended()]:
                    self.end(run)
                if time.monotonic() - began > MAXIMUM_WALL_SECONDS:
                    raise Failure(f"over {MAXIMUM_WALL_SECONDS} s, with {[run.stage.name for run in self.running]}")
        finally:
            for run in self.running:
                run.kill()


def table(runs, budget):
    print("\n   wall    cpu    row  slower  stage")
    for run in runs:
        row = budget.written["cpu_seconds"].get(run.stage.name, "")
        over = ", over its row" if row and budget.is_named(run.took) else ""
        print(f"{run.wall:7.0f}{run.cpu:7.0f}{row:7}{budget.slowdown(run.took):8.2f}  {run.stage.name}{over}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("stages", nargs="*", metavar="STAGE")
    options = parser.parse_args()
    if unknown := set(options.stages) - {stage.name for stage in STAGES}:
        parser.error(f"no such stage: {' '.join(unknown)}; there are {' '.join(stage.name for stage in STAGES)}")
    os.environ.pop("QUARTERMASTER_BINARY", None)  # Stages that need a server use the one that is built here.
    LOGS.mkdir(parents=True, exist_ok=True)
    if "test" in options.stages or not options.stages:
        RECORD.unlink(missing_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    began, budget = time.monotonic(), Budget(json.loads(BUDGET.read_text()))
    schedule = Schedule([stage for stage in STAGES if stage.name in options.stages or not options.stages],
                        budget, options.write)
    try:
        schedule.run(began)
    except Failure as failure:
        table(schedule.passed, budget)
        sys.exit(f"== {failure}")
    table(schedule.passed, budget)
    if options.write:
        rows = budget.rewritten([run.took for run in schedule.passed])
        BUDGET.write_text(json.dumps(rows, indent=2) + "\n")
    print(f"== all stages passed in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
