#!/usr/bin/env python3
"""Connected components: `weft` on 2 ranks against SciPy's connected_components on one core, reading excluded.

Both get the same RMAT graph from the same file. Runs are interleaved; medians and ratios are printed:
  compute          finding the components of a graph that is in memory
  build + compute  from a list of edges: distributing, dropping duplicates, and finding the components
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
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
except ImportError as missing:
    sys.exit(f"{Path(__file__).name}: {missing}; install python3-scipy and run with that interpreter")


def run_weft(weft, ranks, graph):
    done = subprocess.run([weft, "-n", str(ranks), "components", graph, "--json", "-"],
                          check=True, capture_output=True, text=True)
    report = json.loads(done.stdout)
    seconds = report["seconds"]
    return report["result"]["components"], seconds["build"], seconds["compute"]


def run_scipy(rows, columns, vertices):
    start = time.perf_counter()
    matrix = coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(vertices, vertices)).tocsr()
    built = time.perf_counter()
    components, _ = connected_components(matrix, directed=False)
    return int(components), built - start, time.perf_counter() - built


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--scale", type=int, default=20, help="2^SCALE vertices (default %(default)s)")
    parser.add_argument("--ranks", type=int, default=2, help="ranks of weft (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default %(default)s)")
    parser.add_argument("--csv", type=Path, help="write the results to a file")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        graph = str(Path(folder) / "rmat.mtx")
        subprocess.run([options.weft, "-n", str(options.ranks), "generate", "rmat", "--scale", str(options.scale),
                        "--out", graph, "--quiet"], check=True)
        with open(graph, "rb") as file:
            line = file.readline()
            while line.startswith(b"%"):
                line = file.readline()
            vertices = int(line.split()[0])
            ends = np.fromfile(file, dtype=np.int64, sep=" ").reshape(-1, 2) - 1
        rows, columns = ends[:, 0].astype(np.int32), ends[:, 1].astype(np.int32)

        times = {"weft": [], "scipy": []}
        for repeat in range(options.repeats + 1):
            ours, *weft_seconds = run_weft(options.weft, options.ranks, graph)
            theirs, *scipy_seconds = run_scipy(rows, columns, vertices)
            if ours != theirs:
                sys.exit(f"weft finds {ours} components, SciPy {theirs}")
            if repeat > 0:  # the first run warms the page cache
                times["weft"].append(weft_seconds)
                times["scipy"].append(scipy_seconds)

    table = []
    for case, of in (("compute", lambda t: t[1]), ("build + compute", lambda t: t[0] + t[1])):
        for subject, ranks in (("weft", options.ranks), ("scipy", 1)):
            seconds = [of(t) for t in times[subject]]
            table.append(["components", f"{case} rmat {options.scale}", subject, ranks, 0, 0,
                          statistics.median(seconds), min(seconds), len(rows) / statistics.median(seconds) / 1e6,
                          "Medges/s"])
    print(f"{'case':<28} {'subject':<8} {'ranks':>5} {'median s':>9} {'least s':>9} {'Medges/s':>9}")
    for _, case, subject, ranks, _, _, median, least, rate, _ in table:
        print(f"{case:<28} {subject:<8} {ranks:>5} {median:>9.3f} {least:>9.3f} {rate:>9.1f}")
    for i in (0, 2):
        print(f"weft / scipy, {table[i][1]}: {table[i][6] / table[i + 1][6]:.2f}")
    if options.csv:
        bench_csv.write(options.csv, table)


if __name__ == "__main__":
    main()
