"""What the benchmarks make of what they measure: rounds, floors, tables, commits, the end of a process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import process
import table
from failure import Failure
from firsts import copied, floor
from histories import REFERENCE, Growth
from large import Large, longest_in
from machine import is_quiet, shares_of
from process import Process, busy_ticks, eventually, free_ports, idle_for, output_of, pinned, ticks
from nginx import nginx_command
from reads import can_be
from rounds import BYTES, RECEIPTS, REQUESTS, Result, Round, Spread, compared, timed, undisturbed
from wrk import Load


@pytest.mark.parametrize("size, is_right", [
    # 100 answers of 50 bytes, and up to 4 that were cut off.
    (5_000, True), (4_900, True), (5_304, True), (4_899, False), (5_305, False), (0, False), (10_000, False)])
def test_answers_of_one_length_come_to_so_many_bytes(size, is_right):
    assert can_be(size, answers=100, wire=50, connections=4) == is_right


@pytest.mark.parametrize("passed, shares, quiet", [
    # user, nice, system, idle, iowait, irq, softirq, steal
    ((0, 0, 0, 100, 0, 0, 0, 0), (0, 0), True), ((2, 0, 2, 90, 6, 0, 0, 0), (0.04, 0), True),
    ((1, 1, 1, 95, 0, 1, 1, 0), (0.05, 0), False), ((2, 0, 0, 95, 0, 0, 0, 3), (0.02, 0.03), False),
    ((0, 0, 0, 0, 0, 0, 0, 0), (1, 0), False)])
def test_a_machine_is_quiet_where_neither_others_nor_the_host_take_much(passed, shares, quiet):
    assert shares_of(passed) == pytest.approx(shares)
    assert is_quiet(*shares) == quiet


def test_ticks_are_those_of_user_and_system_whatever_the_program_is_called():
    fields = [*"R", *map(str, range(4, 14)), "250", "31", "7", "9"]
    for name in ("quartermaster", "a (b) c", "x) R 1 2"):
        assert ticks(f"42 ({name}) {' '.join(fields)}\n") == 281


def test_the_ticks_of_this_process_are_what_it_took():
    own = sum(os.times()[:2])
    assert abs(process.cpu_seconds("self") - own) < 0.1


SPUN = 0.3
SPINNING = f"import time; end = time.process_time() + {SPUN}\nwhile time.process_time() < end: pass"
# User's and system's ticks are each cut to whole ones, in the process and in the one that it left behind.
CUT = 4 / process.TICKS


def test_what_a_process_started_counts_as_its_own(tmp_path):
    waiting = f"{SPINNING}\nprint('spun', flush=True); time.sleep(60)"
    popen = subprocess.Popen(
        ["sh", "-c", '"$0" -c "$1" & wait', sys.executable, waiting], stdout=subprocess.PIPE, text=True)
    try:
        assert popen.stdout.readline() == "spun\n"
        (own, child) = process.family(popen.pid)
        assert own == popen.pid
        assert process.cpu_seconds(own) < 0.1
        assert SPUN - CUT <= Process("sh", popen, 0, tmp_path / "log").cpu_seconds() < 2
    finally:
        for each in process.family(popen.pid):
            os.kill(each, signal.SIGKILL)
        popen.wait()


@pytest.mark.parametrize("workers, line", [(None, "master_process off;"), (2, "worker_processes 2;")])
def test_the_workers_of_nginx_end_with_the_process_that_started_them(tmp_path, workers, line):
    command = nginx_command("nginx", tmp_path, "access_log off;", workers=workers)
    assert (command[:3] == ["setpriv", "--pdeathsig", "TERM"]) == (workers is not None)
    assert line in (tmp_path / "nginx.conf").read_text()


@pytest.mark.parametrize("spent, idle", [
    ([0, 0, 0], 3), ([0, 0.06, 0], 1), ([0.04, 0.04], 2), ([0.05], 0), ([0, 0, 1], 0)])
def test_idle_seconds_are_counted_from_the_last_busy_one(spent, idle):
    seconds = 0
    for each in spent:
        seconds = idle_for(seconds, each)
    assert seconds == idle


def test_eventually_gives_what_is_seen_or_fails():
    seen = iter([None, 0, "", "there"])
    assert eventually("nothing came", 60, lambda: next(seen), every=0) == "there"
    with pytest.raises(Failure, match="nothing came within 0 seconds"):
        eventually("nothing came", 0, lambda: None, every=0)


def test_a_command_that_fails_is_a_failure_with_its_last_words():
    assert output_of(sys.executable, "-c", "print(7)") == "7\n"
    with pytest.raises(Failure, match="(?s)outits reason"):
        output_of(sys.executable, "-c", "import sys; print('out', end=''); sys.exit('its reason')")


def test_a_process_that_ended_is_a_failure_with_its_status(tmp_path):
    log = tmp_path / "log"
    log.write_text("".join(f"line {number}\n" for number in range(9)))
    popen = subprocess.Popen([sys.executable, "-c", "input(); raise SystemExit(3)"], stdin=subprocess.PIPE)
    found = Process("the server", popen, 0, log)
    found.expect_alive()
    popen.communicate(b"\n")
    with pytest.raises(Failure, match="the server ended with 3"):
        found.expect_alive()
    assert found.last_lines() == "The last lines of the server:\nline 4\nline 5\nline 6\nline 7\nline 8"
    found.forget_log()
    assert found.last_lines() == "the server said nothing."


def test_free_ports_are_different_and_a_command_is_pinned_to_a_core_if_there_is_one():
    assert len(set(free_ports(5))) == 5
    assert pinned(None, ["x"]) == ["x"]
    assert pinned(0, ["x"]) == ["taskset", "--cpu-list", "0", "x"]


def test_rounds_that_are_compared_stand_next_to_each_other_in_time():
    order = []

    def act(name):
        return lambda: order.append(name) or len(order)

    class Twice:
        quadruples = 2

    assert compared(Twice, act("A"), act("B")) == ([1, 4, 5, 8], [2, 3, 6, 7])
    assert "".join(order) == "ABBAABBA"


def round_(work=1000, seconds=2.0, cpu=1.0, elapsed=2.5, load=2.0, others=0.05):
    return Round(work, seconds, cpu, elapsed, load, others)


@pytest.mark.parametrize("others, taken", [
    # Of 2.5 seconds.
    ([0.25, 0.0], 0), ([0.3, 0.2, 0.1], 1), ([0.9, 0.5, 0.7, 0.0], 1), ([0.5, 0.7, 0.25], 2)])
def test_a_round_is_repeated_while_others_compute_and_the_least_disturbed_one_counts(others, taken):
    rounds = [round_(others=each) for each in others]
    assert undisturbed(iter(rounds).__next__, tries=3) is rounds[taken]


def test_others_are_what_neither_the_server_nor_the_load_computed(monkeypatch):
    readings = iter([10.0, 13.5])
    monkeypatch.setattr("rounds.all_busy_seconds", lambda: next(readings))

    class Server:
        spent = iter([1.0, 2.0])

        def cpu_seconds(self):
            return next(self.spent)

        def expect_alive(self):
            pass

        def forget_log(self):
            pass

    found = timed(Server(), lambda: Load(requests=7, bytes=0, seconds=3.0, cpu_seconds=1.5), lambda load: load.requests)
    assert (found.work, found.cpu_seconds, found.load_cpu_seconds, found.others_cpu_seconds) == (7, 1.0, 1.5, 1.0)


def test_busy_ticks_are_neither_idle_nor_stolen():
    assert busy_ticks("cpu  1 2 4 8 16 32 64 128 1 2\ncpu0 9 9 9 9 9 9 9 9 9 9\n") == 1 + 2 + 4 + 32 + 64


def test_ratios_are_of_neighbours_and_not_of_medians():
    ours, nginx = [round_(100), round_(900), round_(500)], [round_(200), round_(300), round_(500)]
    assert Result("x", REQUESTS, ours, nginx).ratios("rate") == Spread(1.0, 0.5, 3.0)
    assert Result("x", REQUESTS, ours, nginx).ratios("cost") == Spread(1.0, 300 / 900, 2.0)


def test_a_row_has_medians_and_ratios():
    ours, nginx = [round_(), round_(2000), round_(3000)], [round_(4000)] * 3
    assert table.row(Result("list", REQUESTS, ours, nginx)) == (
        "list", "1,000/s", "2,000/s", "0.50 [0.25..0.75]", "500.0 µs", "250.0 µs", "2.00 [1.33..4.00]", "40%, 40%",
        "80%, 80%", "2%")
    assert table.row(Result("receipts", RECEIPTS, ours)) == (
        "receipts", "1,000 [500..1,500]/s", "", "", "500.0 µs", "", "", "40%", "80%", "2%")
    large = [round_(2**30)]
    assert table.row(Result("file", BYTES, large, large))[1:3] == ("512 MiB/s", "512 MiB/s")
    assert table.row(Result("file", BYTES, large, large))[4] == "1.000 s/GiB"


def test_growth_is_told_beside_an_account_that_bought_a_little():
    rows = list(table.growth_rows([Growth("SQLite", "consumable", "receipt",
        {0: 0.001, REFERENCE: 0.002, 1000: 0.003})]))
    assert rows == [
        ("CPU of one act, in µs, after so many purchases", "0", "10", "1,000"),
        ("SQLite, consumable, receipt", "1,000 (0.50)", "2,000 (1.00)", "3,000 (1.50)")]


def test_a_large_ledger_is_told_beside_the_small_one():
    found = Large(2_000, 50_000, 3 * 2**29, 1.0, {"list": 0.001, "receipt": 0.002}, {"receipt": 0.003, "list": 0.001},
        "0.1")
    head, *rows = table.large_rows(found)
    assert head[0].endswith("longest commit within 0.1 s") and "1.5 GiB" in head[2]
    assert rows == [("list", "1,000", "1,000", "1.00"), ("receipt", "2,000", "3,000", "1.50")]


def test_a_floor_is_of_one_receipt_and_the_ratio_of_the_round_beside_it():
    runs = [{"verification_seconds": 1, "statement_seconds": 3, "statements": 80},
            {"verification_seconds": 2, "statement_seconds": 6, "statements": 80},
            {"verification_seconds": 1, "statement_seconds": 4, "statements": 80}]
    found = floor(clients=64, count=10, runs=runs, costs=[0.8, 0.8, 1.0])
    assert (found.clients, found.statements) == (64, 8)
    assert found.verification == Spread(0.1, 0.1, 0.2)
    assert found.execution == Spread(0.4, 0.3, 0.6)
    assert found.server == Spread(0.8, 0.8, 1.0)
    assert found.ratio == Spread(2.0, 1.0, 2.0)
    assert found.total == 0.5


def test_a_ledger_is_copied_with_its_log_and_over_another_copy(tmp_path):
    ledger, copy = tmp_path / "ledger", tmp_path / "copy"
    for name, text in (("ledger", "new"), ("copy", "old"), ("copy-wal", "old"), ("copy-shm", "old")):
        (tmp_path / name).write_text(text)
    copied(ledger, copy)
    assert copy.read_text() == "new"
    # A log of another ledger would be read into the copy.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "ledger"]
    Path(f"{ledger}-wal").write_text("log")
    copied(ledger, copy)
    assert Path(f"{copy}-wal").read_text() == "log"


BUCKET = 'quartermaster_ledger_write_duration_seconds_bucket{phase="%s",le="%s"} %s\n'


def metrics(*counts, phase="commit"):
    return "".join(BUCKET % (phase, bound, count) for bound, count in zip(("0.01", "0.1", "1", "+Inf"), counts))


@pytest.mark.parametrize("text, bound", [
    (metrics(5, 9, 9, 9), "0.1"), (metrics(9, 9, 9, 9), "0.01"), (metrics(0, 0, 0, 1), "+Inf"),
    (metrics(9, 9, 9, 9, phase="wait") + metrics(1, 1, 2, 2), "1"), ("", "")])
def test_the_longest_commit_is_in_the_last_bucket_that_adds_one(text, bound):
    assert longest_in(text) == bound
