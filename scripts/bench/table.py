"""The result, for people and for programs."""

import json
from dataclasses import asdict, dataclass, field

from histories import REFERENCE
from rounds import Spread, clients_text

HEADINGS = ("measure", "ours", "nginx", "ratio", "CPU ours", "CPU nginx", "ratio", "busy", "load", "others")
EXPLANATION = """
Medians [lowest..highest] of the rounds; ratios are ours to nginx's, of rounds next to each other. CPU is the server's,
all its threads and processes: per request, receipt or GiB. busy: how much of one core the server, or nginx, computed;
load: how much the load did, with one thread. Where neither is near 100 %, each waits for the other, or for the disk, and
the CPU says more than the rate. The ratio of rates is that of busy divided by that of CPU. others: the most that the
rest of the machine took of one core in a round; where it is much, neither number means anything."""


def spread_text(spread, text="{:.2f}"):
    return f"{text.format(spread.median)} [{text.format(spread.lowest)}..{text.format(spread.highest)}]"


def row(result):
    unit = result.unit

    def rate(rounds):
        return Spread.of(each.rate * unit.rate_scale for each in rounds)

    def cost(rounds):
        return unit.cost_text.format(Spread.of(each.cost * unit.cost_scale for each in rounds).median)

    def share(rounds, member):
        return f"{Spread.of(getattr(each, member) for each in rounds).median:.0%}"

    both = [result.ours, *filter(None, [result.nginx])]
    shares = [", ".join(share(rounds, member) for rounds in both) for member in ("busy", "load_busy")]
    shares.append(f"{max(each.others_busy for rounds in both for each in rounds):.0%}")
    if result.nginx is None:
        bare = unit.rate_text.format(0).lstrip("0")
        ours = rate(result.ours)
        text = f"{ours.median:,.0f} [{ours.lowest:,.0f}..{ours.highest:,.0f}]{bare}"
        return (result.measure, text, "", "", cost(result.ours), "", "", *shares)
    return (
        result.measure, unit.rate_text.format(rate(result.ours).median), unit.rate_text.format(
            rate(result.nginx).median), spread_text(result.ratios("rate")), cost(result.ours), cost(result.nginx),
        spread_text(result.ratios("cost")), *shares)


def microseconds(spread):
    return Spread(*(value * 1e6 for value in vars(spread).values()))


@dataclass
class Report:
    machine: dict
    results: list
    sizes: list = field(default_factory=list)
    floors: list = field(default_factory=list)
    calls: dict = field(default_factory=dict)
    commits: list = field(default_factory=list)
    facts: list = field(default_factory=list)
    growths: list = field(default_factory=list)
    large: list = field(default_factory=list)

    def print(self):
        width = max(map(len, self.machine))
        for name, value in self.machine.items():
            print(f"{name:{width}}  {value}")
        print()
        if self.results:
            print_rows([HEADINGS, *map(row, self.results)])
        for line in [*self.receipt_lines(), *self.commit_lines(), *self.facts_lines()]:
            print(line)
        if self.growths:
            print()
            print_rows(list(growth_rows(self.growths)))
        for each in self.large:
            print()
            print_rows(list(large_rows(each)))
        print(EXPLANATION)

    def receipt_lines(self):
        for each in self.floors:
            parts = [spread_text(microseconds(part), "{:,.0f}") for part in (each.verification, each.execution)]
            yield (
                f"C floor, {clients_text(each.clients)}: {each.total * 1e6:,.0f} µs a first receipt, of which verification "
                f"{parts[0]}, {each.statements:.1f} statements {parts[1]}; "
                f"the server's CPU is {spread_text(each.ratio)} × that")
        for each in self.sizes:
            yield f"{each.store}: {each.bytes:,.0f} bytes on disk a receipt, all rows and indexes, no notification"
        for clients, counts in self.calls.items():
            yield (f"per receipt, {clients}: {counts['flushes']:.2f} flushes of the disk, {counts['pwrite64']:.1f} pwrite64, "
                   f"{counts['getrandom']:.2f} getrandom")

    def commit_lines(self):
        for each in self.commits:
            yield (
                f"{each.store}, slow flushes, {clients_text(each.clients)}: {each.rate:,.0f} receipts/s, {each.ratio:.2f} × "
                f"its bare {each.raw_rate:,.0f} commits/s; {each.receipts_per_flush:.1f} receipts a flush, "
                f"{each.cpu_seconds / each.receipts * 1e6:,.0f} µs of the server's CPU a receipt")

    def facts_lines(self):
        for each in self.facts:
            yield (
                f"receipts {each.kind} price, storefront and offer: {each.ledger_bytes:,.0f} bytes of the ledger "
                f"each, of which {each.receipt_bytes:,.0f} are the receipt and {each.facts_bytes:,.0f} the facts; "
                f"{spread_text(microseconds(each.cpu_seconds), '{:,.0f}')} µs of the server's CPU")

    def write(self, path):
        """Rates in work per second, costs in CPU seconds per work."""
        content = {
            "machine": self.machine, "results": [summary(result) for result in self.results],
            "flushes_per_receipt": {clients: each["flushes"] for clients, each in self.calls.items()},
            "calls_per_receipt": self.calls, "floors": [
                {**asdict(each), "total": each.total} for each in self.floors],
            **{name: [asdict(each) for each in getattr(self, name)]
               for name in ("sizes", "commits", "facts", "growths", "large")},
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def print_rows(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for cells in rows:
        print("  ".join([f"{cells[0]:{widths[0]}}", *(f"{c:>{w}}" for c, w in zip(cells[1:], widths[1:]))]).rstrip())


def growth_rows(growths):
    """By how much an account had bought: CPU, and how it compares with an account that had bought a little."""
    sizes = list(growths[0].costs)
    yield ("CPU of one act, in µs, after so many purchases", *(f"{size:,}" for size in sizes))
    for each in growths:
        base = each.costs[REFERENCE]
        yield (
            f"{each.store}, {each.kind}, {each.act}",
            *(f"{cost * 1e6:,.0f} ({cost / base:.2f})" for cost in each.costs.values()))


def large_rows(each):
    yield (
        f"CPU of one act, in µs; longest commit within {each.longest_commit} s", "small ledger",
        f"{each.accounts:,} accounts, {each.transactions:,} transactions, {each.ledger_bytes / 2**30:.1f} GiB", "ratio")
    for act, cost in each.small.items():
        yield (act, f"{cost * 1e6:,.0f}", f"{each.large[act] * 1e6:,.0f}", f"{each.large[act] / cost:.2f}")


def summary(result):
    rounds = {"ours": result.ours, "nginx": result.nginx or []}
    members = {
        f"{name}_{member}": asdict(Spread.of(getattr(each, member) for each in each_rounds))
        for name, each_rounds in rounds.items() if each_rounds for member in ("rate", "cost", "busy", "load_busy", "others_busy")
    }
    if result.nginx:
        members |= {f"ratio_{member}": asdict(result.ratios(member)) for member in ("rate", "cost")}
    return {
        "measure": result.measure, "work": result.unit.name, **members,
        "rounds": {name: [asdict(each) for each in each_rounds] for name, each_rounds in rounds.items()},
    }
