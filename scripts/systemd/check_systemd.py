"""Plays what the units in examples/systemd say, in a container with systemd. scripts/check-systemd.sh starts it."""

import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import markdown
import judgement
from failure import Failure, run_of
from process import eventually, output_of

PLAYED_HERE = "make check-systemd plays it on a machine of its own"
SERVER, STATUS, BACKUP = "quartermaster.service", "quartermaster-status", "quartermaster-backup"
DATABASE = "postgresql.service"
BACKUPS, MAIL = "/var/backups/quartermaster", "/var/mail/root"
LEDGER = "/var/lib/quartermaster/ledger.sqlite"
TIME_LIMIT = 1200  # seconds
RUN_WITHIN = 120  # seconds
BOOTED_WITHIN = 60  # seconds
MAILED_WITHIN = 20  # seconds
TIMED_WITHIN = 30  # seconds
# RestartSec=5, and what a start that fails takes on a busy machine.
RESTARTED_EVERY = 10  # seconds
DATABASE_DOWN = 70  # seconds
SERVES_WITHIN = 15  # seconds after the database does, on a busy machine
# What the server gives to requests in progress, and some more; TimeoutStopSec is 20.
STOPPED_WITHIN = 15  # seconds
DATABASE_LATE = 5  # seconds

eventually = partial(eventually, every=0.5)
# Prints the status of GET /ready.
READY = """exec 3<>/dev/tcp/127.0.0.1/8080
printf 'GET /ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3
read -r _ status _ <&3; [[ $status == 200 ]]"""
# A request whose end never comes, and a stop meanwhile.
STOP_WITH_A_REQUEST = f"""exec 3<>/dev/tcp/127.0.0.1/8080
printf 'POST /v1/sessions HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 100\\r\\n\\r\\n{{' >&3
systemctl stop {SERVER}"""
LAST_WORDS = "journalctl --no-pager --lines=15 --output=cat --unit='quartermaster*'"


class Machine:
    def __init__(self, name, checkout):
        self.name, self.checkout = name, checkout

    def command(self, script):
        return ["podman", "exec", "--workdir", self.checkout, self.name, "bash", "-euo", "pipefail", "-c", script]

    def shell(self, script):
        return output_of(*self.command(script), within=RUN_WITHIN)

    def expect_failure(self, script):
        ended = subprocess.run(self.command(script), capture_output=True, timeout=RUN_WITHIN, check=False)
        expect(f"status of {script}", 1, ended.returncode)

    def show(self, unit):
        return judgement.properties(self.shell(f"systemctl show {unit}"))

    def boot(self, verb):
        output_of("podman", verb, self.name, within=RUN_WITHIN)
        eventually("it is not booted", BOOTED_WITHIN, lambda: self.shell(
            "systemctl is-system-running || true").strip() in ("running", "degraded"))
        expect("no unit fails at boot", "", self.shell("systemctl --failed --plain --no-legend"))

    def mails(self, unit):
        return int(self.shell(f"cat {MAIL} 2>/dev/null | grep -c '^Subject: {unit}.service failed on' || true"))

    def backups(self):
        return self.shell(f"ls {BACKUPS}").split()


def expect(what, wanted, seen):
    if seen != wanted:
        raise Failure(f"{what}: {wanted!r} was expected, there is {seen!r}")


def expect_none(what, mistakes):
    if mistakes := list(mistakes):
        raise Failure(f"{what}: {'; '.join(mistakes)}")


def check_apart(options):
    """That a container with the same options sees nothing of this machine."""
    with tempfile.NamedTemporaryFile(prefix="quartermaster-canary.") as canary:
        seen = output_of("podman", "run", "--rm", *options, "findmnt", "--raw", "--noheadings",
                         "--output=TARGET,FSTYPE,FSROOT", within=RUN_WITHIN)
        expect_none("nothing is booted here, for a container would see", judgement.seen_of_the_host(seen))
        inside = output_of("podman", "run", "--rm", *options, "find", "/", "/tmp", "/run", "/var/tmp", "-xdev",
                           "-name", Path(canary.name).name, within=RUN_WITHIN)
        expect("nothing is booted here, for a container would see this machine's files", "", inside)


def blocks(page, count):
    found = [block.text for block in markdown.read(page).blocks if block.not_played == PLAYED_HERE]
    expect(f"blocks of {page} for here", count, len(found))
    return found


def play_install(machine, block):
    machine.shell(block)
    state = machine.show(SERVER)
    expect("the server", ("active", "running"), (state["ActiveState"], state["SubState"]))
    machine.shell(READY)
    process = judgement.properties(machine.shell(f"tr -d '\\t ' </proc/{state['MainPID']}/status | tr : ="))
    expect("what the server may do", ("0" * 16, "1", "2"),
           tuple(process[name] for name in ("CapEff", "NoNewPrivs", "Seccomp")))
    expect("the ledger", "700 quartermaster\n600 quartermaster\n",
           machine.shell(f"stat --format '%a %U' {Path(LEDGER).parent} {LEDGER}"))
    machine.expect_failure("sudo -u nobody quartermaster status")


def play_timer(machine, name):
    """The timer starts its service, sooner than it says."""
    began = "ExecMainStartTimestampMonotonic"
    before = machine.show(f"{name}.service")[began]
    folder = f"/run/systemd/system/{name}.timer.d"
    machine.shell(f"""mkdir -p {folder}
        printf '%s\\n' [Timer] OnCalendar= 'OnCalendar=*:*:0/2' AccuracySec=1s RandomizedDelaySec=0 >{folder}/soon.conf
        systemctl daemon-reload; systemctl restart {name}.timer""")

    def has_ended():
        state = machine.show(f"{name}.service")
        return state if state[began] != before and state["ActiveState"] != "activating" else None
    state = eventually(f"{name}.timer started nothing", TIMED_WITHIN, has_ended)
    machine.shell(f"rm -r {folder}; systemctl daemon-reload; systemctl restart {name}.timer")
    expect(f"{name}.service", "success", state["Result"])


