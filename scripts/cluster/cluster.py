"""The test of several servers: starts everything, lets players and trouble loose, compares. cluster.sh starts it."""

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from bucket import bucket, downloads
from checks import catalog_changes, compare
from failure import folder_of, run_of
from players import Players
from postgres import Postgres
from replicas import Replicas, Trouble, simulator

REPLICAS = 3
TIME_LIMIT = 1_800  # seconds
CATALOG_CHANGES = 200
# Of the changes, 99 in 100 have to be everywhere within it.
CATALOG_WITHIN = 1.0  # seconds


def arguments():
    parser = argparse.ArgumentParser(prog="cluster.sh")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--nginx", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--receipts", type=int, default=20_000, help="how many are sent, those sent again included")
    parser.add_argument("--accounts", type=int, default=500)
    parser.add_argument("--changes", type=int, default=CATALOG_CHANGES, help="how often the catalog is changed")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def say(text):
    print(f"cluster: {time.strftime('%H:%M:%S')} {text}", flush=True)


def run(options):
    generator = random.Random(options.seed)
    with ExitStack() as stack:
        folder = stack.enter_context(folder_of("cluster"))
        postgres = stack.enter_context(Postgres(folder / "postgres").running())
        store = stack.enter_context(simulator(options.binary, folder))
        objects = stack.enter_context(bucket(folder))
        objects.publish(options.binary, postgres.url)
        replicas = Replicas(options.binary, options.nginx, folder, postgres.url, store, objects)
        stack.enter_context(replicas.running(REPLICAS))
        say(f"{REPLICAS} servers behind port {replicas.port}; {options.accounts} players buy")
        players = Players(replicas.port, store.port, options.accounts, generator)
        players.buy(options.receipts)
        say(f"{len(players.sendings)} receipts are sent, with {players.described}")
        trouble = Trouble(replicas, postgres, random.Random(options.seed))
        with ThreadPoolExecutor(1) as pool:
            trouble.until(pool.submit(players.send_everything))
        say(f"all are answered, after {trouble.kills} kills and {len(trouble.outages)} outages of PostgreSQL, and "
            f"{players.tries} tries; {len(players.refusals)} times 503")
        trouble.expect_no_refusal_without_outage(players.refusals)
        compare(players, replicas, postgres)
        say("everybody has what they paid for, once")
        say(f"{downloads(replicas.port, players)} files of bundles came from the object store as they should be")
        if options.changes:
            say(catalog_changes(replicas, options.changes, CATALOG_WITHIN))


def main():
    options = arguments()
    with run_of("cluster", TIME_LIMIT):
        run(options)


main()
