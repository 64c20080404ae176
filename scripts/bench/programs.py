"""The C programs of the bench, compiled for the run."""

import subprocess
from pathlib import Path

from failure import Failure

SOURCES = Path(__file__).parent / "floor"
SIGN, FLOOR, RECORD, SIGSUSPEND = "sign", "floor", "record.so", "sigsuspend.so"
OPTIONS = {
    SIGN: ("sign.c", "-lcrypto"), FLOOR: ("floor.c", "-lsqlite3", "-lcrypto"),
    RECORD: ("record.c", "-shared", "-fPIC", "-ldl"), SIGSUSPEND: ("sigsuspend.c", "-shared", "-fPIC"),
}
WITHIN = 120  # seconds


def compiled(name, folder):
    """The path of the program, which is made where it is lacking."""
    path = Path(folder) / name
    if path.exists():
        return path
    source, *options = OPTIONS[name]
    ended = subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", path, SOURCES / source, *options], capture_output=True,
        text=True, timeout=WITHIN, check=False)
    if ended.returncode != 0:
        raise Failure(f"{source} cannot be compiled:\n{ended.stderr[-1500:]}")
    return path
