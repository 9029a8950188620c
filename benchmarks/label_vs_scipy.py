#!/usr/bin/env python3
"""Labelling: `weft label` on 1 rank and on 2 against SciPy's ndimage.label on one core, reading excluded.

All get the same volume from the same raw file. Runs are interleaved; medians and ratios are printed. Of weft the
seconds are those of finding the foreground, labelling it, and the array of labels in memory; of SciPy those of
comparing with the threshold, and of label.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench_csv

try:
    import numpy as np
    from scipy import ndimage
except ImportError as missing:
    sys.exit(f"{Path(__file__).name}: {missing}; install python3-scipy and run with that interpreter")


def run_weft(options, ranks, neighbors, labels):
    done = subprocess.run([options.weft, "-n", str(ranks), "label", options.volume, "--dims", options.dims, "--type",
                           options.type, "--threshold", str(options.threshold), "--neighbors", str(neighbors),
                           "--labels", labels, "--json", "-"], check=True, capture_output=True, text=True)
    report = json.loads(done.stdout)
    return report["result"]["components"], report["seconds"]["compute"] + report["seconds"]["paint"]


def run_scipy(values, threshold, structure):
    start = time.perf_counter()
    foreground = values >= threshold
    labels, components = ndimage.label(foreground, structure)
    return labels, int(components), time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("volume", help="a raw file")
    parser.add_argument("--dims", default="197,233,189", help="X,Y,Z, x fastest (default %(default)s)")
    parser.add_argument("--type", default="uint8", help="of the values (default %(default)s)")
    parser.add_argument("--threshold", type=float, default=89.5, help="(default %(default)s)")
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=9, help="runs of each (default %(default)s)")
    parser.add_argument("--csv", type=Path, help="write the results to a file")
    options = parser.parse_args()
    values = np.fromfile(options.volume, options.type).reshape([int(n) for n in options.dims.split(",")][::-1])

    table = []
    print(f"{'case':<16} {'subject':<12} {'median s':>9} {'least s':>9} {'Mvoxels/s':>10} {'to SciPy':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for neighbors, structure in ((6, None), (26, np.ones((3, 3, 3)))):
            times = {"scipy": [], "weft -n 1": [], "weft -n 2": []}
            for repeat in range(options.repeats + 1):
                labels, components, seconds = run_scipy(values, options.threshold, structure)
                measured = {"scipy": seconds}
                for ranks in (1, 2):
                    file = str(Path(folder) / "labels.raw")
                    ours, measured[f"weft -n {ranks}"] = run_weft(options, ranks, neighbors, file)
                    if ours != components:
                        sys.exit(f"weft finds {ours} components, SciPy {components}")
                    if repeat == 0 and not np.array_equal(np.fromfile(file, np.int32), labels.ravel()):
                        sys.exit(f"the labels of weft -n {ranks} are not those of SciPy")
                if repeat > 0:  # the first run warms the page cache
                    for subject, took in measured.items():
                        times[subject].append(took)
            reference = statistics.median(times["scipy"])
            for subject, took in times.items():
                median = statistics.median(took)
                rate = values.size / median / 1e6
                print(f"{neighbors:>2} neighbours    {subject:<12} {median:>9.4f} {min(took):>9.4f} {rate:>10.1f} "
                      f"{median / reference:>9.2f}")
                table.append(["label", f"{neighbors} neighbours", subject.split()[0], subject[-1] if "-n" in subject
                              else 1, 0, 0, median, min(took), rate, "Mvoxels/s"])
    if options.csv:
        bench_csv.write(options.csv, table)


if __name__ == "__main__":
    main()
