"""Causes faults at real servers, and checks that each is told, with advice, and not any more once it is mended.
scripts/check-faults.sh starts it."""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import verdict
from failure import Failure, folder_of, run_of
from faults import FAULTS
from place import Place, Tools, copied

# Each server looks once a minute at what is wrong.
WELL_WITHIN, TOLD_WITHIN, SILENT_WITHIN = 180, 240, 420  # seconds
LOOK_EVERY = 3  # seconds
AT_ONCE = 4
TIME_LIMIT = 3_600  # seconds


stopped = Event()


def watched(place, number, within, is_enough):
    """What is seen in the end, and after how many seconds: as it should be, or as it still is."""
    begun = time.monotonic()
    while True:
        seen, passed = place.seen(number), time.monotonic() - begun
        if is_enough(seen) or passed > within:
            return seen, passed
        if stopped.wait(LOOK_EVERY):
            raise Failure("the run was ended")


def tried(fault, tools, folder):
    folder.mkdir()
    place = Place(tools, folder, **fault.options)
    # Of two servers the last one goes.
    number = len(place.ports) - 1
    with place.running():
        before, _ = watched(place, number, WELL_WITHIN, lambda seen: seen.is_silent)
        start = fault.cause(place)
        during, told_after = watched(place, number, TOLD_WITHIN, lambda seen: seen.tells(fault))
        fault.mend(place)
        after, silent_after = watched(place, number, SILENT_WITHIN, lambda seen: seen.is_silent)
    return verdict.Outcome(fault, before, during, after, told_after, silent_after, start)


def attempt(fault, tools, folder):
    """The outcome, and what is wrong with it."""
    try:
        outcome = tried(fault, tools, folder)
        mistakes = list(outcome.mistakes())
    except (Failure, OSError) as error:
        outcome, mistakes = None, [str(error)]
    print(f"check-faults: {fault.name}: {'; '.join(mistakes) or 'as it should be'}", flush=True)
    return outcome, mistakes


def main():
    parser = argparse.ArgumentParser()
    for name in ("binary", "prometheus", "clock"):
        parser.add_argument(name, type=Path)
    parser.add_argument("only", nargs="*")
    arguments = parser.parse_args()
    chosen = [fault for fault in FAULTS if not arguments.only or any(each in fault.name for each in arguments.only)]
    faults = [fault for fault in chosen if os.geteuid() == 0 or not fault.needs_root]
    with run_of("check-faults", TIME_LIMIT), folder_of("check-faults", place=None) as folder:
        tools = copied(Tools(arguments.binary, arguments.prometheus, arguments.clock), folder)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            attempts = [pool.submit(attempt, fault, tools, folder / str(number)) for number, fault in enumerate(faults)]
            try:
                found = [each.result() for each in attempts]
            finally:
                stopped.set()  # Whoever waits no longer, lets nobody go on.
    print(verdict.table([outcome for outcome, _ in found if outcome]))
    for fault in chosen:
        if fault not in faults:
            print(f"check-faults: {fault.name}: not tried, since it needs root")
    if not faults or any(mistakes for _, mistakes in found):
        sys.exit("check-faults: not every fault is told, or no longer told once it is mended")
    print(f"check-faults: {len(faults)} faults are told, with advice, and no longer once they are mended")


main()
