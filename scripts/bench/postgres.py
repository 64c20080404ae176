"""A PostgreSQL of the run's own: its folder is made here and gone with the run."""

import csv
import io
import os
import pwd
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from failure import Failure
from process import free_ports, output_of

DATABASE = "bench"
START_WITHIN = 60  # seconds


class Postgres:
    def __init__(self, folder):
        self.folder, self.port = Path(folder), free_ports(1)[0]
        self.programs = programs()
        # It does not run as root.
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name

    @property
    def url(self):
        return f"postgresql:///{DATABASE}?host={self.folder}&port={self.port}&user={self.user}"

    def command(self, program, *options):
        return [self.programs / program, f"--host={self.folder}", f"--port={self.port}", f"--username={self.user}",
                *options, DATABASE]

    @contextmanager
    def running(self, tracer=()):
        """Nobody reaches it but through the folder."""
        self.make()
        self.start(tracer)
        try:
            output_of(*self.command("createdb"), within=START_WITHIN)
            yield self
        finally:
            self.stop("immediate")

    def start(self, tracer=()):
        command = [
            *tracer, *self.as_user(), str(self.programs / "postgres"), "-D", self.data, "-k", str(self.folder), "-p",
            str(self.port), "-c", "listen_addresses="]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], stdout=log, stderr=log)
        ready = [self.programs / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port)]
        deadline = time.monotonic() + START_WITHIN
        while subprocess.run(ready, timeout=START_WITHIN, check=False).returncode != 0:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise Failure(f"PostgreSQL does not start:\n{(self.folder / 'log').read_text()[-500:]}")
            time.sleep(0.1)

    def stop(self, mode):
        """As an operator does (fast), or as a power loss does (immediate)."""
        subprocess.run(
            [*self.as_user(), self.programs / "pg_ctl", "stop", "-m", mode, "-D", self.data], capture_output=True,
            timeout=START_WITHIN, check=False)
        self.process.wait(START_WITHIN)

    def restart(self, pause, mode):
        self.stop(mode)
        time.sleep(pause)
        self.start()

    @property
    def data(self):
        return str(self.folder / "data")

    def make(self):
        self.folder.mkdir()
        # The folders above are the run's, and closed to others.
        for folder in (self.folder, self.folder.parent):
            folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user, self.user)
        output_of(
            *self.as_user(), self.programs / "initdb", "--auth-local=trust", "--auth-host=scram-sha-256",
            "--no-instructions", "--encoding=UTF8", "--locale=C", f"--username={self.user}", "-D", self.data,
            within=START_WITHIN)

    def run_sql(self, text):
        self.said("--set=ON_ERROR_STOP=1", f"--command={text}")

    def as_user(self):
        if os.geteuid() != 0:
            return []
        return ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]

    def rows(self, query):
        """Of a query, each a list of texts; NULL is the empty one."""
        return list(csv.reader(io.StringIO(self.said("--csv", "--tuples-only", f"--command={query}"))))

    def said(self, *options):
        return output_of(*self.command("psql", "--quiet", *options), within=START_WITHIN)


def programs():
    """Where Debian puts them; the newest."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[4]))
    if not found:
        raise Failure("no PostgreSQL in /usr/lib/postgresql; install the package postgresql")
    return found[-1].parent
