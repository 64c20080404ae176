"""One run of wrk, with every error it saw turned into a failure."""

import json
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

from failure import Failure
from process import pinned

SCRIPTS = Path(__file__).parent
# An answer that takes so long is an error. A large file over a busy core takes a part of it.
ANSWER_WITHIN = 20
# wrk ends by itself; what does not end this long after its time hangs.
GRACE = 30


@dataclass(frozen=True)
class Load:
    requests: int
    bytes: int
    seconds: float
    # Of wrk itself.
    cpu_seconds: float


def run(url, core, seconds, connections, headers=None, script="report.lua", arguments=()):
    """The load of one thread on one core for so many whole seconds, or until the script ends it."""
    options = ["--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout",
               f"{ANSWER_WITHIN}s", "--script", script]
    for name, value in (headers or {}).items():
        options += ["--header", f"{name}: {value}"]
    command = ["setpriv", "--pdeathsig", "KILL", *pinned(core, ["wrk", *options, url, "--", *map(str, arguments)])]
    before = children_seconds()
    try:
        ended = subprocess.run(
            command, cwd=SCRIPTS, capture_output=True, text=True, timeout=seconds + GRACE, check=False)
    except subprocess.TimeoutExpired as error:
        raise Failure(f"wrk did not end by itself at {url}") from error
    return load(ended, url, children_seconds() - before)


def children_seconds():
    """CPU time of all children that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def load(ended, url, cpu_seconds):
    lines = [line for line in ended.stdout.splitlines() if line.startswith("{")]
    place = url.partition("?")[0]
    if len(lines) != 1:
        raise Failure(f"wrk failed at {place}:\n{ended.stdout[-1500:].replace(url, place)}{ended.stderr[-1500:]}")
    report = json.loads(lines[0])
    errors = {name: count for name, count in report["errors"].items() if count > 0}
    if errors or ended.returncode != 0 or report["requests"] + report["bytes"] == 0:
        raise Failure(f"{place}: {report['requests']} requests, errors: {errors or 'none'}\n{ended.stderr[-1500:]}")
    return Load(report["requests"], report["bytes"], report["seconds"], cpu_seconds)
