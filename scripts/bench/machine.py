"""What the numbers were taken on, and which core is whose."""

import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from process import output_of

# A page of the ledger, which is what a small commit appends to its write-ahead log.
PROBE_BYTES = 4 << 10
# So long the machine is watched before anything is started. The load average would tell of the build before.
WATCHED_SECONDS = 2
# Of all cores together; a machine that others use, or whose host is crowded, has more.
QUIET_SHARE = 0.05


@dataclass(frozen=True)
class Cores:
    """Where the server and where the load runs; None where there is only one core, which they share."""

    server: int | None
    load: int | None

    @staticmethod
    def chosen():
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) < 2:
            return Cores(None, None)
        server = allowed[0]
        others = [core for core in allowed[1:] if core not in siblings(server)]
        return Cores(server, (others or allowed[1:])[0])

    def described(self):
        if self.server is None:
            return "no: there is one core only, and the load takes its share of it"
        shared = " (two threads of one core)" if self.load in siblings(self.server) else ""
        return f"server or nginx on core {self.server}, load on core {self.load}{shared}"


def siblings(core):
    """The hardware threads that share a core with this one, itself among them."""
    path = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    try:
        parts = [part.split("-") for part in path.read_text().strip().split(",")]
    except OSError:
        return {core}
    return {thread for part in parts for thread in range(int(part[0]), int(part[-1]) + 1)}


def cpu_model():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.lower().startswith(("model name", "hardware")):
            return line.split(":", 1)[1].strip()
    return os.uname().machine


def flush_times(folder, count):
    """Seconds that each of so many appended and flushed pages took, sorted."""
    times = []
    path = Path(folder, "flush-probe")
    page = os.urandom(PROBE_BYTES)
    with path.open("wb", buffering=0) as file:
        for _ in range(count):
            file.write(page)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    path.unlink()
    return sorted(times)


def shares():
    """What others compute here, and what the host takes away, as shares of all cores."""
    def ticks():
        return [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]

    before = ticks()
    time.sleep(WATCHED_SECONDS)
    passed = [after - earlier for after, earlier in zip(ticks(), before)]
    return shares_of(passed)


def shares_of(passed):
    """Of the ticks that passed: user, nice, system, idle, iowait, irq, softirq, steal (proc(5))."""
    everything = sum(passed) or 1
    _, _, _, idle, waiting, _, _, stolen = passed
    return 1 - (idle + waiting + stolen) / everything, stolen / everything


def is_quiet(others, stolen):
    return others + stolen < QUIET_SHARE


def describe(folder, cores, probes):
    """Names and values, in the order in which they are printed."""
    os.sync()
    others, stolen = shares()
    times = flush_times(folder, probes)
    file_system = output_of("findmnt", "--noheadings", "--output", "FSTYPE", "--target", folder).strip()
    warning = "" if is_quiet(others, stolen) else ": not quiet, the numbers mean little"
    return {
        "CPU": cpu_model(),
        "cores": str(len(os.sched_getaffinity(0))),
        "kernel": f"{os.uname().sysname} {os.uname().release} {os.uname().machine}",
        "TCP": Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip(),
        "pinned": cores.described(),
        "before": f"{others:.0%} of all cores busy, {stolen:.0%} stolen by the host{warning}",
        "disk": f"{file_system}; fdatasync of {PROBE_BYTES >> 10} KiB, {probes} times: median "
                f"{statistics.median(times) * 1e3:.3f} ms [{times[0] * 1e3:.3f}..{times[-1] * 1e3:.3f}]",
    }
