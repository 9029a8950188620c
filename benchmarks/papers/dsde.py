#!/usr/bin/env python3
"""The scaling results of Hoefler, Siebert, Lumsdaine (PPoPP 2010) on simulated machines, beside the paper's.

    benchmarks/papers/dsde.py build/release/tools/weft [--most-ranks N] [--plot FILE.png]

Figures 2 and 3 and the text of section 4.3: k = 6 random targets of 1 to 1024 bytes, the time of 1000 rounds, by
Weft's own engines on the simulated Intrepid, Jaguar and Big Red. Figure 1(c): up to how many neighbours NBX is
faster than PCX, by the machine model. Prints Markdown. The largest cases need about 8 GB of memory for what PEX and
PCX keep a rank; --most-ranks leaves them out."""
import argparse
import csv
import io
import math
import subprocess
import sys
import tempfile
from pathlib import Path

# The statements of the paper, and its nonblocking all-reduce: a collective on Intrepid, by the barrier network; else messages.
PAPER = {
    "intrepid": {"ranks": [128, 512, 2048, 8192], "all_reduce": "collective",
                 "says": "NBX is the fastest at all sizes, 5.6 times faster than the best other at 8,192"},
    "jaguar": {"ranks": [128, 512, 1024, 2048, 4096, 8192, 16384], "all_reduce": "dissemination",
               "says": "PEX and PCX are ahead below 2,048; NBX is 3.8 times faster at 16,384"},
    "bigred": {"ranks": [64, 128, 256, 512, 1024, 2048], "all_reduce": "dissemination",
                "says": "PEX and PCX are ahead below about 400"},
}
OTHERS = ["pex", "pcx"]

# Table 1, with the overhead of equation 2 in place of what Table 2 measured.
INTREPID_BY_EQUATION_2 = """version = 3
measured_on = "PPoPP 2010, Table 1 and equation 2"
copy_per_byte = 0
[inside]
latency = 4.29
overhead = 2.87
gap = 2.04
gap_per_byte = 0.00267
synchronous_penalty = 7.16
[simulation]
ranks_per_node = 4
eager_bytes = 12288
node_gap = 0
node_gap_per_byte = 0
hardware_all_reduce = 1
exchange_overhead = 0
"""


