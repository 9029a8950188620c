#!/usr/bin/env python3
# In one file: answers that share one list of data and how ranks are compared.
"""`weft components`, `degrees`, `scc`, `bfs`, `sssp`, `spmv`, `pagerank`, `triangles`, `label`, `contour`, `trace` and `nbody` on real
data, against answers that other tools have computed.

DATA has reference.json and the graphs. Every answer is compared at every number of ranks, and what is written must not
differ by a byte between them.
"""
import argparse
import csv
import heapq
import itertools
import json
import lzma
import math
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from command_run import run_command

weft, data, ranks, share = "", Path(), [], 1
turns = itertools.count()


def some(inputs):
    """One in `share` of the inputs of a command. Each command begins at another one, and takes one at least."""
    inputs = list(inputs)
    return inputs[next(turns) % min(share, len(inputs))::share]


def report_of(command, graph, count, *options):
    done = run_command([weft, "-n", count, command, graph, "--json", "-", *options], 300)
    if done.returncode != 0:
        raise AssertionError(f"{command} {graph} with {count} ranks: exit code {done.returncode}\n{done.stderr}")
    report = json.loads(done.stdout)
    assert report["command"] == command and report["ranks"] == count, report
    return report


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


class ReferenceAnswers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reference = json.loads((data / "reference.json").read_text())
        cls.graphs = reference["2_graphs"]
        cls.ecosystem = reference["8_ecosystem"]
        cls.matrices = reference["1_matrices"]
        cls.volumes = reference["4_volumes"]
        cls.meshes = reference["5_meshes"]
        cls.sequences = reference["6_sequences"]
        cls.fields = reference["3_vectorfields"]
        cls.clouds = reference["7_nbody"]

    def components(self, graph, expected, label_sum=None):
        """`expected` lists fields of the result; `largest` may list fewer sizes than weft does."""
        with tempfile.TemporaryDirectory() as folder:
            first = None
            for count in ranks:
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
        for count in ranks:
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
            self.components(data / "graphs" / name, expected, answer.get("cc_minlabel_sum"))

    def test_degrees_of_the_collection(self):
        for name, answer in some(self.graphs.items()):
            self.degrees(data / "graphs" / name,
                         {"vertices": answer["vertices"], "edges": answer["undirected_simple_edges"],
                          "max_degree": answer["deg_max"], "max_vertex": answer["deg_argmax_label"],
                          "sum_squares": answer["sum_deg_sq"], "loops": answer["self_loops"]},
                         answer["deg_hist_first"])

    def test_labels_that_are_text(self):
        answer = self.ecosystem["WormNet"]
        graph = data / "ecosystem" / "WormNet.v3.benchmark.txt"
        self.components(graph, {"vertices": answer["nodes"], "edges": answer["undirected_simple_edges"],
                                "components": answer["components"], "largest": answer["largest"]})
        self.degrees(graph, {"max_degree": answer["deg_max"], "max_vertex": min(answer["deg_max_nodes"])},
                     answer["deg_hist_first"])

    def test_power_grid(self):
        self.components(data / "ecosystem" / "case9241pegase.edges",
                        {"vertices": 9241, "edges": 14207, "components": 1, "largest": [9241]})
        self.degrees(data / "ecosystem" / "case9241pegase.edges", {"max_degree": 41, "max_vertex": 1580})

    def test_matrices_as_graphs(self):
        for name, answer in some(self.matrices.items()):
            self.components(data / "matrices" / name, {"vertices": answer["rows"],
                                                       "components": answer["weak_components"],
                                                       "largest": [answer["rows"]]})

    def same_at_all_ranks(self, command, file, option, arguments, check):
        """Calls check(result, lines of the output); the result, but for neighbours, and the output must not depend
        on the number of ranks."""
        with tempfile.TemporaryDirectory() as folder:
            first = None
            for count in ranks:
                with self.subTest(command=command, file=file.name, arguments=arguments, ranks=count):
                    out = Path(folder) / f"out{count}"
                    result = report_of(command, file, count, *map(str, arguments), option, str(out))["result"]
                    written = out.read_bytes()
                    lines = written.decode().split("\n")
                    self.assertEqual(lines.pop(), "")
                    check(result, lines, count)
                    result.pop("neighbors", None)
                    first = first or (result, written)
                    self.assertEqual(result, first[0], "the result depends on the number of ranks")
                    self.assertTrue(written == first[1], "the output depends on the number of ranks")

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
            graph = data / "graphs" / name
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
        self.bfs(data / "ecosystem" / "WormNet.v3.benchmark.txt", "C12C8.1",
                 {"reached": 2274, "eccentricity": 6, "sum_of_distances": 5672})

    def test_strong_components(self):
        answer = self.graphs["wiki-Vote.txt"]

        def check(result, lines, _):
            self.assertEqual((result["components"], result["largest"][:2]), (5816, [1300, 1]))
            self.assertEqual(len(lines), answer["vertices"])
            sizes = Counter(line.split(" ")[1] for line in lines)
            self.assertEqual((len(sizes), max(sizes.values())), (5816, 1300))

        self.same_at_all_ranks("scc", data / "graphs" / "wiki-Vote.txt", "--labels", [], check)

    def test_shortest_paths(self):
        """With unit and with random weights, against Dijkstra's algorithm here: equal to the last bit."""
        graph = data / "graphs" / "NY.gr.xz"
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

            self.same_at_all_ranks("pagerank", data / "graphs" / name, "--out", [], check)

    def test_triangles(self):
        graphs = {data / "graphs" / name: answer["triangles"] for name, answer in self.graphs.items()}
        graphs[data / "ecosystem" / "WormNet.v3.benchmark.txt"] = self.ecosystem["WormNet"]["triangles"]
        for graph, expected in some(graphs.items()):
            for count in ranks:
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
                self.same_at_all_ranks("spmv", data / "matrices" / name, "--out", options, check)

    def test_products_of_undirected_graphs(self):
        for name in ("PGPgiantcompo.graph", "copter2.graph", "NY.gr.xz"):
            result = report_of("spmv", data / "graphs" / name, ranks[-1])["result"]
            self.assertEqual(result["sum"], self.graphs[name]["spmv_int_sum"])
            self.assertAlmostEqual(result["norm2"] ** 2 / self.graphs[name]["spmv_int_sumsq"], 1, delta=1e-14)

    def test_neighbours_of_ranks_that_are_not_there(self):
        for name, answer in some(self.matrices.items()):
            for count, expected in answer["neigh"].items():
                analysis = report_of("spmv", data / "matrices" / name, ranks[-1], "--analyze-ranks",
                                     count)["result"]["analysis"]
                found = analysis["floor_blocks"]["neighbors"]
                self.assertEqual([found["avg"], found["max"]], expected["rows"], f"{name} on {count} ranks")
                if (name, count) == ("commanche_dual.mtx", "512"):  # the DSDE paper, Table 3
                    self.assertEqual(analysis["ceil_blocks"]["neighbors_and_self"]["max"], 28)
                    self.assertEqual(analysis["ceil_blocks"]["neighbors"]["max"], 27)

    def test_neighbours_at_sixteen_ranks(self):
        for name, answer in some(self.matrices.items()):
            found = report_of("spmv", data / "matrices" / name, 16)["result"]["neighbors"]
            self.assertEqual([found["avg"], found["max"]], answer["neigh"]["16"]["rows"], name)

    def label(self, file, expected, *options):
        """At a number of ranks, another one for each call, and for 26 neighbours at two, with other blocks and another
        engine; the labels must be the same. The result of the last."""
        self.labelled = getattr(self, "labelled", 0) + 1
        engines = ("exchange", "iexchange") if 26 in options else ("iexchange",)
        with tempfile.TemporaryDirectory() as folder:
            first = result = None
            for i, engine in enumerate(engines):
                count = ranks[(self.labelled + 2 * i) % len(ranks)]
                with self.subTest(file=file.name, options=options, ranks=count):
                    labels = Path(folder) / f"labels{i}"
                    result = report_of("label", file, count, *map(str, options), "--engine", engine, "--blocks",
                                       str(1 + 2 * i), "--labels", str(labels))["result"]
                    self.assertEqual((result["foreground"], result["components"], result["largest"][:5]), expected)
                    first = first or labels.read_bytes()
                    self.assertTrue(labels.read_bytes() == first, "the labels depend on ranks and blocks")
        return result

    def test_labels_of_volumes(self):
        for volume, (threshold, answer), neighbors in some(
                (volume, iso, neighbors) for volume in self.volumes.values() for iso in volume["iso"].items()
                for neighbors in (6, 26)):
            expected = answer[f"cc{neighbors}"]
            self.label(data / volume["raw"], (answer["voxels_ge"], expected["n"], expected["largest"][:5]), "--dims",
                       ",".join(map(str, volume["dims_xyz"])), "--type", volume["dtype"], "--threshold", threshold,
                       "--neighbors", neighbors)

    def contour(self, file, expected, *options):
        """At all numbers of ranks; the surface must be the same."""
        with tempfile.TemporaryDirectory() as folder:
            first = None
            for count in ranks:
                with self.subTest(file=file.name, options=options, ranks=count):
                    surface = Path(folder) / f"surface{count}.vtp"
                    result = report_of("contour", file, count, *map(str, options), "--out", str(surface))["result"]
                    self.assertEqual({key: result[key] for key in expected if key != "area"},
                                     {key: value for key, value in expected.items() if key != "area"})
                    self.assertAlmostEqual(result["area"] / expected["area"], 1, delta=1e-6)
                    self.assertLessEqual(result["imbalance_after"], 0.1)
                    first = first or surface.read_bytes()
                    self.assertTrue(surface.read_bytes() == first, "the surface depends on the number of ranks")
                    surface.unlink()

    def test_contours_of_volumes(self):
        for volume, (value, answer) in some(
                (volume, iso) for volume in self.volumes.values() for iso in volume["iso"].items()):
            of_vtk = answer["vtkFlyingEdges3D"]
            self.contour(data / volume["raw"],
                         {"points": answer["crossed_edges"], "active_cells": answer["active_cells"],
                          "triangles": of_vtk["triangles"], "area": of_vtk["area"],
                          "components": answer["surface_components"]},
                         "--dims", ",".join(map(str, volume["dims_xyz"])), "--type", volume["dtype"], "--iso", value)

    def test_contours_of_meshes(self):
        probe = run_command([weft, "contour", data / self.meshes["pulley"]["file"], "--iso", 1], 60)
        if "built without VTK" in probe.stderr:
            self.skipTest("Weft was built without VTK")
        for mesh, field, (value, answer) in some(
                (mesh, field, iso) for mesh in self.meshes.values() for field, of_field in mesh["fields"].items()
                for iso in of_field["iso"].items()):
            of_vtk = answer["vtkContourGrid"]
            expected = {"points": answer["crossed_unique_edges"], "active_cells": answer["active_cells"],
                        "triangles": of_vtk["triangles"], "area": of_vtk["area"]}
            run = [data / mesh["file"], expected, "--field", field, "--iso", value]
            if of_vtk["points"] != expected["points"]:
                self.contour(*run)
                # VTK joins points of the surface where two sheets of the mesh lie on each other.
                expected["points"] = of_vtk["points"]
                run += ["--merge-tolerance", 1e-6]
            expected["components"] = of_vtk["surface_components"]
            self.contour(*run)

    def test_labels_of_packed_nifti(self):
        answer = self.volumes["mni152_t1"]["iso"]["89.5"]
        self.label(data / "volumes" / "mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz",
                   (answer["voxels_ge"], answer["cc26"]["n"], answer["cc26"]["largest"][:5]), "--threshold", 89.5,
                   "--neighbors", 26)

    def test_labels_and_tracks_of_sequences(self):
        for name, answer in some(self.sequences.items()):
            if not (data / answer["raw"]).exists():
                continue
            raw = ["--dims", f"{answer['width']},{answer['height']},{answer['frames']}", "--type", answer["dtype"],
                   "--missing", -99]
            stacks = [(data / answer["raw"], raw)]
            if name == "CP_Sequence1":
                stacks.append((data / "sequences" / name, ["--channel", "green"]))
            for neighbors in (6, 26):
                of_all = answer[f"spacetime_components_{neighbors}"]
                for stack, options in stacks:
                    with tempfile.TemporaryDirectory() as folder:
                        table = Path(folder) / "tracks.csv"
                        result = self.label(stack, (answer["foreground"], of_all["n"], of_all["largest"][:5]),
                                            "--threshold", answer["threshold"], "--neighbors", neighbors, *options,
                                            "--tracks", table)
                        with open(table, newline="") as file:
                            rows = list(csv.DictReader(file))
                    self.assertEqual(len(rows), answer[f"total_components_{4 if neighbors == 6 else 8}"])
                    self.assertEqual(sum(int(row["size"]) for row in rows), answer["foreground"])
                    self.assertEqual(len({row["component"] for row in rows}), of_all["n"])
                    if neighbors != 26:
                        continue
                    tracks = answer["overlap_tracking_8"]
                    found = {**result["tracks"], "edges": result["tracks"]["links"]}
                    self.assertEqual({key: found[key] for key in tracks}, tracks)
                    self.assertEqual(sum(len(row["next"].split()) for row in rows), tracks["edges"])
                    for event in ("birth", "death", "split", "merge"):
                        self.assertEqual(sum(event in row["event"].split("+") for row in rows), tracks[event + "s"])

    def test_traces(self):
        seeds = {"carotid": "every:10", "RectGrid2": "every:5,min=0.2", "office": "every:7,min=0.2",
                 "ccm_80": "every:40,min=0.4"}
        # Not all combinations: whatever differs between two runs must not show.
        cuts = [("4", "iexchange", "1"), ("1", "exchange", "1"), ("3", "iexchange", "2"), ("16", "exchange", "1"),
                ("2", "iexchange", "1")]
        for name, rule in some(seeds.items()):
            answer = self.fields[name]
            with open(data / answer["csv"], newline="") as file:
                expected = list(csv.DictReader(file))
            with tempfile.TemporaryDirectory() as folder:
                first = None
                for place, count in enumerate(ranks):
                    blocks, engine, threads = cuts[place % len(cuts)]
                    with self.subTest(field=name, ranks=count, blocks=blocks, engine=engine, threads=threads):
                        ends = Path(folder) / f"ends{count}.csv"
                        result = report_of("trace", data / "vectorfields" / f"{name}.json", count, "--seeds", rule,
                                           "--step-size", str(answer["h"]), "--max-steps", str(answer["N"]),
                                           "--blocks", blocks, "--engine", engine, "--threads", threads,
                                           "--ends", str(ends))["result"]
                        written = ends.read_bytes()
                        first = first or (result, written)
                        self.assertEqual(result, first[0], "the result depends on ranks or blocks")
                        self.assertTrue(written == first[1], "the ends depend on ranks or blocks")
                self.check_traces(answer, expected, *first)

    def check_traces(self, answer, expected, result, written):
        for key, known in (("seeds", "seeds"), ("inside", "still_inside"), ("left", "left_domain"),
                           ("steps", "total_steps")):
            self.assertEqual(result[key], answer[known], key)
        self.assertAlmostEqual(result["mean_path"] / answer["mean_path"], 1, delta=1e-10)
        for found, known in zip(result["mean_final"], answer["mean_final"]):
            self.assertAlmostEqual(found, known, delta=1e-10 * max(1, abs(known)))
        rows = list(csv.DictReader(written.decode().splitlines()))
        self.assertEqual(len(rows), len(expected))
        for row, known in zip(rows, expected):
            for key, value in known.items():
                # The file of answers has 12 digits of ends, and fewer of seeds.
                digits = 5e-8 if key in ("x0", "y0", "z0") else 1e-10 + 5e-12 * max(1, abs(float(value)))
                self.assertAlmostEqual(float(row[key]), float(value), delta=digits, msg=key)

    def test_gravity(self):
        for name in ("gassphere", "galaxy"):
            answer = self.clouds[name]
            with open(data / "nbody" / f"ref_{name}_acc_every100.csv", newline="") as file:
                expected = {int(row["index"]): row for row in csv.DictReader(file)}
            with tempfile.TemporaryDirectory() as folder:
                for place, count in enumerate(ranks):
                    with self.subTest(cloud=name, ranks=count):
                        forces = Path(folder) / "forces.csv"
                        result = report_of("nbody", data / "nbody" / f"{name}_littleendian.dat", count, "--eps",
                                           str(answer["eps"]), "--accelerations", str(forces), "--engine",
                                           ("exchange", "mailbox")[place % 2])["result"]
                        self.assertEqual(result["particles"], answer["N"])
                        self.assertAlmostEqual(result["mass"] / answer["total_mass"], 1, delta=1e-12)
                        self.assertAlmostEqual(result["kinetic"], answer["kinetic"], delta=1e-12 * answer["kinetic"])
                        self.assertAlmostEqual(result["potential"] / answer["potential"], 1, delta=1e-4)
                        with open(forces, newline="") as file:
                            found = [row for row in csv.DictReader(file) if int(row["index"]) in expected]
                        self.assertEqual(len(found), len(expected))
                        off = size = 0
                        for row in found:
                            for axis in ("ax", "ay", "az"):
                                known = float(expected[int(row["index"])][axis])
                                off, size = off + (float(row[axis]) - known) ** 2, size + known**2
                        self.assertLess(math.sqrt(off / size), 0.005)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compares results of weft on real data with those of other tools.")
    parser.add_argument("weft", help="the command")
    parser.add_argument("data", type=Path, help="folder with reference.json and the files that it names")
    parser.add_argument("ranks", type=int, nargs="*", default=[1, 2, 3, 4, 7])
    parser.add_argument("--share", type=int, default=1, metavar="N", help="run each command on one in N of its inputs")
    given = parser.parse_intermixed_args()
    weft, data, ranks, share = given.weft, given.data, given.ranks, given.share
    if not (data / "reference.json").exists():
        print(f"skipped: there is no {data / 'reference.json'}; put the data there or set WEFT_TEST_DATA")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
