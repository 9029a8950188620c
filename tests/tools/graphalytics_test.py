#!/usr/bin/env python3
"""The small graphs of LDBC Graphalytics with their expected outputs: breadth-first search, components and communities exactly,
PageRank, clustering coefficients and shortest paths within 1e-4, directed and undirected, and the same at each number of ranks.

Usage: graphalytics_test.py WEFT DATA RANKS...; DATA has a folder a kernel, and is skipped where it is not there.
"""
import math
import sys
import tempfile
import unittest
from pathlib import Path

from command_run import run_command

weft, data, ranks = "", Path(), []
UNREACHED = 2**63 - 1  # of breadth-first search


def numbers(path):
    return [line.split() for line in path.read_text().splitlines() if line.strip()]


class Graph:
    """Vertices are 1..n in a MatrixMarket file, in the order of their ids."""

    def __init__(self, folder, name, directed):
        lists, edges = folder / f"{name}-input", folder / f"{name}-input.e"
        if edges.exists():
            ids = {int(each[0]) for each in numbers(folder / f"{name}-input.v")}
            arcs = {(int(a), int(b)): w for a, b, w in numbers(edges)}
        else:
            ids = {int(each) for line in numbers(lists) for each in line}
            arcs = {(int(line[0]), int(to)): None for line in numbers(lists) for to in line[1:]}
        self.ids = sorted(ids)
        self.place = {each: i + 1 for i, each in enumerate(self.ids)}
        if not directed:  # the lower triangle
            arcs = {(max(arc), min(arc)): weight for arc, weight in arcs.items()}
        weighted = any(weight is not None for weight in arcs.values())
        self.text = (f"%%MatrixMarket matrix coordinate {'real' if weighted else 'pattern'} "
                     f"{'general' if directed else 'symmetric'}\n{len(ids)} {len(ids)} {len(arcs)}\n")
        for (a, b), weight in arcs.items():
            self.text += f"{self.place[a]} {self.place[b]}{'' if weight is None else ' ' + weight}\n"


class Graphalytics(unittest.TestCase):
    def values(self, graph, *command):
        """What the command writes for each vertex, by the ids of the benchmark; the same bytes at each number of ranks."""
        with tempfile.TemporaryDirectory() as folder:
            file, out = Path(folder) / "graph.mtx", Path(folder) / "values.txt"
            file.write_text(graph.text)
            texts = []
            for count in ranks:
                done = run_command([weft, "-n", count, command[0], file, *command[1:], out], 120)
                self.assertEqual(done.returncode, 0, done.stderr)
                texts.append(out.read_text())
            self.assertEqual(len(set(texts)), 1, "the answer depends on the number of ranks")
        found = dict(line.split() for line in texts[0].splitlines())
        return {each: found[str(graph.place[each])] for each in graph.ids}

    def compare(self, kernel, command, read, close=False, source=False):
        for name, directed in (("dir", True), ("undir", False)):
            with self.subTest(kernel=kernel, graph=name):
                graph = Graph(data / kernel, name, directed)
                words = [command[0], *(["--source", graph.place[1]] if source else []),
                         *(["--directed"] if directed and command[0] not in ("components", "pagerank") else []),
                         *command[1:]]
                found = self.values(graph, *words)
                self.check(found, numbers(data / kernel / f"{name}-output"), lambda text: read(text, graph), close)

    def check(self, found, expected, read, close):
        self.assertGreater(len(expected), 0)
        for vertex, value in expected:
            mine, right = read(found[int(vertex)]), float(value) if close else int(value)
            if close and not math.isinf(right):
                self.assertLessEqual(abs(mine - right), 1e-4 * abs(right) + 1e-12, f"vertex {vertex}")
            else:
                self.assertEqual(mine, right, f"vertex {vertex}")

    def test_breadth_first_search(self):
        self.compare("bfs", ("bfs", "--distances"), lambda text, _: int(text) if text != "-1" else UNREACHED, source=True)

    def test_communities(self):
        self.compare("cdlp", ("communities", "--max-iterations", 5, "--labels"), lambda text, graph: graph.ids[int(text) - 1])

    def test_components(self):
        self.compare("wcc", ("components", "--labels"), lambda text, graph: graph.ids[int(text) - 1])

    def test_pagerank(self):
        self.compare("pr", ("pagerank", "--max-iterations", 26, "--out"), lambda text, _: float(text), close=True)

    def test_shortest_paths(self):
        self.compare("sssp", ("sssp", "--distances"), lambda text, _: float(text), close=True, source=True)

    def test_clustering(self):
        for name, directed in (("directed", True), ("undirected", False)):
            with self.subTest(graph=name):
                graph = Graph(data, f"example-{name}", directed)
                found = self.values(graph, "clustering", *(["--directed"] if directed else []), "--out")
                self.check(found, numbers(data / f"example-{name}-LCC"), float, True)


if __name__ == "__main__":
    weft, data, ranks = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), [int(each) for each in sys.argv[3:]]
    if not (data / "bfs").is_dir():
        print(f"skipped: {data} has no graphs of Graphalytics")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
