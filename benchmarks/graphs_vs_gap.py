#!/usr/bin/env python3
"""Questions about graphs: `weft` against the kernels of the GAP benchmark suite, and SciPy and NetworKit where they are installed.

GAP's source is that of https://github.com/sbeamer/gapbs, built by its `make`; --gap says where it is. All read the same edges, undirected,
with the same integer weights from 1 to 255 (of a file with weights its own), and search from the same vertex. Weft's ranks and GAP's and
NetworKit's threads are as many; SciPy has one. Runs are interleaved; medians in ms and ratios of Weft's to GAP's are printed.

The table `kernels` leaves out reading and building; its last column is the time on the first number of ranks over that on this one. The
others are of whole programs, from their start to their end, without NetworKit and SciPy: `text` from each of the --formats, an edge list
(el), DIMACS (gr) or MatrixMarket (mtx), and `binary` from the binary form of each, Weft's .wgraph and GAP's .sg, both of built undirected graphs.
Weft's programs of several ranks begin with the launcher of MPI; the table `start` is of Weft's programs for a graph of four vertices, which
have little else to do.
--file FILE takes a graph that is given in place of a generator, as many --copies of it as wanted, each joined to its neighbours
in a square of them; its labels are whole numbers. --folder FOLDER keeps the files of a graph, and takes those that it holds.

Answers are compared: vertices reached, components and triangles with GAP's, and with SciPy's components, sums of distances and lengths.
Sources of betweenness are drawn, four by each, so they are not compared. GAP's components are those of Afforest (cc), its PageRank is pr.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import numpy as np
except ImportError as missing:
    sys.exit(f"{Path(__file__).name}: {missing}; install python3-numpy and run with that interpreter")
try:
    from scipy import sparse
    from scipy.sparse import csgraph
except ImportError:
    sparse = None
try:
    import networkit
except ImportError:
    networkit = None

# Name, Weft's command, GAP's program and its options; SOURCE is the vertex to start from.
QUESTIONS = {
    "components": (["components"], ["cc"]),
    "bfs": (["bfs", "--source", "SOURCE"], ["bfs", "-r", "SOURCE"]),
    "pagerank": (["pagerank", "--tolerance", "1e-4", "--max-iterations", "20"], ["pr", "-t", "1e-4", "-i", "20"]),
    "sssp": (["sssp", "--source", "SOURCE"], ["sssp", "-r", "SOURCE"]),
    "triangles": (["triangles"], ["tc"]),
    "betweenness": (["betweenness", "--sources", "4"], ["bc", "-i", "4"]),
}
# Formats of text for both: how vertices are numbered, and the suffixes without and with weights.
TEXTS = {"el": (0, ".el", ".wel"), "gr": (1, ".gr", ".gr"), "mtx": (1, ".mtx", ".mtx")}
# What GAP's analysis says, and its place in Weft's report.
ANSWERS = {
    "components": (r"There are (\d+) components", "components"),
    "bfs": (r"BFS Tree has (\d+) nodes", "reached"),
    "sssp": (r"SSSP Tree reaches (\d+) nodes", "reached"),
    "triangles": (r"(\d+) triangles", "triangles"),
}


def edges_of(options, folder):
    """Pairs of numbers of vertices, and weights."""
    made = folder / "made.txt"
    if options.file:
        subprocess.run([options.weft, "convert", options.file, made, "--quiet"], check=True)
    else:
        subprocess.run([options.weft, "generate", "graph", options.graph, "--out", made, "--quiet"], check=True)
    table = np.loadtxt(made, dtype=np.int64, comments=("#", "%"))
    made.unlink()
    edges = table[:, :2]
    weights = table[:, 2] if table.shape[1] > 2 else np.random.default_rng(1).integers(1, 256, len(edges))
    return copies_of(edges, weights, options.copies)


def copies_of(edges, weights, copies):
    """They lie in rows, as many as make a square, and each is joined to the next of its row and to the one below: as a larger map would
    be, whose distances grow with its side. An edge joins the same vertex of two copies, which is drawn."""
    names, numbers = np.unique(edges, return_inverse=True)
    one, vertices = numbers.reshape(-1, 2), len(names)
    side = max(1, math.isqrt(copies))
    pairs = [(i, i + 1) for i in range(copies - 1) if (i + 1) % side] + [(i, i + side) for i in range(copies - side)]
    at = np.random.default_rng(1).integers(0, vertices, len(pairs))
    bridges = np.array([[vertices * a + v, vertices * b + v] for (a, b), v in zip(pairs, at)], np.int64).reshape(-1, 2)
    return (np.concatenate([one + vertices * i for i in range(copies)] + [bridges]),
            np.concatenate([weights] * copies + [np.full(len(pairs), 255)]))


class Graph:
    """The same graph for all: vertices 0..n-1, each with an edge, so that all count the same."""

    def __init__(self, options, folder):
        self.folder = folder
        kept = folder / "graph.npz"
        if kept.exists():
            arrays = np.load(kept)
            self.edges, self.weights = arrays["edges"], arrays["weights"]
        else:
            self.edges, self.weights = edges_of(options, folder)
            self.write(options)
            np.savez(kept, edges=self.edges, weights=self.weights)
        self.vertices = int(self.edges.max()) + 1
        self.source = int(self.edges[0, 0])

    def write(self, options):
        folder = self.folder
        for weighted in (False, True):
            self.text("el", weighted)
        for text, ours, theirs in (("graph.el", "graph.wgraph", "graph.sg"), ("graph.wel", "weighted.wgraph", "graph.wsg")):
            given = ["--no-weights"] if text == "graph.el" else []
            subprocess.run([options.weft, "convert", folder / text, folder / ours, "--format", "edge-list", "--undirected", *given, "--quiet"],
                           check=True)
            given = ["-w"] if text == "graph.wel" else []
            subprocess.run([options.gap / "converter", "-f", folder / text, "-s", *given, "-b", folder / theirs], check=True,
                           capture_output=True)

    def text(self, form, weighted):
        """The file of a format, which is written if it is not there."""
        first, plain, with_weights = TEXTS[form]
        file = self.folder / f"graph{with_weights if weighted else plain}"
        if not file.exists():
            size = f"{self.edges.max() + 1} {self.edges.max() + 1} {len(self.edges)}"
            head = {"el": "", "gr": f"p sp {size[size.index(' ') + 1:]}", "mtx": f"%%MatrixMarket matrix coordinate integer general\n{size}"}
            columns = [*(self.edges + first).T, *([self.weights] if plain == with_weights or weighted else [])]
            np.savetxt(file, np.column_stack(columns), fmt=("a " if form == "gr" else "") + " ".join(["%d"] * len(columns)),
                       header=head[form], comments="")
        return file

    def file(self, question, kind):
        """`kind`: a format of text, or whose binary form."""
        weighted = question == "sssp"
        if kind in TEXTS:
            return self.text(kind, weighted)
        name = {"weft": "weighted.wgraph" if weighted else "graph.wgraph", "gap": "graph.wsg" if weighted else "graph.sg"}
        return self.folder / name[kind]

    def words(self, words, first=0):
        """`first`: the number that a file gives vertex 0."""
        return [str(self.source + first) if word == "SOURCE" else word for word in words]

    def matrix(self):
        """Symmetric, of duplicates the least weight; without loops."""
        ends = np.concatenate([self.edges, self.edges[:, ::-1]])
        weights = np.concatenate([self.weights, self.weights])
        kept = ends[:, 0] != ends[:, 1]
        ends, weights = ends[kept], weights[kept]
        order = np.lexsort((weights, ends[:, 1], ends[:, 0]))
        ends, weights = ends[order], weights[order]
        first = np.ones(len(ends), bool)
        first[1:] = (ends[1:] != ends[:-1]).any(axis=1)
        return sparse.csr_matrix((weights[first].astype(float), (ends[first, 0], ends[first, 1])), shape=(self.vertices,) * 2)


def ask_weft(options, ranks, question, graph, file):
    """The report, and the seconds of the whole program."""
    words = graph.words(QUESTIONS[question][0], 1 if file.suffix in (".gr", ".mtx") else 0)
    form = ["--format", "edge-list"] if file.suffix in (".el", ".wel") else []
    begin = time.perf_counter()
    done = subprocess.run([options.weft, "-n", str(ranks), words[0], file, *form, *words[1:], "--json", "-"], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout), time.perf_counter() - begin


def ask_gap(options, threads, question, graph, file, *more):
    words = graph.words(QUESTIONS[question][1])
    given = ["-d", str(options.delta)] if words[0] == "sssp" else []
    given += ["-s"] if file.suffix not in (".sg", ".wsg") else []
    begin = time.perf_counter()
    done = subprocess.run([options.gap / words[0], "-f", file, "-n", "1", *words[1:], *given, *more], check=True, capture_output=True,
                          text=True, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    return done.stdout, time.perf_counter() - begin


def seconds_of(work):
    begin = time.perf_counter()
    answer = work()
    return time.perf_counter() - begin, answer


def ask_scipy(matrix, question, source):
    """Seconds and the answer; None where SciPy has no such question."""
    if question == "components":
        return seconds_of(lambda: csgraph.connected_components(matrix, directed=False)[0])
    if question == "bfs":
        took, (order, before) = seconds_of(lambda: csgraph.breadth_first_order(matrix, source, return_predecessors=True))
        depth = np.zeros(matrix.shape[0], np.int64)
        for vertex in order[1:]:
            depth[vertex] = depth[before[vertex]] + 1
        return took, int(depth.sum())
    if question == "sssp":
        took, far = seconds_of(lambda: csgraph.dijkstra(matrix, directed=False, indices=source))
        return took, float(far[np.isfinite(far)].sum())
    return None


def ask_networkit(graphs, question, source, threads):
    networkit.setNumberOfThreads(threads)
    plain, weighted = graphs
    asked = {"components": lambda: networkit.components.ParallelConnectedComponents(plain),
             "bfs": lambda: networkit.distance.BFS(plain, source, storePaths=False),
             "pagerank": lambda: networkit.centrality.PageRank(plain, 0.85, 1e-4),
             "sssp": lambda: networkit.distance.Dijkstra(weighted, source, storePaths=False),
             "betweenness": lambda: networkit.centrality.EstimateBetweenness(plain, 4)}
    return seconds_of(asked[question]().run)[0] if question in asked else None


def compare(question, report, gap_says, scipy_says):
    """Ends the program where answers differ."""
    result = report["result"]
    pattern, field = ANSWERS.get(question, (None, None))
    if pattern and int(re.search(pattern, gap_says).group(1)) != result[field]:
        sys.exit(f"{question}: GAP says {re.search(pattern, gap_says).group(0)}, weft {result[field]}")
    if scipy_says is not None:
        field = {"components": "components", "bfs": "sum_of_distances", "sssp": "sum_of_distances"}[question]
        if result[field] != scipy_says:
            sys.exit(f"{question}: SciPy's {field} is {scipy_says}, weft's {result[field]}")


def in_ms(values):
    values = [value for value in values if value is not None]
    return f"{1000 * statistics.median(values):10.1f}" if values else f"{'-':>10}"


def compare_kernels(options, graph):
    matrix = graph.matrix() if sparse else None
    kits = None
    if networkit and sparse:
        pairs = sparse.triu(matrix).tocoo()
        kits = tuple(networkit.GraphFromCoo((pairs.data, (pairs.row.astype(np.uint64), pairs.col.astype(np.uint64))), n=graph.vertices,
                                            weighted=weighted, directed=False) for weighted in (False, True))
    print("\nwithout reading and building")
    print(f"{'question':14}{'ranks':>6}{'weft':>10}{'GAP':>10}{'ratio':>8}{'SciPy':>10}{'NetworKit':>10}{'faster':>8}")
    for question in options.questions:
        compared = ask_weft(options, 1, question, graph, graph.file(question, "weft"))[0]
        gap_says = ask_gap(options, 1, question, graph, graph.file(question, "gap"), "-a")[0] if question in ANSWERS else ""
        asked = ask_scipy(matrix, question, graph.source) if sparse else None
        compare(question, compared, gap_says, asked[1] if asked else None)
        alone_took = None
        for ranks in options.ranks:
            mine, other, kit = [], [], []
            for _ in range(options.repeats):
                report = ask_weft(options, ranks, question, graph, graph.file(question, "weft"))[0]
                mine.append(report["seconds"]["compute"])
                compare(question, report, gap_says, asked[1] if asked else None)
                said = ask_gap(options, ranks, question, graph, graph.file(question, "gap"))[0]
                other.append(float(re.search(r"Average Time: +([0-9.]+)", said).group(1)))
                kit.append(ask_networkit(kits, question, graph.source, ranks) if kits else None)
            ratio = statistics.median(mine) / statistics.median(other)
            alone = in_ms([asked[0]] if asked and ranks == 1 else [])
            alone_took = alone_took or statistics.median(mine)
            print(f"{question:14}{ranks:6}{in_ms(mine)}{in_ms(other)}{ratio:8.2f}{alone}{in_ms(kit)}{alone_took / statistics.median(mine):8.2f}",
                  flush=True)


def compare_programs(options, graph, forms):
    print("\nfrom a file to the answer")
    print(f"{'question':14}{'file':>8}{'ranks':>6}{'weft':>10}{'GAP':>10}{'ratio':>8}{'weft reads':>12}{'builds':>10}{'computes':>10}")
    for question in options.questions:
        for form in forms:
            for ranks in options.ranks:
                mine, other, laps = [], [], []
                for _ in range(options.repeats):
                    report, took = ask_weft(options, ranks, question, graph, graph.file(question, "weft" if form == "binary" else form))
                    mine.append(took)
                    laps.append([report["seconds"].get(lap, 0) for lap in ("read", "build", "compute")])
                    other.append(ask_gap(options, ranks, question, graph, graph.file(question, "gap" if form == "binary" else form))[1])
                ratio = statistics.median(mine) / statistics.median(other)
                read, build, compute = map(in_ms, zip(*laps))
                print(f"{question:14}{form:>8}{ranks:6}{in_ms(mine)}{in_ms(other)}{ratio:8.2f}  {read}{build}{compute}", flush=True)


def time_starts(options):
    print("\nprograms of Weft for a grid of 2 by 2")
    for ranks in options.ranks:
        took = [seconds_of(lambda: subprocess.run([options.weft, "-n", str(ranks), "components", "grid:2x2", "--quiet"], check=True))[0]
                for _ in range(options.repeats)]
        print(f"{ranks} ranks: {in_ms(took)} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gap", type=Path, required=True, help="the folder of GAP's programs")
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--graph", default="rmat:20", help="a generator, as `weft generate graph` takes it (default %(default)s)")
    parser.add_argument("--file", type=Path, help="a graph in place of a generator")
    parser.add_argument("--copies", type=int, default=1, help="of the graph (default %(default)s)")
    parser.add_argument("--questions", nargs="+", choices=QUESTIONS, default=list(QUESTIONS), help="some of them (default: all)")
    parser.add_argument("--tables", nargs="+", choices=["kernels", "text", "binary", "start"], default=["kernels", "text", "binary", "start"],
                        help="(default: all)")
    parser.add_argument("--formats", nargs="+", choices=TEXTS, default=["el"], help="of the table text (default: el)")
    parser.add_argument("--ranks", nargs="+", type=int, default=[1, 2], help="ranks and threads (default: 1 2)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default %(default)s)")
    parser.add_argument("--delta", type=int, default=16, help="GAP's width of buckets for sssp (default %(default)s)")
    parser.add_argument("--folder", type=Path, help="for the files of the graph, which are kept; of one graph each (default: none is kept)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(exist_ok=True)
        graph = Graph(options, folder)
        what = f"{options.file.name if options.file else options.graph}, {options.copies} times"
        print(f"{what}: {graph.vertices} vertices, {len(graph.edges)} edges, source {graph.source}, medians of {options.repeats} in ms")
        if "kernels" in options.tables:
            compare_kernels(options, graph)
        if "text" in options.tables:
            compare_programs(options, graph, options.formats)
        if "binary" in options.tables:
            compare_programs(options, graph, ["binary"])
        if "start" in options.tables:
            time_starts(options)


if __name__ == "__main__":
    main()
