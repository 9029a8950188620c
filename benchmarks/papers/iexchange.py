#!/usr/bin/env python3
"""Table 1 and figure 4 of Morozov and others (LDAV 2021) on a simulated machine, beside the paper's.

    benchmarks/papers/iexchange.py build/release/tools/weft [--most-ranks N] [--machine NAME] [--plot FILE.png]

Particles through a flow of 512^3 voxels with slow blocks on its diagonal, by rounds of a sparse exchange and by
iexchange, both Weft's own engines, with 1 to 16 blocks a rank. Prints Markdown: the table under each assumption that
the paper leaves open, and what follows from it. No time of the paper is an input but in the last two cases, as
they say. The paper's 8,192 processes take --most-ranks 8192, 9 GB of memory and an hour."""
import argparse
import csv
import io
import subprocess
import sys

BLOCKS = [1, 2, 4, 8, 16]
# Table 1, seconds: by ranks, then by blocks a process.
PAPER = {
    "exchange": {
        32: [93.027, 95.807, 285.032, 281.349, 290.736],
        128: [79.390, 73.461, 74.465, 244.787, 243.664],
        512: [19.931, 65.394, 62.390, 63.319, 228.618],
        2048: [17.330, 16.740, 59.530, 58.225, 58.785],
        8192: [15.846, 15.567, 15.239, 56.280, 55.583],
    },
    "iexchange": {
        32: [96.403, 64.308, 107.284, 73.196, 57.816],
        128: [81.911, 45.683, 27.348, 47.373, 31.981],
        512: [20.377, 36.211, 20.046, 12.249, 22.537],
        2048: [17.074, 9.145, 17.066, 9.561, 5.839],
        8192: [15.583, 7.986, 4.277, 8.123, 4.601],
    },
}
# What the paper leaves open. Nothing is fitted in the first two; the others read what a particle costs off the exchange
# rows of Table 1: they go with (blocks along x)^2 / ranks, as if it cost the same in every block, whatever its speed.
CASES = {
    "contiguous": ("blocks of a rank are neighbours in x; a particle costs what its steps cost",
                   ["--assignment", "contiguous"]),
    "round robin": ("block b is on rank b mod P; a particle costs what its steps cost",
                    ["--assignment", "round-robin"]),
    "round robin, dear visits": ("block b is on rank b mod P; a particle costs 500 steps a block beside its steps",
                                 ["--assignment", "round-robin", "--step-ns", 60, "--visit-ns", 30000]),
    "round robin, dear visits, flushes": ("the same, and callbacks flush after every 2,000 particles",
                                          ["--assignment", "round-robin", "--step-ns", 60, "--visit-ns", 30000,
                                           "--flush-after", 2000]),
}


def simulate(weft, machine, ranks, options):
    """Seconds by engine, ranks and place in BLOCKS."""
    found = {"exchange": {}, "iexchange": {}}
    for n in ranks:
        slot = 131072 if n <= 2048 else 32768  # for the sake of memory
        command = [weft, "simulate", "iexchange", "--machine", machine, "--ranks", n, "--blocks-per-rank", *BLOCKS,
                   "--cores", 64, "--route", "node_remote", "--slot-bytes", slot, "--csv", "-", *options]
        done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr.strip())
        for row in csv.DictReader(io.StringIO(done.stdout)):
            found[row["subject"]].setdefault(n, []).append(float(row["simulated_s"]))
    return found


def ratios(times, ranks):
    return [a / b for a, b in zip(times["exchange"][ranks], times["iexchange"][ranks])]


def best(times, engine, ranks):
    """The fewest blocks a rank with which an engine is within 3 % of its best."""
    least = min(times[engine][ranks])
    return next(n for n, time in zip(BLOCKS, times[engine][ranks]) if time <= 1.03 * least)


def print_table(times, all_ranks):
    head = "| | blocks a rank | " + " | ".join(f"{n:,}" for n in all_ranks) + " |"
    print(head + "\n|---|--:|" + "--:|" * len(all_ranks))
    for engine in times:
        for place, blocks in enumerate(BLOCKS):
            cells = [f"{times[engine][n][place]:.3f}" for n in all_ranks]
            print(f"| {engine} | {blocks} | " + " | ".join(cells) + " |")
    for place, blocks in enumerate(BLOCKS):
        cells = [f"{ratios(times, n)[place]:.2f} ({ratios(PAPER, n)[place]:.2f})" for n in all_ranks]
        print(f"| exchange / iexchange (paper) | {blocks} | " + " | ".join(cells) + " |")


def print_shape(times, all_ranks):
    """Best numbers of blocks, and figure 4: exchange with 2 blocks, iexchange with 16."""
    print("\n| | " + " | ".join(f"{n:,}" for n in all_ranks) + " |\n|---|" + "--:|" * len(all_ranks))
    for engine in times:
        print(f"| best blocks a rank, {engine} (paper) | " +
              " | ".join(f"{best(times, engine, n)} ({best(PAPER, engine, n)})" for n in all_ranks) + " |")

    def figure_4(of, n):
        return of["exchange"][n][BLOCKS.index(2)] / of["iexchange"][n][BLOCKS.index(16)]

    print("| figure 4: exchange, 2 blocks / iexchange, 16 (paper) | " +
          " | ".join(f"{figure_4(times, n):.2f} ({figure_4(PAPER, n):.2f})" for n in all_ranks) + " |")
    for engine, blocks in (("exchange", 2), ("iexchange", 16)):
        def faster(of, n):
            return of[engine][all_ranks[0]][BLOCKS.index(blocks)] / of[engine][n][BLOCKS.index(blocks)]

        print(f"| {engine}, {blocks} blocks: how much faster than at {all_ranks[0]} (paper) | " +
              " | ".join(f"{faster(times, n):.2f} ({faster(PAPER, n):.2f})" for n in all_ranks) + " |")


def draw(plt, results, file):
    figure, axes = plt.subplots(1, len(results), figsize=(5 * len(results), 4), layout="constrained", squeeze=False)
    for axis, (name, times) in zip(axes[0], results.items()):
        for engine, blocks, colour, mark in (("exchange", 2, "#D55E00", "o"), ("iexchange", 16, "#0072B2", "s")):
            points = [(n, times[engine][n][BLOCKS.index(blocks)]) for n in sorted(times[engine])]
            axis.plot(*zip(*points), color=colour, marker=mark, label=f"{engine}, {blocks} blocks a rank")
        axis.set_xscale("log", base=2)
        axis.set(yscale="log", xlabel="ranks", ylabel="seconds", title=name)
        axis.grid(True, alpha=0.3)
        axis.legend(frameon=False)
    figure.savefig(file, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("--most-ranks", type=int, default=2048, help="leave larger machines out")
    parser.add_argument("--machine", default="jaguar", help="as `weft simulate --machine` takes it")
    parser.add_argument("--plot", help="draw figure 4 into this PNG file (needs matplotlib)")
    options = parser.parse_args()
    plt = None
    if options.plot:
        try:
            import matplotlib
        except ImportError:
            sys.exit("--plot needs matplotlib: apt install python3-matplotlib")
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    all_ranks = [n for n in PAPER["exchange"] if n <= options.most_ranks]
    results = {"paper": PAPER}
    for name, (says, arguments) in CASES.items():
        print(f"\n### {name}: {says}\n")
        results[name] = simulate(options.weft, options.machine, all_ranks, arguments)
        print_table(results[name], all_ranks)
        print_shape(results[name], all_ranks)
        sys.stdout.flush()
    if plt:
        draw(plt, results, options.plot)


if __name__ == "__main__":
    main()
