#!/usr/bin/env python3
"""Questions about graphs: `weft` against the reference kernels of the GAP benchmark suite, reading and building excluded.

GAP's source is that of https://github.com/sbeamer/gapbs, built by its `make`; --gap says where it is. Both read the same edges, undirected,
with the same integer weights from 1 to 255, and search from the same vertex. Weft's ranks and GAP's threads are as many. Runs are
interleaved; medians in ms and their ratio are printed.

Sources of betweenness are drawn, four by each. GAP's components are those of Afforest (cc), its PageRank is pr.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError as missing:
    sys.exit(f"{Path(__file__).name}: {missing}; install python3-numpy and run with that interpreter")

# Name, Weft's command, GAP's program and its options; SOURCE is the vertex to start from.
QUESTIONS = {
    "components": (["components"], ["cc"]),
    "bfs": (["bfs", "--source", "SOURCE"], ["bfs", "-r", "SOURCE"]),
    "pagerank": (["pagerank", "--tolerance", "1e-4", "--max-iterations", "20"], ["pr", "-t", "1e-4", "-i", "20"]),
    "sssp": (["sssp", "--source", "SOURCE"], ["sssp", "-r", "SOURCE"]),
    "triangles": (["triangles"], ["tc"]),
    "betweenness": (["betweenness", "--sources", "4"], ["bc", "-i", "4"]),
}


def write_edges(weft, text, folder):
    """The edges as GAP reads them, without weights and with; and a vertex that has neighbours."""
    made = folder / "made.txt"
    subprocess.run([weft, "generate", "graph", text, "--out", made, "--quiet"], check=True)
    edges = np.loadtxt(made, dtype=np.int64, comments=("#", "%"), usecols=(0, 1))
    made.unlink()
    weights = np.random.default_rng(1).integers(1, 256, len(edges))
    np.savetxt(folder / "graph.el", edges, fmt="%d")
    np.savetxt(folder / "graph.wel", np.column_stack([edges, weights]), fmt="%d")
    return int(edges[0, 0])


def with_source(words, source):
    return [str(source) if word == "SOURCE" else word for word in words]


def weft_seconds(weft, ranks, words, graph):
    done = subprocess.run([weft, "-n", str(ranks), words[0], graph, "--format", "edge-list", *words[1:], "--json", "-"],
                          check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["seconds"]["compute"]


def gap_seconds(gap, threads, words, graph, delta):
    options = ["-d", str(delta)] if words[0] == "sssp" else []
    done = subprocess.run([gap / words[0], "-f", graph, "-s", "-n", "1", *words[1:], *options], check=True, capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    return float(re.search(r"Average Time: +([0-9.]+)", done.stdout).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gap", type=Path, required=True, help="the folder of GAP's programs")
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--graph", default="rmat:20", help="a generator, as `weft generate graph` takes it (default %(default)s)")
    parser.add_argument("--questions", nargs="+", choices=QUESTIONS, default=list(QUESTIONS), help="some of them (default: all)")
    parser.add_argument("--ranks", nargs="+", type=int, default=[1, 2], help="ranks and threads (default: 1 2)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default %(default)s)")
    parser.add_argument("--delta", type=int, default=16, help="GAP's width of buckets for sssp (default %(default)s)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = write_edges(options.weft, options.graph, folder)
        print(f"{options.graph}, source {source}, medians of {options.repeats} in ms")
        print(f"{'question':14}{'ranks':>6}{'weft':>10}{'GAP':>10}{'ratio':>8}")
        for question in options.questions:
            ours, theirs = (with_source(words, source) for words in QUESTIONS[question])
            graph = folder / ("graph.wel" if question == "sssp" else "graph.el")
            for ranks in options.ranks:
                pairs = [(weft_seconds(options.weft, ranks, ours, graph), gap_seconds(options.gap, ranks, theirs, graph, options.delta))
                         for _ in range(options.repeats)]
                mine, other = (1000 * statistics.median(each) for each in zip(*pairs))
                print(f"{question:14}{ranks:6}{mine:10.1f}{other:10.1f}{mine / other:8.2f}", flush=True)


if __name__ == "__main__":
    main()
