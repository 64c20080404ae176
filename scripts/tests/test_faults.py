"""What check-faults makes of what it sees: whether a fault was told with advice, and no longer once it was mended."""

import json
import re

import pytest

import rules
import verdict
from conftest import ROOT
from faults import FAULTS, Fault
from verdict import ERROR, SERVER, START, Outcome, Seen

ALERTS = (ROOT / "examples" / "monitoring" / "alerts.yaml").read_text()
LINK = "https://example.com/page.html#row"
FAULT = Fault("disk full", None, None, ("ledgerNotWritable", "other"), "free space", ("NotWritable",))
WELL = Seen(0)
BAD = Seen(1, {"ledgerNotWritable": "Do free space."}, {"NotWritable": LINK})


def status(*alarms, ready=True, error=None):
    start = {"possible": error is None, "error": error}
    return json.dumps({"server": {"ready": ready}, "start": start, "overview": {"alarms": [
        {"alarm": name, "level": level, "remedy": f"Mend {name}."} for name, level in alarms]}})


def mistakes(before=WELL, during=BAD, after=WELL, fault=FAULT, start=None):
    return list(Outcome(fault, before, during, after, start=start).mistakes())


def test_a_fault_that_is_told_and_then_no_longer_is_as_it_should_be():
    assert not mistakes()
    assert not mistakes(during=Seen(1, {"other": "free space", **BAD.alarms}, {"Down": "", **BAD.alerts}))


@pytest.mark.parametrize("changed", [
    {"before": Seen(0, {}, {"Down": LINK})}, {"before": Seen(1)}, {"after": Seen(0, {}, {"NotWritable": LINK})},
    {"after": Seen(0, {"ledgerNotWritable": "free space"})}, {"after": BAD},
    {"during": Seen(0, BAD.alarms, BAD.alerts)}, {"during": Seen(64, BAD.alarms, BAD.alerts)},
    {"during": Seen(1, {"clockBehind": "free space"}, BAD.alerts)}, {"during": Seen(1, BAD.alarms, {"Down": LINK})},
    {"during": Seen(1, {"ledgerNotWritable": "Wait."}, BAD.alerts)},
    {"during": Seen(1, BAD.alarms, {"NotWritable": ""})}, {"start": (1, "Error")}])
def test_whatever_is_not_told_or_told_for_too_long_is_a_mistake(changed):
    assert mistakes(**changed)


@pytest.mark.parametrize("start, count", [
    ((1, "Error: Address already in use"), 0), ((0, "Address already in use"), 1), ((1, "Error: no"), 1), (None, 1)])
def test_a_start_that_cannot_succeed_says_why(start, count):
    fault = Fault("port", None, None, FAULT.alarms, "", FAULT.alerts, refusal="Address already in use")
    assert len(mistakes(fault=fault, start=start)) == count


def test_a_fault_that_only_an_alert_can_tell_leaves_the_status_well():
    fault = Fault("certificate", None, None, (), alerts=("NotWritable",))
    assert not mistakes(fault=fault, during=Seen(0, {}, BAD.alerts))
    assert mistakes(fault=fault, during=Seen(0)) and mistakes(fault=fault, during=Seen(1, {}, BAD.alerts))
    assert Seen(0, {}, BAD.alerts).tells(fault) and not WELL.tells(fault)


def test_looking_goes_on_until_status_and_alert_tell_it():
    assert BAD.tells(FAULT) and WELL.is_silent
    for seen in (WELL, Seen(1, BAD.alarms), Seen(1, {}, BAD.alerts), Seen(0, BAD.alarms, BAD.alerts)):
        assert not seen.tells(FAULT)
    for seen in (Seen(1), Seen(0, BAD.alarms), Seen(0, {}, BAD.alerts)):
        assert not seen.is_silent


@pytest.mark.parametrize("output, words, told", [
    (status(), "All is well.", {}), (status(("a", "good"), ("b", "waiting")), "", {}),
    (status(("a", "bad"), ("b", "unknown"), ("c", "good")), "", {"a": "Mend a.", "b": "Mend b."}),
    (status(ready=False), "bad\n\nThe server: start it.\n", {SERVER: "The server: start it."}),
    (status(error="content: no bundle"), "", {START: "content: no bundle"}),
    ("", "Error: ledger.sqlite cannot be opened\n", {ERROR: "Error: ledger.sqlite cannot be opened"})])
def test_what_status_tells_is_what_matters_with_its_advice(output, words, told):
    assert verdict.alarms(output, words) == told


def test_an_alert_that_fires_is_told_with_its_link():
    def alert(name, state, **annotations):
        return {"labels": {"alertname": name}, "state": state, "annotations": annotations}

    answer = {"data": {"alerts": [
        alert("Down", "firing", runbook_url=LINK), alert("Slow", "pending", runbook_url=LINK),
        alert("Bare", "firing")]}}
    assert rules.firing(answer) == {"Down": LINK, "Bare": ""}


def test_the_hurried_alerts_are_the_shipped_ones_but_for_their_times():
    hurried = rules.hurried(ALERTS)
    assert rules.names(hurried) == rules.names(ALERTS) and len(rules.names(ALERTS)) > 20
    assert set(re.findall(r"for: (\w+)", hurried)) == {"1s"}
    assert set(re.findall(r"\[(\w+)\]", hurried)) == {rules.WINDOW}

    def rest(text):
        return re.sub(r"for: \w+|\[\w+\]", "", text)

    assert rest(hurried) == rest(ALERTS)


def test_there_are_twelve_faults_whose_alerts_are_shipped():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 12
    for fault in FAULTS:
        assert set(fault.alerts) & rules.names(ALERTS), fault.name


def test_the_table_has_a_row_for_each_fault():
    long = Seen(1, {"ledgerNotWritable": f"a|b\n{'x' * 99}"}, BAD.alerts)
    lines = verdict.table([Outcome(FAULT, WELL, long, WELL, 61.2, 9, (1, "Error"))]).splitlines()
    assert len(lines) == 3 and all(line.startswith("| ") and line.endswith(" |") for line in lines)
    assert lines[2].startswith("| disk full | ledgerNotWritable | a\\|b xxx")
    assert lines[2].endswith("… | NotWritable | 0, 1, 0; start 1 | 61 s | 9 s |")
