"""The stages of .ci/run: what each may take, and which may run beside each other."""

import pytest

import stages
from stages import Budget, Failure, Stage, Took, may_begin

USUAL = 0.2  # seconds: the slowness of the machine that the rows are from


def budget(**rows):
    return Budget({"slowness": USUAL, "cpu_seconds": rows})


@pytest.mark.parametrize("row, cpu, slowness, is_allowed", [
    # 15 % of a long stage.
    (1000, 1150, USUAL, True),
    (1000, 1151, USUAL, False),
    # Five seconds of a short one, where 15 % are less.
    (10, 15, USUAL, True),
    (10, 15.1, USUAL, False),
    # Both are the same for a row of 33 1/3.
    (33, 38, USUAL, True),
    (34, 39.2, USUAL, False),
    # A machine that is slower by half has half more.
    (1000, 1725, 1.5 * USUAL, True),
    (1000, 1726, 1.5 * USUAL, False),
    # A faster one has no less than the row says.
    (1000, 1150, USUAL / 2, True),
    (1000, 1151, USUAL / 2, False),
])
def test_a_stage_may_take_15_percent_or_five_seconds_more_than_its_row(row, cpu, slowness, is_allowed):
    took = Took("test", cpu, slowness)
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
    assert found == {"slowness": USUAL, "cpu_seconds": {"build": 150, "test": 50, "demo": 4}}
    # In the order of the stages, so that a change of the file is a change of a number.
    assert list(found["cpu_seconds"]) == ["build", "test", "demo"]
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
