"""Answers on real graphs and matrices."""

import heapq
import lzma
import math
import tempfile
from collections import Counter
from pathlib import Path

from reference_case import ReferenceCase, given, report_of, some


def random_weights(seed, edges):
    """What weft draws: splitmix64, a stream for the lesser vertex, entered at the greater."""
    golden, ones = 0x9E3779B97F4A7C15, 2**64 - 1

    def mix(bits):
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & ones
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & ones
        return bits ^ (bits >> 31)

    def draw(low, high):
        start = mix((mix(seed) + golden * low) & ones)
        return ((mix((start + golden * (high + 1)) & ones) >> 11) + 1) * 2.0**-53

    return [draw(min(edge), max(edge)) for edge in edges]


def dijkstra(vertices, edges, weights, source):
    neighbors = [[] for _ in range(vertices)]
    for (u, v), weight in zip(edges, weights):
        neighbors[u].append((v, weight))
        neighbors[v].append((u, weight))
    distance = [math.inf] * vertices
    distance[source] = 0.0
    queue = [(0.0, source)]
    while queue:
        so_far, vertex = heapq.heappop(queue)
        if so_far != distance[vertex]:
            continue
        for other, weight in neighbors[vertex]:
            if so_far + weight < distance[other]:
                distance[other] = so_far + weight
                heapq.heappush(queue, (so_far + weight, other))
    return distance


