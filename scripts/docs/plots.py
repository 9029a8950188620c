#!/usr/bin/env python3
"""Draws the plots of docs/numbers.md as SVG into docs/_static/pictures: speeds beside other ways, out of the ledger
benchmarks/ratios.json, and times of a round on simulated machines, which the command computes.

plots.py           draws those of the ledger (after `make bench-update`)
plots.py --check   fails where one is not that of the ledger
plots.py WEFT      draws those of the simulated machines too
"""

import json
import math
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from pictures import COLORS, INK, Picture

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs" / "_static" / "pictures"
LEDGER = ROOT / "benchmarks" / "ratios.json"
FASTER, SLOWER, RULE = "#1769aa", "#c2571a", "#d1d5db"
LEFT, RIGHT, TOP, ROW = 250, 40, 62, 24

EXCHANGE, PLAN = "exchange: k=1 {0}, degree 1: {1}", "plan: k=1 {0}, degree 1: {1}"
HALO = "blocks: halo, 64 blocks, 8 B, 8 B, degree 832: {0}"
SHORT, LONG, HUGE = "8 B, 8 B", "65.5 kB, 65536 B", "80 MB, 80000000 B"
# File, title, and rows: what is beside what, and the case of the ledger. A row is 1 / (ratio of the ledger).
SPEEDS = {
    "speed-exchange": ("Speed of an exchange beside a textbook NBX", [
        ("automatic choice, 8 B", EXCHANGE.format(SHORT, "automatic")),
        ("MPI_Alltoallv with counts, 8 B", EXCHANGE.format(SHORT, "raw-alltoallv")),
        ("Weft's NBX, 8 B", EXCHANGE.format(SHORT, "nbx")),
        ("automatic choice, 64 KiB", EXCHANGE.format(LONG, "automatic")),
        ("MPI_Alltoallv with counts, 64 KiB", EXCHANGE.format(LONG, "raw-alltoallv")),
        ("Weft's NBX, 64 KiB", EXCHANGE.format(LONG, "nbx")),
        ("Weft's NBX, 80 MB", EXCHANGE.format(HUGE, "nbx")),
    ]),
    "speed-plan": ("Speed of a plan beside persistent requests", [
        ("plan, 8 B", PLAN.format(SHORT, "plan")),
        ("MPI_Neighbor_alltoallv, 8 B", PLAN.format(SHORT, "raw neighborhood")),
        ("exchange without a plan, 8 B", PLAN.format(SHORT, "exchange")),
        ("plan, 64 KiB", PLAN.format(LONG, "plan")),
        ("MPI_Neighbor_alltoallv, 64 KiB", PLAN.format(LONG, "raw neighborhood")),
        ("exchange without a plan, 64 KiB", PLAN.format(LONG, "exchange")),
    ]),
    "speed-mailbox": ("Speed of a mailbox beside a ring in shared memory tuned by hand", [
        ("send, a message a time", "mailbox: histogram, 8 B, 8 B: send, direct"),
        ("send of many items", "mailbox: histogram, 8 B, 8 B: bulk send, direct"),
        ("async, any function", "mailbox: histogram, 8 B, 8 B: async"),
        ("the ring with calls of functions", "mailbox: histogram, 8 B, 8 B: ring with calls"),
        ("MPI_Alltoallv of sorted items", "mailbox: histogram, 8 B, 8 B: bulk alltoallv"),
    ]),
    "speed-blocks": ("Speed of a halo of 64 blocks beside one message a pair of ranks by hand", [
        ("exchange_neighbors", HALO.format("exchange_neighbors")),
        ("exchange", HALO.format("exchange")),
        ("iexchange", HALO.format("iexchange")),
        ("one MPI message a pair of blocks", HALO.format("one message a block pair")),
    ]),
    "speed-reduce": ("Speed of reductions beside the same of MPI", [
        ("all_reduce, 16 B", "reduce: all sum 16 B, 16 B: all_reduce"),
        ("all_reduce, 4 KiB", "reduce: all sum 4.1 kB, 4096 B: all_reduce"),
        ("all_reduce, 64 KiB", "reduce: all sum 65.5 kB, 65536 B: all_reduce"),
        ("reduce, 4 KiB", "reduce: merge sum 4.1 kB, 4096 B: reduce"),
        ("reduce, 64 KiB", "reduce: merge sum 65.5 kB, 65536 B: reduce"),
        ("reduce_scatter, 4 KiB", "reduce: swap sum 4.1 kB, 4096 B: reduce_scatter"),
        ("reduce_scatter, 64 KiB", "reduce: swap sum 65.5 kB, 65536 B: reduce_scatter"),
    ]),
}
SIMULATED = {
    "simulated-intrepid": ("Simulated time of an exchange on Intrepid, 6 targets a rank, 8 B", "intrepid"),
    "simulated-jaguar": ("Simulated time of an exchange on Jaguar, 6 targets a rank, 8 B", "jaguar"),
}
PROTOCOLS = {"pex": COLORS[1], "pcx": COLORS[2], "nbx": COLORS[0], "store_and_forward": COLORS[3]}
RANKS = (64, 256, 1024, 4096)


