"""How a run is held together: its folder, its time limit, and why it has no result."""

import signal
import subprocess
import sys
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory


class Failure(Exception):
    """Its text is for whoever reads the terminal."""


def interrupted(number, _):
    if number == signal.SIGALRM:
        raise Failure("the time limit of the whole run is over")
    sys.exit(128 + number)


@contextmanager
def run_of(name, seconds=0):
    """Ends the program with 1 and the reason where the block fails, or takes longer than a time limit.

    Signals become exceptions: processes and files are cleaned up on the way out.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, interrupted)
    signal.alarm(seconds)
    try:
        yield
    except (Failure, OSError, HTTPException, subprocess.SubprocessError) as error:
        sys.exit(f"{name}: {error}")


@contextmanager
def folder_of(name, place="var"):
    """A folder for the run, by default on the disk of the checkout: others are often in memory, where no flush costs."""
    if place:
        Path(place).mkdir(exist_ok=True)
    with TemporaryDirectory(dir=place, prefix=f"{name}.") as folder:
        yield Path(folder).resolve()
