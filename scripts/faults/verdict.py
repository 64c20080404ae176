"""Whether a fault was told, with advice, and no longer once it was mended."""

import json
from dataclasses import dataclass, field

# What `quartermaster status` says without an alarm: the server does not serve, none would start, or the ledger cannot be
# read.
SERVER, START, ERROR = "server", "start", "error"
MATTERS = ("bad", "unknown")
ADVICE_SHOWN = 72
COLUMNS = ("Fault", "Alarm", "Advice", "Alert", "`status`", "Told after", "Silent after")


@dataclass(frozen=True)
class Seen:
    """At one moment: how `quartermaster status` ended, what it says with which advice, and the alerts that fire with
    their links."""
    exit: int
    alarms: dict = field(default_factory=dict)
    alerts: dict = field(default_factory=dict)

    @property
    def is_silent(self):
        return self.exit == 0 and not self.alarms and not self.alerts

    def alarm(self, fault):
        return next((name for name in fault.alarms if name in self.alarms), None)

    def alert(self, fault):
        return next((name for name in fault.alerts if name in self.alerts), None)

    def tells(self, fault):
        is_told = not fault.alarms or self.exit != 0 and self.alarm(fault)
        return bool(is_told and self.alert(fault))


def alarms(output, words):
    """What `quartermaster status --json` tells, with the advice.

    - words: what it prints for people, where the advice on the server stands, or why it prints no JSON."""
    try:
        body = json.loads(output)
    except ValueError:
        return {ERROR: words.strip()}
    told = {alarm["alarm"]: alarm.get("remedy", "") for alarm in body["overview"]["alarms"]
            if alarm["level"] in MATTERS}
    if not body["server"]["ready"]:
        told[SERVER] = next((line for line in words.splitlines() if line.startswith("The server:")), "")
    if not body["start"]["possible"]:
        told[START] = body["start"]["error"]
    return told


@dataclass
class Outcome:
    fault: object
    before: Seen
    during: Seen
    after: Seen
    told_after: float = 0
    silent_after: float = 0
    # How a start ended that the fault prevents, and what it said.
    start: tuple | None = None

    def mistakes(self):
        if not self.before.is_silent:
            yield f"before it there was {told(self.before)}"
        yield from self.silences()
        if (self.start is not None) != bool(self.fault.refusal):
            yield "a start was tried, or not"
        elif self.start and (self.start[0] != 1 or self.fault.refusal not in self.start[1]):
            yield f"the start ended with {self.start[0]}: {self.start[1]}"
        if not self.after.is_silent:
            yield f"after it there is {told(self.after)}"

    def silences(self):
        """What was not told while the fault lasted."""
        fault, alarm, alert = self.fault, self.during.alarm(self.fault), self.during.alert(self.fault)
        if self.during.exit != (1 if fault.alarms else 0):
            yield f"status ended with {self.during.exit}"
        if fault.alarms and not alarm:
            yield f"none of {', '.join(fault.alarms)} was told, but {told(self.during)}"
        elif alarm and fault.words not in self.during.alarms[alarm]:
            yield f"the advice on {alarm} has no {fault.words!r}: {self.during.alarms[alarm]!r}"
        if not alert:
            yield f"none of {', '.join(fault.alerts)} fires, but {told(self.during)}"
        elif "#" not in self.during.alerts[alert]:
            yield f"{alert} leads nowhere"

    def row(self):
        alarm = self.during.alarm(self.fault)
        advice = " ".join(self.during.alarms.get(alarm, "-").split()).replace("|", "\\|")
        exits = ", ".join(str(seen.exit) for seen in (self.before, self.during, self.after))
        return [
            self.fault.name, alarm or "-", advice if len(advice) <= ADVICE_SHOWN else advice[:ADVICE_SHOWN - 1] + "…",
            self.during.alert(self.fault) or "-", exits + (f"; start {self.start[0]}" if self.start else ""),
            f"{self.told_after:.0f} s", f"{self.silent_after:.0f} s"]


def told(seen):
    return f"exit {seen.exit}, {', '.join(seen.alarms) or 'no alarm'}, {', '.join(seen.alerts) or 'no alert'}"


def table(outcomes):
    rows = [COLUMNS, ["---"] * len(COLUMNS), *(outcome.row() for outcome in outcomes)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