class Graphs(ReferenceCase):
    def components(self, graph, expected, label_sum=None):
        """`expected` lists fields of the result; `largest` may list fewer sizes than weft does."""
        with tempfile.TemporaryDirectory() as folder:
            first = None
            for count in given.ranks:
                with self.subTest(graph=graph.name, ranks=count):
                    file = Path(folder) / f"labels{count}"
                    result = report_of("components", graph, count, "--labels", str(file))["result"]
                    known = len(expected["largest"])
                    self.assertEqual({**{key: result[key] for key in expected}, "largest": result["largest"][:known]},
                                     expected)
                    labels = file.read_bytes()
                    lines = labels.split(b"\n")
                    self.assertEqual(lines.pop(), b"")
                    self.assertEqual(len(lines), result["vertices"])
                    self.assertEqual(len({line.split(b" ")[1] for line in lines}), expected["components"])
                    if label_sum is not None:  # the reference numbers vertices by their ids' order, from 0
                        place = {line.split(b" ")[0]: i for i, line in enumerate(lines)}
                        self.assertEqual(sum(place[line.split(b" ")[1]] for line in lines), label_sum)
                    first = first or labels
                    self.assertTrue(labels == first, "the label file depends on the number of ranks")
                    for method in ("union_find", "propagation"):
                        report_of("components", graph, count, "--labels", str(file), "--engine", "mailbox", "--method",
                                  method)
                        self.assertTrue(file.read_bytes() == first, f"the labels by {method} are others")

    def degrees(self, graph, expected, histogram=None):
        for count in given.ranks:
            with self.subTest(graph=graph.name, ranks=count):
                result = report_of("degrees", graph, count)["result"]
                self.assertEqual(report_of("degrees", graph, count, "--engine", "mailbox")["result"], result)
                self.assertEqual({key: result[key] for key in expected}, expected)
                self.assertEqual(sum(result["histogram"].values()), result["vertices"])
                self.assertEqual(sum(int(degree) * n for degree, n in result["histogram"].items()), 2 * result["edges"])
                for degree, vertices in (histogram or {}).items():
                    self.assertEqual(result["histogram"].get(degree, 0), vertices, f"vertices of degree {degree}")

    def test_components_of_the_collection(self):
        for name, answer in some(self.graphs.items()):
            expected = {"vertices": answer["vertices"], "edges": answer["undirected_simple_edges"],
                        "components": answer["components"], "isolated": answer["isolated"],
                        "loops": answer["self_loops"], "largest": answer["largest_cc"]}
            self.components(given.data / "graphs" / name, expected, answer.get("cc_minlabel_sum"))

    def test_degrees_of_the_collection(self):
        for name, answer in some(self.graphs.items()):
            self.degrees(given.data / "graphs" / name,
                         {"vertices": answer["vertices"], "edges": answer["undirected_simple_edges"],
                          "max_degree": answer["deg_max"], "max_vertex": answer["deg_argmax_label"],
                          "sum_squares": answer["sum_deg_sq"], "loops": answer["self_loops"]},
                         answer["deg_hist_first"])

    def test_labels_that_are_text(self):
        answer = self.ecosystem["WormNet"]
        graph = given.data / "ecosystem" / "WormNet.v3.benchmark.txt"
        self.components(graph, {"vertices": answer["nodes"], "edges": answer["undirected_simple_edges"],
                                "components": answer["components"], "largest": answer["largest"]})
        self.degrees(graph, {"max_degree": answer["deg_max"], "max_vertex": min(answer["deg_max_nodes"])},
                     answer["deg_hist_first"])

    def test_power_grid(self):
        self.components(given.data / "ecosystem" / "case9241pegase.edges",
                        {"vertices": 9241, "edges": 14207, "components": 1, "largest": [9241]})
        self.degrees(given.data / "ecosystem" / "case9241pegase.edges", {"max_degree": 41, "max_vertex": 1580})

    def test_matrices_as_graphs(self):
        for name, answer in some(self.matrices.items()):
            self.components(given.data / "matrices" / name, {"vertices": answer["rows"],
                                                       "components": answer["weak_components"],
                                                       "largest": [answer["rows"]]})

    def bfs(self, graph, source, expected, *options):
        def check(result, lines, _):
            self.assertEqual({key: result[key] for key in expected}, expected)
            self.assertEqual(result["widest_level"][1], max(result["levels"]))
            distances = dict(line.split(" ") for line in lines)
            self.assertEqual(len(distances), result["vertices"])
            self.assertEqual(distances[str(source)], "0")
            reached = [int(distance) for distance in distances.values() if distance != "-1"]
            self.assertEqual((len(reached), max(reached), sum(reached)),
                             (result["reached"], result["eccentricity"], result["sum_of_distances"]))

        self.same_at_all_ranks("bfs", graph, "--distances", ["--source", source, *options], check)

    def test_distances(self):
        for name, answer in some(self.graphs.items()):
            graph = given.data / "graphs" / name
            self.bfs(graph, answer["bfs0_source_label"],
                     {"reached": answer["bfs0_reached"], "eccentricity": answer["bfs0_ecc"],
                      "sum_of_distances": answer["bfs0_sum_dist"], "widest_level": answer["bfs0_widest_level"],
                      "edges": answer["undirected_simple_edges"]})
            most = answer["bfsmax"]
            self.bfs(graph, most["source_label"], {"reached": most["reached"], "eccentricity": most["ecc"],
                                                   "sum_of_distances": most["sum_dist"]})
            if "bfs0_directed" in answer:
                along = answer["bfs0_directed"]
                self.bfs(graph, answer["bfs0_source_label"],
                         {"reached": along["reached"], "eccentricity": along["ecc"],
                          "sum_of_distances": along["sum_dist"], "arcs": answer["arcs_simple"]}, "--directed")

    def test_distances_from_labels_that_are_text(self):
        self.bfs(given.data / "ecosystem" / "WormNet.v3.benchmark.txt", "C12C8.1",
                 {"reached": 2274, "eccentricity": 6, "sum_of_distances": 5672})

    def test_strong_components(self):
        answer = self.graphs["wiki-Vote.txt"]

        def check(result, lines, _):
            self.assertEqual((result["components"], result["largest"][:2]), (5816, [1300, 1]))
            self.assertEqual(len(lines), answer["vertices"])
            sizes = Counter(line.split(" ")[1] for line in lines)
            self.assertEqual((len(sizes), max(sizes.values())), (5816, 1300))

        self.same_at_all_ranks("scc", given.data / "graphs" / "wiki-Vote.txt", "--labels", [], check)

    def test_shortest_paths(self):
        """With unit and with random weights, against Dijkstra's algorithm here: equal to the last bit."""
        graph = given.data / "graphs" / "NY.gr.xz"
        with lzma.open(graph, "rt") as file:
            lines = [line.split() for line in file if line[0] not in "cp"]
        edges = [(int(u) - 1, int(v) - 1) for u, v in lines]
        source = 1
        for options, weights in (([], [1.0] * len(edges)), (["--random-weights", 7], random_weights(7, edges))):
            expected = dijkstra(self.graphs[graph.name]["vertices"], edges, weights, source - 1)

            def check(result, lines, _):
                self.assertEqual(result["reached"], len(expected))
                self.assertEqual(result["longest"], max(expected))
                self.assertAlmostEqual(result["sum_of_distances"] / math.fsum(expected), 1, delta=1e-15)
                self.assertEqual([float(line.split(" ")[1]) for line in lines], expected)

            self.same_at_all_ranks("sssp", graph, "--distances", ["--source", source, *options], check)

    def test_pagerank(self):
        for name, answer in some(self.graphs.items()):
            def check(result, lines, _):
                self.assertTrue(result["converged"])
                self.assertAlmostEqual(result["iterations"], answer["pagerank_iters_1e-14"], delta=2)
                self.assertAlmostEqual(result["min"] / answer["pagerank_min"], 1, delta=1e-9)
                self.assertEqual(len(result["top"]), 10)
                for found, (vertex, value) in zip(result["top"], answer["pagerank_top5"]):
                    self.assertEqual(found["vertex"], vertex)
                    self.assertAlmostEqual(found["value"] / value, 1, delta=1e-9)
                values = [float(line.split(" ")[1]) for line in lines]
                self.assertAlmostEqual(sum(values), 1, delta=1e-12)
                self.assertAlmostEqual(sum(value * value for value in values) / answer["pagerank_sumsq"], 1, delta=1e-9)

            self.same_at_all_ranks("pagerank", given.data / "graphs" / name, "--out", [], check)

    def test_triangles(self):
        graphs = {given.data / "graphs" / name: answer["triangles"] for name, answer in self.graphs.items()}
        graphs[given.data / "ecosystem" / "WormNet.v3.benchmark.txt"] = self.ecosystem["WormNet"]["triangles"]
        for graph, expected in some(graphs.items()):
            for count in given.ranks:
                with self.subTest(graph=graph.name, ranks=count):
                    self.assertEqual(report_of("triangles", graph, count)["result"]["triangles"], expected)

    def test_products(self):
        for name, answer in some(self.matrices.items()):
            def check(result, lines, count):
                self.assertEqual((result["rows"], result["cols"], result["nnz"]),
                                 (answer["rows"], answer["cols"], answer["nnz_expanded"]))
                exact = answer["y_absum"].is_integer()
                within = 0 if exact else 1e-10 * answer["y_absum"]
                self.assertAlmostEqual(result["sum"], answer["y_sum"], delta=within)
                self.assertAlmostEqual(result["abs_sum"], answer["y_absum"], delta=within)
                self.assertAlmostEqual(result["norm2"] / answer["y_norm2"], 1, delta=1e-10)
                for place, key in ((0, "y_first"), (answer["rows"] // 2, "y_mid"), (-1, "y_last")):
                    self.assertAlmostEqual(float(lines[place]), answer[key], delta=1e-10 * abs(answer[key]))
                if str(count) in answer["neigh"]:
                    self.assertEqual([result["neighbors"]["avg"], result["neighbors"]["max"]],
                                     answer["neigh"][str(count)]["rows"])

            for options in ([], ["--engine", "mailbox"], ["--engine", "mailbox", "--delegate-threshold", "20"]):
                self.same_at_all_ranks("spmv", given.data / "matrices" / name, "--out", options, check)

    def test_products_of_undirected_graphs(self):
        for name in ("PGPgiantcompo.graph", "copter2.graph", "NY.gr.xz"):
            result = report_of("spmv", given.data / "graphs" / name, given.ranks[-1])["result"]
            self.assertEqual(result["sum"], self.graphs[name]["spmv_int_sum"])
            self.assertAlmostEqual(result["norm2"] ** 2 / self.graphs[name]["spmv_int_sumsq"], 1, delta=1e-14)

    def test_neighbours_of_ranks_that_are_not_there(self):
        for name, answer in some(self.matrices.items()):
            for count, expected in answer["neigh"].items():
                analysis = report_of("spmv", given.data / "matrices" / name, given.ranks[-1], "--analyze-ranks",
                                     count)["result"]["analysis"][0]
                found = analysis["floor_blocks"]["neighbors"]
                self.assertEqual([found["avg"], found["max"]], expected["rows"], f"{name} on {count} ranks")
                if (name, count) == ("commanche_dual.mtx", "512"):  # the DSDE paper, Table 3
                    self.assertEqual(analysis["ceil_blocks"]["neighbors_and_self"]["max"], 28)
                    self.assertEqual(analysis["ceil_blocks"]["neighbors"]["max"], 27)

    def test_neighbours_at_sixteen_ranks(self):
        for name, answer in some(self.matrices.items()):
            found = report_of("spmv", given.data / "matrices" / name, 16)["result"]["neighbors"]
            self.assertEqual([found["avg"], found["max"]], answer["neigh"]["16"]["rows"], name)
