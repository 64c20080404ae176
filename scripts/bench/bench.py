"""The bench: prepares, measures, prints. scripts/bench/bench.sh is what starts it."""

import argparse
import sys
import time
from pathlib import Path

import commits
import facts
import firsts
import histories
import large
import machine
import receipts
import shop
import table
from client import Client
from failure import folder_of, run_of
from machine import Cores
from plan import FULL, QUICK
from reads import PRODUCTS, Reads
from servers import Workspace

READS = {
    "list": Reads.product_list, "unchanged": Reads.unchanged_list, "manifest": Reads.manifest,
    "small": Reads.small_file, "medium": Reads.medium_file, "large": Reads.large_file, "ranges": Reads.ranges,
    "connections": Reads.new_connections,
}
UNPINNED_READS = {"list-unpinned": Reads.unpinned_list}
RECEIPTS, FIRSTS, FLUSHES, COMMITS, FACTS, HISTORIES, LARGE = (
    "receipts", "firsts", "flushes", "commits", "facts", "histories", "large-ledger")
ALL = [*READS, *UNPINNED_READS, RECEIPTS, FIRSTS, FLUSHES, COMMITS, FACTS, HISTORIES, LARGE]


def arguments():
    parser = argparse.ArgumentParser(prog="bench.sh")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--nginx", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds, under a minute in all")
    parser.add_argument("--json", type=Path, default=Path("var/bench.json"), help="where the numbers go as JSON")
    parser.add_argument("--only", action="append", choices=ALL, help="measure this alone")
    return parser.parse_args()


def say(text):
    print(f"bench: {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def buy(workspace, plan, wanted):
    """Not pinned, since nothing is timed yet. Another server then starts on the ledger, without what this one kept."""
    count = receipts.needed(plan) if RECEIPTS in wanted else 0
    count += plan.flushed_alone + plan.flushed_together if FLUSHES in wanted else 0
    say(f"buying {count} receipts")
    with workspace.serving(is_pinned=False) as process:
        player = shop.player_with_bundle(Client(process.port), Client(process.store_port))
        return player, shop.Receipts(workspace.folder, "receipts", shop.bought(process, count))


def read(workspace, plan, acts, player, server, is_pinned):
    products = Client(server.port).ask("GET", PRODUCTS, 200)[1]
    with workspace.nginx(products, is_pinned) as nginx:
        server.wait_until_idle()
        say(f"the server is process {server.popen.pid}, nginx {nginx.popen.pid}")
        reads = Reads(plan, workspace.cores if is_pinned else Cores(None, None), server, nginx, player)
        for name, act in acts.items():
            say(name)
            yield act(reads)


def measure(workspace, plan, wanted, player, pool):
    unpinned, reads = ({name: act for name, act in acts.items() if name in wanted} for acts in (UNPINNED_READS, READS))
    if unpinned:
        with workspace.serving(is_pinned=False) as server:
            yield from read(workspace, plan, unpinned, player, server, is_pinned=False)
    with workspace.serving() as server:
        yield from read(workspace, plan, reads, player, server, is_pinned=True)
        if RECEIPTS in wanted:
            say(RECEIPTS)
            yield from receipts.measured(plan, workspace.cores, server, pool)


def main():
    options = arguments()
    plan, wanted = QUICK if options.quick else FULL, options.only or ALL
    with run_of("bench", plan.time_limit), folder_of("bench") as folder:
        workspace = Workspace(folder, options.binary, options.nginx, machine.Cores.chosen())
        about = machine.describe(folder, workspace.cores, plan.disk_probes)
        workspace.prepare()
        player, pool = buy(workspace, plan, wanted)
        report = table.Report(about, list(measure(workspace, plan, wanted, player, pool)))
        if FIRSTS in wanted:
            say(FIRSTS)
            results, report.sizes, report.floors = firsts.measured(plan, workspace)
            report.results += results
        if FLUSHES in wanted:
            say(FLUSHES)
            report.calls = receipts.calls(plan, workspace, pool)
        if COMMITS in wanted:
            say(COMMITS)
            report.commits = list(commits.measured(plan, workspace))
        if FACTS in wanted:
            say(FACTS)
            report.facts = list(facts.measured(plan, workspace))
        if HISTORIES in wanted:
            say(HISTORIES)
            report.growths = list(histories.measured(plan, workspace, say))
        if LARGE in wanted:
            say(LARGE)
            report.large = [large.measured(plan, workspace, say)]
    report.print()
    report.write(options.json)
    say(f"written to {options.json}")


main()
