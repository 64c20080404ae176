"""Draws what an act costs by how much its account had bought, as docs/operate/growth.svg, from what `make bench` wrote.

  python3 scripts/bench/growth.py [var/bench.json] [docs/operate/growth.svg]
"""

import json
import math
import sys
from html import escape
from pathlib import Path

STORE = "SQLite"
ACTS = {"receipt": "a new receipt", "entitlements": "entitlements", "manifest": "a manifest"}
# Told apart by their dashes too, by whoever does not see the colours.
KINDS = {
    "consumable": ("#0072b2", ""), "non-consumable": ("#d55e00", "7 3"), "non-renewing": ("#009e73", "2 3"),
    "auto-renewable": ("#cc79a7", "9 3 2 3"),
}
WIDTH, HEIGHT = 250, 220  # of a panel
LEFT, TOP, BOTTOM, GAP = 56, 34, 60, 14
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - GAP, HEIGHT - TOP
STYLE = """
    text { font: 12px system-ui, sans-serif; fill: #1f2328 }
    .axis { stroke: #6e7781 } .grid { stroke: #d0d7de } .background { fill: #fff }
    @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 } .grid { stroke: #30363d } .background { fill: #0d1117 }
    }
"""


class Scales:
    """Logarithmic ones, of whole powers of ten."""

    def __init__(self, growths):
        costs = [cost * 1e6 for each in growths for cost in each["costs"].values()]
        self.sizes = [int(size) for size in growths[0]["costs"]]
        self.lowest, self.highest = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))

    def x(self, size):
        # 0 stands where 1 would.
        return math.log10(max(size, 1)) / math.log10(max(self.sizes)) * PLOT_WIDTH

    def y(self, microseconds):
        part = (math.log10(microseconds) - self.lowest) / max(self.highest - self.lowest, 1)
        return TOP + (1 - part) * PLOT_HEIGHT

    @property
    def lines(self):
        return [10.0 ** power for power in range(self.lowest, self.highest + 1)]


def panel(index, act, growths, scales):
    yield f'<g transform="translate({LEFT + index * WIDTH} 0)">'
    yield f'<text x="{PLOT_WIDTH / 2}" y="20" text-anchor="middle">{escape(ACTS[act])}</text>'
    for cost in scales.lines:
        y = scales.y(cost)
        yield f'<line class="grid" x1="0" y1="{y:.1f}" x2="{PLOT_WIDTH}" y2="{y:.1f}"/>'
        if index == 0:
            yield f'<text x="-6" y="{y + 4:.1f}" text-anchor="end">{time_text(cost)}</text>'
    for size in scales.sizes:
        x = scales.x(size)
        yield f'<line class="axis" x1="{x:.1f}" y1="{HEIGHT}" x2="{x:.1f}" y2="{HEIGHT + 4}"/>'
        if size != 0:
            yield f'<text x="{x:.1f}" y="{HEIGHT + 18}" text-anchor="middle">{size_text(size)}</text>'
    yield f'<line class="axis" x1="0" y1="{HEIGHT}" x2="{PLOT_WIDTH}" y2="{HEIGHT}"/>'
    for each in growths:
        if each["act"] == act:
            points = " ".join(
                f"{scales.x(int(size)):.1f},{scales.y(cost * 1e6):.1f}" for size, cost in each["costs"].items())
            yield f'<polyline points="{points}" fill="none" {stroke(each["kind"])}/>'
    yield "</g>"


def stroke(kind):
    color, dashes = KINDS[kind]
    return f'stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"'


def time_text(microseconds):
    return f"{microseconds / 1000:g} ms" if microseconds >= 1000 else f"{microseconds:g} µs"


def size_text(size):
    return f"{size:,}" if size < 1000 else f"{size // 1000:,} k"


def legend(width):
    step = (width - LEFT) / len(KINDS)
    for index, kind in enumerate(KINDS):
        x, y = LEFT + index * step, HEIGHT + 48
        yield f'<line x1="{x:.0f}" y1="{y - 4}" x2="{x + 26:.0f}" y2="{y - 4}" {stroke(kind)}/>'
        yield f'<text x="{x + 32:.0f}" y="{y}">{escape(kind)}</text>'


def picture(growths):
    growths = [each for each in growths if each["store"] == STORE and each["act"] in ACTS]
    scales, width = Scales(growths), LEFT + len(ACTS) * WIDTH
    title = "CPU of one act by the number of earlier purchases of its account, for each type of product"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT + BOTTOM}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="background" width="{width}" height="{HEIGHT + BOTTOM}"/>',
    ]
    for index, act in enumerate(ACTS):
        parts += panel(index, act, growths, scales)
    return "\n".join([*parts, *legend(width), "</svg>", ""])


def main(source="var/bench.json", target="docs/operate/growth.svg"):
    try:
        growths = json.loads(Path(source).read_text())["growths"]
    except FileNotFoundError:
        growths = []
    if not growths:
        sys.exit(f"growth: no histories in {source}: make bench measures them")
    Path(target).write_text(picture(growths))


main(*sys.argv[1:])
