"""Runs the three comparisons against a server of its own, and says what was found."""

import argparse
import os
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

# Starting a server and ending it is the same as for the bench.
sys.path.append(str(Path(__file__).resolve().parent.parent / "bench"))

import requests

import api_calls
import differential
import offers
import verification
from authority import Authority
from checks import Checks
from failure import Failure
from interruption import clean_up_when_interrupted
from shop import ENVIRONMENTS, Shop
from world import serving

TIME_LIMIT = 900  # seconds: twice what two busy cores need


def arguments():
    parser = argparse.ArgumentParser(description="Compares the server with Apple's library for Python.")
    parser.add_argument("--binary", required=True, help="the server")
    parser.add_argument("--mutants", type=int, default=10_500, help="how many altered receipts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the altered receipts (default: %(default)s)")
    return parser.parse_args()


def run(options):
    started, checks, authority = time.monotonic(), Checks(), Authority("Interop")
    with TemporaryDirectory(prefix="quartermaster-interop.") as folder:
        with serving(Path(folder), options.binary, authority) as server:
            shops = [Shop(server.store, environment) for environment in ENVIRONMENTS]
            for shop in shops:
                verification.run(shop, checks)
                api_calls.run(shop, checks)
                offers.run(server.address, shop, checks)
            table = differential.run(server.address, shops, authority, options.mutants, options.seed, checks)
    print(f"{checks.count} comparisons with Apple's library in both environments")
    print(table)
    print(f"{time.monotonic() - started:.0f} seconds, seed {options.seed}")
    return checks.findings


def main():
    clean_up_when_interrupted()
    signal.alarm(TIME_LIMIT)
    os.environ["NO_PROXY"] = "*"  # Everything is on this machine.
    try:
        findings = run(arguments())
    except (Failure, OSError, requests.RequestException) as error:
        sys.exit(f"interop: {error}")
    for finding in findings:
        print(f" ✘ {finding}", file=sys.stderr)
    if findings:
        sys.exit(f"interop: {len(findings)} findings")
    print("no findings")


main()
