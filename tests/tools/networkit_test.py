#!/usr/bin/env python3
"""Questions about an R-MAT graph against NetworKit's answers: components, distances, core numbers, clustering coefficients and PageRank,
and on a smaller one exact betweenness and lengths of paths with weights.

Usage: networkit_test.py WEFT [SCALE]; skipped where Python has no networkit.
"""
import random
import sys
import tempfile
import unittest
from pathlib import Path

from command_run import run_command

try:
    import networkit
except ImportError:
    sys.exit(77)

weft, scale = "", 16


class Graph:
    """Simple and undirected; vertices are those that occur."""

    def __init__(self, folder, scale, weighted=False):
        self.file = folder / "graph.el"
        done = run_command([weft, "generate", "graph", f"rmat:{scale}:8", "--out", self.file, "--quiet"], 60)
        assert done.returncode == 0, done.stderr
        lines = [line.split() for line in self.file.read_text().splitlines() if not line.startswith("#")]
        arcs = {(int(a), int(b)) for a, b in lines}
        pairs = {(min(arc), max(arc)) for arc in arcs}
        draw = random.Random(1)
        self.weights = {pair: draw.randrange(1, 256) if weighted else 1 for pair in sorted(pairs)}
        if weighted:
            self.file.write_text("".join(f"{a} {b} {weight}\n" for (a, b), weight in self.weights.items()))
        self.ids = sorted({end for pair in pairs for end in pair})
        place = {vertex: i for i, vertex in enumerate(self.ids)}
        self.kit = networkit.Graph(len(self.ids), weighted=weighted)
        for (a, b), weight in self.weights.items():
            if a != b:
                self.kit.addEdge(place[a], place[b], weight)
        self.directed = networkit.Graph(len(self.ids), directed=True)
        for a, b in arcs:
            if a != b:
                self.directed.addEdge(place[a], place[b])


class AgainstNetworKit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def values(self, graph, command, option, *words):
        """In the order of the vertices."""
        out = self.folder / "values.txt"
        done = run_command([weft, "-n", 2, command, graph.file, "--format", "edge-list", option, out, *words, "--quiet"], 300)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = dict(line.split() for line in out.read_text().splitlines())
        return [found[str(vertex)] for vertex in graph.ids]

    def assert_close(self, found, expected, error):
        worst = max(abs(float(mine) - right) for mine, right in zip(found, expected, strict=True))
        self.assertLessEqual(worst, error)

    def test_large(self):
        graph = Graph(self.folder, scale)
        kit, source = graph.kit, graph.ids[0]

        parts = networkit.components.ConnectedComponents(kit)
        parts.run()
        label = self.values(graph, "components", "--labels")
        together = {(label[i], parts.componentOfNode(i)) for i in range(len(label))}
        self.assertEqual(len(together), parts.numberOfComponents())
        self.assertEqual(len({mine for mine, _ in together}), parts.numberOfComponents())

        search = networkit.distance.BFS(kit, 0)
        search.run()
        far = [-1 if each > kit.numberOfNodes() else int(each) for each in search.getDistances()]
        self.assertEqual([int(each) for each in self.values(graph, "bfs", "--distances", "--source", source)], far)

        cores = networkit.centrality.CoreDecomposition(kit)
        cores.run()
        self.assertEqual([int(each) for each in self.values(graph, "cores", "--out")], [int(each) for each in cores.scores()])

        near = networkit.centrality.LocalClusteringCoefficient(kit)
        near.run()
        self.assert_close(self.values(graph, "clustering", "--out"), near.scores(), 1e-12)

        rank = networkit.centrality.PageRank(graph.directed, 0.85, 1e-13,
                                             distributeSinks=networkit.centrality.SinkHandling.DistributeSinks)
        rank.run()
        self.assert_close(self.values(graph, "pagerank", "--out", "--tolerance", "1e-13"), rank.scores(), 1e-10)

    def test_small(self):
        graph = Graph(self.folder, min(scale, 10), weighted=True)
        paths = networkit.distance.Dijkstra(graph.kit, 0)
        paths.run()
        found = [float(each) for each in self.values(graph, "sssp", "--distances", "--source", graph.ids[0])]
        self.assertEqual([each if each < 1e100 else float("inf") for each in paths.getDistances()], found)

        plain = networkit.graphtools.toUnweighted(graph.kit)
        between = networkit.centrality.Betweenness(plain)
        between.run()
        expected = [value / 2 for value in between.scores()]  # each pair in both directions
        found = [float(each) for each in self.values(graph, "betweenness", "--out")]
        worst = max(abs(a - b) / max(b, 1) for a, b in zip(found, expected, strict=True))
        self.assertLessEqual(worst, 1e-9)


if __name__ == "__main__":
    weft = sys.argv[1]
    scale = int(sys.argv[2]) if len(sys.argv) > 2 else scale
    unittest.main(argv=sys.argv[:1])
