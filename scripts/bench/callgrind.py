"""Counting what a process executes, by valgrind's tool callgrind."""

import re
import time
from dataclasses import dataclass
from pathlib import Path

import programs
from failure import Failure
from process import output_of

CONTROL_WITHIN = 120  # seconds
# What a request leaves to be done later, such as sealing the audit trail, is done by then.
SETTLED_AFTER = 3


@dataclass(frozen=True)
class Counted:
    instructions: int
    seconds: float
    profile: Path

    def beyond(self, rate):
        """What was executed besides what the process does by itself, at so many instructions a second."""
        return self.instructions - rate * self.seconds


class Callgrind:
    """Counts nothing until it is told to, so that a start costs little; all threads together, without the kernel."""

    def __init__(self, folder):
        self.folder, self.process = Path(folder), None

    @property
    def command(self):
        sigsuspend = programs.compiled(programs.SIGSUSPEND, self.folder)
        return ("env", f"LD_PRELOAD={sigsuspend}", "valgrind", "--tool=callgrind", "--instr-atstart=no",
                "--combine-dumps=no", f"--callgrind-out-file={self.folder / 'callgrind'}", "--quiet")

    def begin(self, process):
        self.process = process
        self.control("--instr=on")

    def idle_rate(self, seconds, times):
        """Instructions a second of what the process does by itself: the least of so many counts.

        On a busy machine, what was left to be done may take until the first has begun."""
        self.counted("warming", lambda: time.sleep(1))
        idle = [self.counted("idle", lambda: time.sleep(seconds)) for _ in range(times)]
        return min(counted.instructions / counted.seconds for counted in idle)

    def counted(self, name, act):
        """What was executed while it acted, and until what it left to be done was done."""
        self.control("--zero")
        began = time.monotonic()
        act()
        time.sleep(SETTLED_AFTER)
        before = set(self.folder.glob("callgrind.*"))
        seconds = time.monotonic() - began
        self.control(f"--dump={name}")
        [profile] = set(self.folder.glob("callgrind.*")) - before
        found = re.search(r"^totals: (\d+)$", profile.read_text(), re.MULTILINE)
        if not found:
            raise Failure(f"callgrind wrote no total for {name}")
        return Counted(int(found[1]), seconds, profile)

    def control(self, option):
        said = output_of("callgrind_control", option, self.process.popen.pid, within=CONTROL_WITHIN)
        self.process.expect_alive()
        if "Error" in said:
            raise Failure(f"callgrind_control {option}: {said[-500:]}")