def play_failure(machine, name, cause, mend, words):
    """It fails, says why in the journal, and mails that once."""
    expect(f"mails of {name} before it failed", 0, machine.mails(name))
    machine.shell(cause)
    machine.expect_failure(f"systemctl start {name}.service")
    eventually(f"no mail came of {name}", MAILED_WITHIN, lambda: machine.mails(name) == 1)
    for place in (f"journalctl --unit={name}.service --output=cat", f"cat {MAIL}"):
        if words not in (text := machine.shell(place)):
            raise Failure(f"{place} has no {words!r}: {text[-1000:]}")
    machine.expect_failure(f"systemctl start {name}.service")
    mailer = f"quartermaster-mail@{name}.service.service"
    eventually(f"{mailer} was not kept back", MAILED_WITHIN,
               lambda: machine.show(mailer)["Result"] == "start-limit-hit")
    machine.shell("postqueue -f; sleep 1")
    expect(f"mails of {name} after it failed twice", 1, machine.mails(name))
    machine.shell(mend)
    machine.shell(f"systemctl start {name}.service")


def play_night(machine, block):
    """What the page has an operator try before the first player."""
    newest = machine.backups()[-1]
    if "ledger-….sqlite" not in block:
        raise Failure("the page restores no backup")
    machine.shell(block.replace("ledger-….sqlite", newest))
    machine.shell(READY)


def play_database(machine, block):
    """The server is started for as long as its database is down, and then serves soon."""
    machine.shell(block)
    expect("backups in PostgreSQL's format", 1, sum(name.endswith(".dump") for name in machine.backups()))
    # systemd says that it is started, and it serves.
    machine.shell(f"systemctl restart {SERVER}\n{READY}")
    machine.shell(f"systemctl stop {DATABASE}; systemctl restart --no-block {SERVER}")
    began, samples = time.monotonic(), []
    while not samples or samples[-1].at < DATABASE_DOWN:
        state = machine.show(SERVER)
        samples.append(judgement.Sample(time.monotonic() - began, state["ActiveState"], int(state["NRestarts"])))
        time.sleep(1)
    expect_none("while the database is down",
                judgement.mistakes_while_starts_fail(samples, RESTARTED_EVERY, DATABASE_DOWN - 5))
    machine.expect_failure(f"systemctl start {STATUS}.service")
    machine.shell(f"systemctl start {DATABASE}")
    began = time.monotonic()
    eventually("the server does not serve", SERVES_WITHIN, lambda: machine.show(SERVER)["ActiveState"] == "active")
    machine.shell(READY)
    print(f"started {samples[-1].restarts} times in {DATABASE_DOWN} s without its database, and served "
          f"{time.monotonic() - began:.1f} s after that was up")


def play_boot(machine):
    """The database takes its time, and the server waits for it."""
    folder = "/etc/systemd/system/postgresql@.service.d"
    machine.shell(f"""mkdir {folder}
        printf '[Service]\\nExecStartPre=/bin/sleep {DATABASE_LATE}\\n' >{folder}/late.conf""")
    machine.boot("restart")
    expect_none("at boot", judgement.mistakes_at_boot(machine.show(DATABASE), machine.show(SERVER)))
    machine.shell(READY)
    machine.shell("sudo -u quartermaster quartermaster status")


def play_stop(machine):
    began = time.monotonic()
    machine.shell(STOP_WITH_A_REQUEST)
    seconds, state = time.monotonic() - began, machine.show(SERVER)
    expect("a server that was stopped", ("inactive", "success", "0"),
           (state["ActiveState"], state["Result"], state["ExecMainStatus"]))
    if seconds > STOPPED_WITHIN:
        raise Failure(f"it took {seconds:.0f} seconds to stop")
    print(f"stopped in {seconds:.1f} s, with a request in progress")


def check_journal(machine):
    """That systemd knows every line of the units, could do all of them, and nothing fills the journal."""
    mistakes = "/quartermaster.*(Unknown|[Ii]gnoring|Failed to parse)"
    said = machine.shell(f"journalctl --output=cat _PID=1 | grep -E '{mistakes}' || true") + machine.shell(
        "journalctl --output=cat --unit='quartermaster*' | grep 'thread priority' || true")
    expect("what is in the journal and should not be", "", said)


def play(machine):
    install, night = blocks("docs/operate/install.md", 2)
    database, = blocks("docs/operate/postgresql.md", 1)
    play_install(machine, install)
    for timer in (STATUS, BACKUP):
        play_timer(machine, timer)
    play_failure(machine, STATUS, f"systemctl stop {SERVER}", f"systemctl start {SERVER}", "The server:")
    play_failure(machine, BACKUP, f"chmod 0500 {BACKUPS}", f"chmod 0700 {BACKUPS}", BACKUPS)
    play_night(machine, night)
    check_journal(machine)
    play_database(machine, database)
    play_boot(machine)
    play_stop(machine)
    check_journal(machine)


def main():
    name, checkout, _, *options = sys.argv[1:]
    check_apart(options)
    machine = Machine(name, checkout)
    machine.boot("start")
    try:
        play(machine)
    except Failure as failure:
        raise Failure(f"{failure}\n{machine.shell(LAST_WORDS)}") from failure
    print("check-systemd: the units start, restart, stop, tell and back up as the page says")


with run_of("check-systemd", TIME_LIMIT):
    main()