def simulate(weft, *options):
    """The rows of one `weft simulate exchange`."""
    done = subprocess.run([weft, "simulate", "exchange", "--csv", "-", *map(str, options)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return list(csv.DictReader(io.StringIO(done.stdout)))


def scaling(weft, machine, paper, most_ranks):
    """Seconds for 1000 rounds, by protocol and ranks."""
    found = {}
    for ranks in paper["ranks"]:
        if ranks > most_ranks:
            continue
        rounds = 10 if ranks <= 1024 else 3
        common = ["--machine", machine, "--ranks", ranks, "--degree", 6, "--bytes", "1-1024", "--rounds", rounds]
        # The counts of PCX by the machine's reduce-scatter, as in the paper.
        rows = simulate(weft, *common, "--protocol", "pex", "pcx", "--all-reduce", "collective")
        rows += simulate(weft, *common, "--protocol", "nbx", "--all-reduce", paper["all_reduce"])
        rows += simulate(weft, *common, "--protocol", "store_and_forward")
        for row in rows:
            found.setdefault(row["subject"], {})[ranks] = 1000 * float(row["simulated_s"]) / rounds
    return found


def crossing(times, other):
    """The number of ranks from which on NBX is ahead of another protocol, between two that were simulated."""
    last = None
    for ranks in sorted(times["nbx"]):
        lead = math.log(times[other][ranks] / times["nbx"][ranks])
        if lead > 0:
            if last is None:
                return f"below {ranks}"
            before, behind = last
            part = -behind / (lead - behind)
            return f"about {round(2 ** (math.log2(before) + part * math.log2(ranks / before)) / 10) * 10:,}"
        last = ranks, lead
    return f"beyond {last[0]:,}"


def most_neighbours(weft, machine, sizes):
    """For each number of ranks the largest k for which the model sees NBX ahead of PCX: the line of figure 1(c)."""
    rows = simulate(weft, "--machine", machine, "--ranks", *sizes, "--degree", *range(1, 1025), "--bytes", 8, "--by",
                    "model", "--rounds", 1, "--protocol", "nbx", "pcx")
    time = {(row["subject"], int(row["ranks"]), int(row["degree"])): float(row["simulated_s"]) for row in rows}
    return [sum(time["nbx", n, k] <= time["pcx", n, k] for k in range(1, 1025)) for n in sizes]


def print_scaling(title, says, times):
    print(f"\n### {title}\n\nThe paper: {says}.\n")
    names = ["nbx", *OTHERS, "store_and_forward"]
    print("| ranks | " + " | ".join(f"{n}, s" for n in names) + " | PEX / NBX | PCX / NBX |")
    print("|--:|" + "--:|" * (len(names) + 2))
    for ranks in sorted(times["nbx"]):
        cells = [f"{times[n][ranks]:.3f}" for n in names]
        cells += [f"{times[o][ranks] / times['nbx'][ranks]:.2f}" for o in OTHERS]
        print(f"| {ranks:,} | " + " | ".join(cells) + " |")
    print(f"\nNBX is ahead of PEX from {crossing(times, 'pex')} ranks on, of PCX from {crossing(times, 'pcx')}.")


def draw(plt, results, file):
    marks = {"nbx": ("#0072B2", "o"), "pex": ("#D55E00", "s"), "pcx": ("#009E73", "D"),
             "store_and_forward": ("#CC79A7", "^")}
    figure, axes = plt.subplots(1, len(results), figsize=(5 * len(results), 4), layout="constrained", squeeze=False)
    for axis, (machine, times) in zip(axes[0], results.items()):
        for name, (colour, mark) in marks.items():
            axis.plot(*zip(*sorted(times[name].items())), color=colour, marker=mark, label=name)
        axis.set_xscale("log", base=2)
        axis.set(yscale="log", xlabel="ranks", ylabel="seconds for 1000 rounds", title=f"{machine} (simulated), k = 6")
        axis.grid(True, alpha=0.3)
        axis.legend(frameon=False)
    figure.savefig(file, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("--most-ranks", type=int, default=16384, help="leave larger machines out")
    parser.add_argument("--plot", help="draw the figures into this PNG file (needs matplotlib)")
    options = parser.parse_args()
    plt = None
    if options.plot:
        try:
            import matplotlib
        except ImportError:
            sys.exit("--plot needs matplotlib: apt install python3-matplotlib")
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    print("## Figures 2 and 3 and section 4.3: 1000 rounds, k = 6, 1 to 1024 bytes")
    results = {}
    for machine, paper in PAPER.items():
        results[machine] = scaling(options.weft, machine, paper, options.most_ranks)
        print_scaling(machine, paper["says"], results[machine])
        sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "worst_case.toml"
        file.write_text(INTREPID_BY_EQUATION_2)
        worst = scaling(options.weft, file, PAPER["intrepid"], options.most_ranks)
    print_scaling("intrepid, where a synchronous send takes L + o more (equation 2, the worst case)",
                  "assumes this in its models, and measured 0.75 us", worst)
    print("\n## Figure 1(c): the most neighbours for which NBX is faster than PCX, by the model\n")
    sizes = [256, 1024, 4096, 16384, 65536]
    print("| machine | " + " | ".join(f"P = {n:,}" for n in sizes) + " |\n|---|" + "--:|" * len(sizes))
    for machine in PAPER:
        cells = [f"{k:,}" for k in most_neighbours(options.weft, machine, sizes)]
        print(f"| {machine} | " + " | ".join(cells) + " |")
    if plt:
        draw(plt, results, options.plot)


if __name__ == "__main__":
    main()
