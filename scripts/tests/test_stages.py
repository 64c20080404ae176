"""The stages of .ci/run: what each may take, and which may run beside each other."""

import time

import pytest

import stages
from stages import Budget, Failure, Stage, Took, may_begin

USUAL = 0.2  # seconds: the slowness of the machine that the rows are from


def budget(**rows):
    return Budget({"slowness": USUAL, "cpu_seconds": rows})


@pytest.mark.parametrize("row, cpu, slowness, is_named, is_allowed", [
    # 15 and 50 % of a long stage.
    (1000, 1150, USUAL, False, True),
    (1000, 1151, USUAL, True, True),
    (1000, 1500, USUAL, True, True),
    (1000, 1501, USUAL, True, False),
    # Five seconds of a short one, where the shares are less.
    (10, 15, USUAL, False, True),
    (10, 15.1, USUAL, True, False),
    (33, 38, USUAL, False, True),
    (34, 39.2, USUAL, True, True),
    # A machine that is slower by half has half more.
    (1000, 1725, 1.5 * USUAL, False, True),
    (1000, 1726, 1.5 * USUAL, True, True),
    (1000, 2251, 1.5 * USUAL, True, False),
    # A faster one has no less than the row says.
    (1000, 1150, USUAL / 2, False, True),
    (1000, 1501, USUAL / 2, True, False),
])
def test_a_stage_may_take_half_or_five_seconds_more_than_its_row(row, cpu, slowness, is_named, is_allowed):
    took = Took("test", cpu, slowness)
    assert budget(test=row).is_named(took) == is_named
    if is_allowed:
        budget(test=row).check(took)
    else:
        with pytest.raises(Failure, match="^test: over its budget"):
            budget(test=row).check(took)


def test_a_stage_without_a_row_fails():
    with pytest.raises(Failure, match="new: no row"):
        budget(test=1).check(Took("new", 0, USUAL))


def test_rows_are_written_as_of_the_usual_machine_and_others_stay():
    before = budget(demo=4, build=100, gone=7)
    found = before.rewritten([Took("build", 300, 2 * USUAL), Took("test", 50, USUAL / 2)])
    assert found == {"slowness": USUAL, "cpu_seconds": {"build": 150, "demo": 4, "test": 50}}
    # In the order of the stages, so that a change of the file is a change of a number.
    assert list(found["cpu_seconds"]) == ["build", "demo", "test"]
    assert before.written["cpu_seconds"]["build"] == 100


SETUP, BUILD = Stage("setup", "", after=()), Stage("build", "", after=("setup",))
TEST, DEMO = Stage("test", "", not_beside=("openapi",)), Stage("demo", "")
OPENAPI, COUNT = Stage("openapi", ""), Stage("count", "", alone=True)


@pytest.mark.parametrize("stage, waiting, running, begins", [
    (SETUP, [SETUP, BUILD, TEST], [], True),
    # After one that waits, or runs.
    (BUILD, [SETUP, BUILD], [], False),
    (BUILD, [BUILD, TEST], [SETUP], False),
    (BUILD, [BUILD, TEST], [], True),
    # After one that was not chosen.
    (TEST, [TEST], [], True),
    # Two at once, and no more.
    (DEMO, [DEMO], [TEST], True),
    (DEMO, [DEMO], [TEST, SETUP], False),
    # Whichever of the two says it.
    (OPENAPI, [OPENAPI], [TEST], False),
    (TEST, [TEST], [OPENAPI], False),
    (COUNT, [COUNT], [DEMO], False),
    (DEMO, [DEMO], [COUNT], False),
    (COUNT, [COUNT], [], True),
])
def test_a_stage_begins_after_others_and_beside_those_it_may(stage, waiting, running, begins):
    assert may_begin(stage, waiting, running) == begins


def test_every_stage_names_stages_that_there_are():
    names = [stage.name for stage in stages.STAGES]
    assert len(names) == len(set(names))
    for place, stage in enumerate(stages.STAGES):
        assert set(stage.after) <= set(names[:place])
        assert set(stage.not_beside) <= set(names)


def test_all_stages_run_to_the_end():
    waiting, done = list(stages.STAGES), []
    while waiting:
        first = next(stage for stage in waiting if may_begin(stage, waiting, []))
        waiting.remove(first)
        done.append(first.name)
    assert done[:2] == ["setup", "build"]


def test_the_slowness_of_a_stage_is_that_of_all_its_time(monkeypatch, tmp_path):
    found = iter([0.1, 0.9, *[0.5] * 1000])
    monkeypatch.setattr(stages, "LOGS", tmp_path)
    monkeypatch.setattr(stages, "SLOWNESS_SECONDS", 0)
    monkeypatch.setattr(stages, "slowness", lambda: next(found))
    schedule = stages.Schedule([Stage("demo", "sleep 1", after=())], budget(demo=1), writes=False)
    schedule.run(time.monotonic())
    (run,) = schedule.passed
    assert len(run.slowness) > 3
    assert run.slowness[:3] == [0.1, 0.9, 0.5]
    assert run.took.slowness == pytest.approx(0.5)
