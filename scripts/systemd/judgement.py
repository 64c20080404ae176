"""Whether a machine of its own is apart from this one, and whether systemd did with the units what the pages say."""

from dataclasses import dataclass

# Of the kernel, and each made anew for a container.
OWN_TYPES = {"proc", "sysfs", "tmpfs", "devpts", "mqueue"}
# Files that the engine writes for one container.
WRITTEN = {"/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/run/.containerenv"}
EMPTIED = ("/tmp", "/run")


def seen_of_the_host(mounts):
    """What a container sees of the machine that it runs on.

    - mounts: lines of findmnt with the columns TARGET, FSTYPE and FSROOT."""
    types = {}
    for line in mounts.splitlines():
        target, kind, root = line.split()
        types[target] = kind
        is_own = kind in OWN_TYPES or (target, kind) == ("/", "overlay") or (kind, root) == ("cgroup2", "/")
        if not is_own and target not in WRITTEN:
            yield f"{target} is {root} of a file system of the type {kind}"
    yield from (f"{path} is not its own" for path in EMPTIED if types.get(path) != "tmpfs")


def properties(text):
    """What `systemctl show` prints."""
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


@dataclass(frozen=True)
class Sample:
    """Of a unit at one moment: seconds since the first, its ActiveState and how often it was started again."""
    at: float
    state: str
    restarts: int


def mistakes_while_starts_fail(samples, every, least):
    """What is wrong where the server cannot start, and is to be started again for as long as that lasts.

    - every: seconds from one start to the next, at most. - least: seconds that the samples must cover."""
    first, last = samples[0], samples[-1]
    if last.at - first.at < least:
        yield f"it was looked at for {last.at - first.at:.0f} seconds only"
    for state in sorted({sample.state for sample in samples} - {"activating", "deactivating"}):
        yield f"it was {state}"
    restarts = last.restarts - first.restarts
    if restarts < (last.at - first.at) // every:
        yield f"it was started again {restarts} times in {last.at - first.at:.0f} seconds"


def mistakes_at_boot(database, server):
    """What is wrong with the order of a boot.

    - database, server: properties of the units, with times since the boot."""
    database_up = int(database["ActiveEnterTimestampMonotonic"])
    server_began = int(server["ExecMainStartTimestampMonotonic"])
    if not database_up or not server_began:
        yield "one of the two was not started"
    elif server_began < database_up:
        yield f"the server was started {(database_up - server_began) / 1e6:.1f} seconds before the database was up"
    if server["ActiveState"] != "active":
        yield f"the server is {server['ActiveState']}"
    if server["NRestarts"] != "0":
        yield f"the server was started again {server['NRestarts']} times"
