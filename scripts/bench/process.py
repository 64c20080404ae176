"""Processes that end when the run ends, however it ends, and what they cost."""

import os
import random
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path

from failure import Failure

READY_WITHIN = 60  # seconds: a start hashes the content
IDLE_WITHIN = 600  # seconds
IDLE_SHARE = 0.05  # of a core
STOP_WITHIN = 15  # seconds: longer than the server's own grace period
LAST_LINES = 5  # of its log, where it failed
TICKS = os.sysconf("SC_CLK_TCK")


def output_of(*command, within=None, **options):
    """What a command prints; a failure with its last words where it fails."""
    words = list(map(str, command))
    ended = subprocess.run(words, capture_output=True, text=True, timeout=within, check=False, **options)
    if ended.returncode != 0:
        raise Failure(f"{' '.join(words)[:200]}: {ended.stdout[-1000:]}{ended.stderr[-1000:]}")
    return ended.stdout


def eventually(what, within, look, every=0.1):
    """What it sees in the end; else a failure that says what is not so."""
    deadline = time.monotonic() + within
    while not (seen := look()):
        if time.monotonic() > deadline:
            raise Failure(f"{what} within {within} seconds")
        time.sleep(every)
    return seen


def pinned(core, command):
    return command if core is None else ["taskset", "--cpu-list", str(core), *command]


def free_ports(count):
    """So many on which nobody listens now; below the ports that outgoing connections take."""
    found = []
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                found.append(port)
            except OSError:
                continue
        if len(found) == count:
            return found
    raise Failure("no free ports found")


def connect(port, timeout, tls=None, source="127.0.0.1", host="127.0.0.1"):
    """A connection to this machine, under TLS where there is a context for it."""
    options = {"timeout": timeout, "source_address": (source, 0)}
    if tls is None:
        return HTTPConnection(host, port, **options)
    return HTTPSConnection(host, port, context=tls, **options)


def cpu_seconds(pid):
    """User and system time of all threads of a process so far."""
    return ticks(Path(f"/proc/{pid}/stat").read_text()) / TICKS


def all_busy_seconds():
    """What all cores have computed so far, whoever it was for."""
    return busy_ticks(Path("/proc/stat").read_text()) / TICKS


def busy_ticks(stat):
    """All but idle, iowait and steal of the first line of proc(5), whose last two members are in the first two."""
    user, nice, system, _, _, irq, softirq = map(int, stat.split("\n", 1)[0].split()[1:8])
    return user + nice + system + irq + softirq


def family(pid):
    """A process and all that it started, directly or not, and that run now."""
    started = [int(word) for file in Path(f"/proc/{pid}/task").glob("*/children") for word in file.read_text().split()]
    return [int(pid), *(each for child in started for each in family(child))]


def ticks(stat):
    """`utime` and `stime` of proc(5). The name of a program may have spaces and brackets."""
    fields = stat.rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def idle_for(seconds, spent):
    """The seconds that it has been idle, after one more in which it spent so much."""
    return seconds + 1 if spent < IDLE_SHARE else 0


class Process:
    def __init__(self, name, popen, port, log, tls=None):
        self.name, self.popen, self.port, self.log, self.tls = name, popen, port, log, tls

    def cpu_seconds(self):
        """Of the process and all that it started, as the workers of nginx are."""
        return sum(map(cpu_seconds, family(self.popen.pid)))

    def exact_cpu_seconds(self):
        """The same in nanoseconds, by the clock of the process's CPU time (clock_getcpuclockid(3))."""
        return time.clock_gettime(~self.popen.pid << 3 | 2)

    def expect_alive(self):
        if self.popen.poll() is not None:
            raise Failure(f"{self.name} ended with {self.popen.returncode}")

    def last_lines(self):
        lines = self.log.read_text(errors="replace").splitlines()[-LAST_LINES:]
        return "\n".join([f"The last lines of {self.name}:", *lines]) if lines else f"{self.name} said nothing."

    def forget_log(self):
        """A line for each request comes to gigabytes, and to a disk that is busy with them when receipts are timed."""
        os.truncate(self.log, 0)

    def wait_until_answers(self, path):
        deadline = time.monotonic() + READY_WITHIN
        while time.monotonic() < deadline:
            self.expect_alive()
            try:
                connection = connect(self.port, 5, self.tls)
                connection.request("GET", path)
                if connection.getresponse().status == 200:
                    return
            except (OSError, HTTPException):
                pass  # Not yet.
            finally:
                connection.close()
            time.sleep(0.05)
        raise Failure(f"{self.name} does not answer {path} within {READY_WITHIN} seconds")

    def wait_until_idle(self, seconds=1):
        """What it has to do after its start, such as to send and take the notifications of what was bought.

        - seconds: for so long it must have been idle."""
        deadline, idle = time.monotonic() + IDLE_WITHIN, 0
        while time.monotonic() < deadline:
            before = self.cpu_seconds()
            time.sleep(1)
            idle = idle_for(idle, self.cpu_seconds() - before)
            if idle >= seconds:
                return
        raise Failure(f"{self.name} is still busy after {IDLE_WITHIN} seconds")

    def stop(self):
        self.popen.send_signal(signal.SIGTERM)
        try:
            self.popen.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()


@contextmanager
def running(name, command, core, port, ready_path, log, tls=None):
    """A process while the block runs. It dies with this one too, should this one be killed."""
    log.unlink(missing_ok=True)
    with log.open("ab") as output:  # Appending, so that it may be truncated meanwhile.
        popen = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *pinned(core, command)], stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT)
    process = Process(name, popen, port, log, tls)
    try:
        process.wait_until_answers(ready_path)
        yield process
        process.expect_alive()
    except Failure as failure:
        raise Failure(f"{failure}\n{process.last_lines()}") from failure
    finally:
        process.stop()


def stock(folder, source="."):
    """Copies a shop there: its catalog and its content, beside which a server writes."""
    shutil.copy(Path(source, "products.json"), folder)
    shutil.copytree(Path(source, "content"), Path(folder, "content"))


def places(folder):
    """The options by which commands of the server find the ledger and the shop of a folder."""
    names = {"--database": "ledger.sqlite", "--products": "products.json", "--content": "content"}
    return [word for option, name in names.items() for word in (option, f"{folder}/{name}")]


def serve(binary, folder, port, store_port=None):
    """The command of a server in a folder, with the simulated App Store where that has a port."""
    store = ["--simulator", "--simulator-port", str(store_port)] if store_port else []
    return [str(binary), "serve", "--host", "127.0.0.1", "--port", str(port), *places(folder), *store]


def serving(binary, folder, port, store_port=None, environment=()):
    command = ["env", *environment, *serve(binary, folder, port, store_port)]
    return running("the server", command, None, port, "/ready", Path(folder, "server.log"))
