#!/usr/bin/env python3
"""Whether the simulated machine tells the truth: `weft-bench exchange` and `weft simulate exchange`, side by side.

    benchmarks/simulated_vs_measured.py build/release/tools/weft [--ranks 2]

Measures this machine with `weft tune`, then every protocol in reality and in simulation, some times over because the
clock of a machine comes and goes, and prints the median ratio of the predicted time to the measured one. Ends with an
error where a ratio is beyond a factor of two."""
import argparse
import csv
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = [8, 1024, 65536, 1048576]


def rows_of(file, *command):
    done = subprocess.run([*map(str, command), "--csv", str(file)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return list(csv.DictReader(file.open()))


def compare(weft, ranks, folder):
    """Tunes, measures and simulates: microseconds of an exchange, measured and simulated, by protocol and size."""
    model, out = folder / "machine.toml", folder / "rows.csv"
    subprocess.run([weft, "-n", str(ranks), "tune", "--quiet", "--seconds", "5", "--file", model], check=True)
    common = ["exchange", "--degree", 1, "--bytes", *SIZES]
    simulated = rows_of(out, weft, "simulate", *common, "--machine", model, "--ranks", ranks, "--rounds", 20)
    protocols = list(dict.fromkeys(row["subject"] for row in simulated))
    bench = rows_of(out, Path(weft).with_name("weft-bench"), "-n", ranks, *common, "--baseline", "none", "--rounds", 400, "--repeats", 11,
                    "--protocol", *protocols)
    # The rate of a bench row is in thousands a second.
    measured = {(r["subject"], int(r["bytes"])): 1e3 / float(r["rate"]) for r in bench}
    return {(r["subject"], int(r["bytes"])): (measured[r["subject"], int(r["bytes"])],
                                              1e6 * float(r["simulated_s"]) / int(r["rounds"])) for r in simulated}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5, help="tune, measure and simulate so often; medians count")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = [compare(options.weft, options.ranks, Path(folder)) for _ in range(options.repeats)]
    worst = 1.0
    print(f"{'protocol':<18} {'bytes':>9} {'measured us':>12} {'simulated us':>13} {'ratio':>6}")
    for (name, size) in runs[0]:
        real = statistics.median(run[name, size][0] for run in runs)
        predicted = statistics.median(run[name, size][1] for run in runs)
        ratio = statistics.median(run[name, size][1] / run[name, size][0] for run in runs)
        worst = max(worst, ratio, 1 / ratio)
        print(f"{name:<18} {size:>9} {real:>12.2f} {predicted:>13.2f} {ratio:>6.2f}")
    print(f"the worst is off by a factor of {worst:.2f}")
    return 0 if worst <= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
