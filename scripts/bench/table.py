"""The result, for people and for programs."""

import json
from dataclasses import asdict

from rounds import Spread

HEADINGS = ("measure", "ours", "nginx", "ratio", "CPU ours", "CPU nginx", "ratio", "busy")
EXPLANATION = """
Medians [lowest..highest] of the rounds; ratios are ours to nginx's, of rounds next to each other. CPU is the server's,
all its threads: per request, receipt or GiB. busy: the share of its core that the server, or nginx, was computing;
well below 100 % something else was the limit, the load or the disk, and the CPU says more than the rate."""


def spread_text(spread, text="{:.2f}"):
    return f"{text.format(spread.median)} [{text.format(spread.lowest)}..{text.format(spread.highest)}]"


def row(result):
    unit = result.unit

    def rate(rounds):
        return Spread.of(each.rate * unit.rate_scale for each in rounds)

    def cost(rounds):
        return unit.cost_text.format(Spread.of(each.cost * unit.cost_scale for each in rounds).median)

    def busy(rounds):
        return f"{Spread.of(each.busy for each in rounds).median:.0%}"

    if result.nginx is None:
        bare = unit.rate_text.format(0).lstrip("0")
        ours = rate(result.ours)
        text = f"{ours.median:,.0f} [{ours.lowest:,.0f}..{ours.highest:,.0f}]{bare}"
        return (result.measure, text, "", "", cost(result.ours), "", "", busy(result.ours))
    return (
        result.measure, unit.rate_text.format(rate(result.ours).median), unit.rate_text.format(
            rate(result.nginx).median), spread_text(result.ratios("rate")), cost(result.ours), cost(result.nginx),
        spread_text(result.ratios("cost")), f"{busy(result.ours)}, {busy(result.nginx)}")


def print_table(machine, results, flushes, committed, kinds):
    width = max(map(len, machine))
    for name, value in machine.items():
        print(f"{name:{width}}  {value}")
    rows = [HEADINGS, *map(row, results)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    print()
    for cells in rows:
        print("  ".join([f"{cells[0]:{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(cells[1:], widths[1:]))]).rstrip())
    for clients, count in flushes.items():
        print(f"flushes of the disk per receipt, {clients}: {count:.2f}")
    for each in committed:
        print(
            f"{each.store}, slow flushes, {each.clients} clients: {each.rate:,.0f} receipts/s, {each.ratio:.2f} × its "
            f"bare {each.raw_rate:,.0f} commits/s; {each.receipts_per_flush:.1f} receipts a flush, "
            f"{each.cpu_seconds / each.receipts * 1e6:,.0f} µs of the server's CPU a receipt")
    for each in kinds:
        cost = Spread.of(value * 1e6 for value in vars(each.cpu_seconds).values())
        print(
            f"receipts {each.kind} price, storefront and offer: {each.ledger_bytes:,.0f} bytes of the ledger each, of "
            f"which {each.receipt_bytes:,.0f} are the receipt and {each.facts_bytes:,.0f} the facts; "
            f"{spread_text(cost, '{:,.0f}')} µs of the server's CPU")
    print(EXPLANATION)


def summary(result):
    rounds = {"ours": result.ours, "nginx": result.nginx or []}
    members = {
        f"{name}_{member}": asdict(Spread.of(getattr(each, member) for each in each_rounds))
        for name, each_rounds in rounds.items() if each_rounds for member in ("rate", "cost", "busy")
    }
    if result.nginx:
        members |= {f"ratio_{member}": asdict(result.ratios(member)) for member in ("rate", "cost")}
    return {
        "measure": result.measure, "work": result.unit.name, **members,
        "rounds": {name: [asdict(each) for each in each_rounds] for name, each_rounds in rounds.items()},
    }


def write_json(path, machine, results, flushes, committed, kinds):
    """Rates in work per second, costs in CPU seconds per work."""
    content = {
        "machine": machine, "results": [summary(result) for result in results], "flushes_per_receipt": flushes,
        "commits": [asdict(each) for each in committed], "facts": [asdict(each) for each in kinds],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
