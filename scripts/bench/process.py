"""Processes that end when the run ends, however it ends, and what they cost."""

import os
import random
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


class Process:
    def __init__(self, name, popen, port, log, tls=None):
        self.name, self.popen, self.port, self.log, self.tls = name, popen, port, log, tls

    def cpu_seconds(self):
        """User and system time of all its threads so far."""
        fields = Path(f"/proc/{self.popen.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

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
            idle = idle + 1 if self.cpu_seconds() - before < IDLE_SHARE else 0
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