def said(times: float) -> str:
    if 0.95 < times < 1.05:
        return "equal"
    return f"{times:.1f} times faster" if times > 1 else f"{1 / times:.1f} times slower"


def speeds(title: str, rows: list[tuple[str, str]], ledger: dict[str, dict[str, float]]) -> Picture:
    """A dot a row for the median, a line from the least to the largest of several runs; right of 1 is faster."""
    found = [(label, ledger[case]) for label, case in rows]
    ends = [1 / each[end] for _, each in found for end in ("least", "largest")]
    low, high = math.floor(math.log2(min(*ends, 0.5))), math.ceil(math.log2(max(*ends, 2)))
    width, height = 760, TOP + ROW * len(found) + 40
    picture = Picture(width, height, title)

    def at(value: float) -> float:
        return LEFT + (math.log2(value) - low) / (high - low) * (width - LEFT - RIGHT - 120)

    for power in range(low, high + 1):
        x, strong = at(2.0**power), power == 0
        picture.line(x, TOP - 12, x, height - 34, INK if strong else RULE)
        picture.text(x, height - 16, f"{2**power}" if power >= 0 else f"1/{2**-power}", size=12)
    for row, (label, each) in enumerate(found):
        y = TOP + ROW * row + 6
        times = 1 / each["ratio"]
        color = FASTER if times >= 0.95 else SLOWER
        picture.text(LEFT - 14, y + 4, label, anchor="end")
        picture.line(at(1 / each["largest"]), y, at(1 / each["least"]), y, color, 3)
        picture.dot(at(times), y, color)
        picture.text(width - RIGHT - 96, y + 4, said(times), color=color, anchor="start", size=12)
    return picture


def curves(title: str, rows: list[dict]) -> Picture:
    """Microseconds of a round against ranks, a line a protocol, both axes logarithmic."""
    points = defaultdict(list)
    for row in rows:
        points[row["subject"]].append((row["ranks"], row["simulated_s"] / row["rounds"] * 1e6))
    times = [time for line in points.values() for _, time in line]
    low, high = math.floor(math.log10(min(times)) * 3) / 3, math.ceil(math.log10(max(times)) * 3) / 3
    width, height, left, bottom = 760, 380, 90, 330
    picture = Picture(width, height, title)

    def place(ranks: int, time: float) -> tuple[float, float]:
        across = (math.log2(ranks) - math.log2(RANKS[0])) / (math.log2(RANKS[-1]) - math.log2(RANKS[0]))
        return left + across * 470, bottom - (math.log10(time) - low) / (high - low) * (bottom - 50)

    for ranks in RANKS:
        x, _ = place(ranks, times[0])
        picture.line(x, 46, x, bottom, RULE)
        picture.text(x, bottom + 20, f"{ranks:,}", size=12)
    picture.text(left + 235, bottom + 40, "ranks", size=12)
    for time in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000):
        if low <= math.log10(time) <= high:
            _, y = place(RANKS[0], time)
            picture.line(left, y, left + 470, y, RULE)
            picture.text(left - 8, y + 4, f"{time:,} us", size=12, anchor="end")
    taken: list[float] = []
    for name, line in sorted(points.items(), key=lambda each: place(*each[1][-1])[1]):
        spots = [place(*point) for point in sorted(line)]
        for start, end in zip(spots, spots[1:]):
            picture.line(*start, *end, PROTOCOLS[name], 2.5)
        for spot in spots:
            picture.dot(*spot, PROTOCOLS[name])
        y = max(spots[-1][1] + 4, *(each + 18 for each in taken)) if taken else spots[-1][1] + 4
        taken.append(y)
        picture.text(spots[-1][0] + 12, y, name, color=PROTOCOLS[name], anchor="start")
    return picture


def simulated(weft: str, machine: str) -> list[dict]:
    words = [weft, "simulate", "exchange", "--machine", machine, "--protocol", *PROTOCOLS, "--ranks", *map(str, RANKS),
             "--rounds", "3", "--json", "-", "--quiet"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["result"]["rows"]


def main(words: list[str]) -> int:
    ledger = {case: each for suite in json.loads(LEDGER.read_text(encoding="utf-8")).values() for case, each in suite.items()}
    drawn = {name: speeds(*plot, ledger).svg() for name, plot in SPEEDS.items()}
    if words == ["--check"]:
        old = [name for name, svg in drawn.items() if (TARGET / f"{name}.svg").read_text(encoding="utf-8") != svg]
        if old:
            print(f"plots: {', '.join(old)}: not of benchmarks/ratios.json; run scripts/docs/plots.py", file=sys.stderr)
        return 1 if old else 0
    if words:
        drawn |= {name: curves(title, simulated(words[0], machine)).svg() for name, (title, machine) in SIMULATED.items()}
    for name, svg in drawn.items():
        (TARGET / f"{name}.svg").write_text(svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
