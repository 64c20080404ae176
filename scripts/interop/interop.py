"""Runs the three comparisons against a server of its own, and says what was found."""

import argparse
import os
import sys
import time

import api_calls
import differential
import offers
import verification
from authority import Authority
from failure import folder_of, run_of
from findings import Checks
from shop import ENVIRONMENTS, Shop, serving

TIME_LIMIT = 900  # seconds: twice what two busy cores need


def arguments():
    parser = argparse.ArgumentParser(description="Compares the server with Apple's library for Python.")
    parser.add_argument("--binary", required=True, help="the server")
    parser.add_argument("--mutants", type=int, default=10_500, help="how many altered receipts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the altered receipts (default: %(default)s)")
    return parser.parse_args()


def run(options):
    started, checks, authority = time.monotonic(), Checks(), Authority("Interop")
    with folder_of("quartermaster-interop", None) as folder, serving(folder, options.binary, authority) as at:
        address, store = at
        shops = [Shop(store, environment) for environment in ENVIRONMENTS]
        for shop in shops:
            verification.run(shop, checks)
            api_calls.run(shop, checks)
            offers.run(address, shop, checks)
        table = differential.run(address, shops, authority, options.mutants, options.seed, checks)
    print(f"{checks.count} comparisons with Apple's library in both environments")
    print(table)
    print(f"{time.monotonic() - started:.0f} seconds, seed {options.seed}")
    return checks.findings


def main():
    options = arguments()
    os.environ["NO_PROXY"] = "*"  # Everything is on this machine.
    with run_of("interop", TIME_LIMIT):
        findings = run(options)
    for finding in findings:
        print(f" ✘ {finding}", file=sys.stderr)
    if findings:
        sys.exit(f"interop: {len(findings)} findings")
    print("no findings")


if __name__ == "__main__":
    main()
