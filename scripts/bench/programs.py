"""The C programs of the bench, compiled for the run."""

from pathlib import Path

from process import output_of

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
    if not path.exists():
        source, *options = OPTIONS[name]
        output_of("cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", path, SOURCES / source, *options, within=WITHIN)
    return path
