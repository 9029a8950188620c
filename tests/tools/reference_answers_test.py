#!/usr/bin/env python3
"""`weft components` and `weft degrees` on real graphs, against answers that other tools have computed.

Usage: reference_answers_test.py WEFT DATA [RANKS ...]. DATA has reference.json and the graphs. Every answer is
compared at every number of ranks, and label files must not differ by a byte between them.
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

weft, data, ranks = "", Path(), []


def report_of(command, graph, count, *options):
    done = subprocess.run([weft, "-n", str(count), command, str(graph), "--json", "-", *options],
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{command} {graph} with {count} ranks: exit code {done.returncode}\n{done.stderr}")
    report = json.loads(done.stdout)
    assert report["command"] == command and report["ranks"] == count, report
    return report


class ReferenceAnswers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reference = json.loads((data / "reference.json").read_text())
        cls.graphs = reference["2_graphs"]
        cls.ecosystem = reference["8_ecosystem"]
        cls.matrices = reference["1_matrices"]

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

    def degrees(self, graph, expected, histogram=None):
        for count in ranks:
            with self.subTest(graph=graph.name, ranks=count):
                result = report_of("degrees", graph, count)["result"]
                self.assertEqual({key: result[key] for key in expected}, expected)
                self.assertEqual(sum(result["histogram"].values()), result["vertices"])
                self.assertEqual(sum(int(degree) * n for degree, n in result["histogram"].items()), 2 * result["edges"])
                for degree, vertices in (histogram or {}).items():
                    self.assertEqual(result["histogram"].get(degree, 0), vertices, f"vertices of degree {degree}")

    def test_components_of_the_collection(self):
        for name, answer in self.graphs.items():
            expected = {"vertices": answer["vertices"], "edges": answer["undirected_simple_edges"],
                        "components": answer["components"], "isolated": answer["isolated"],
                        "loops": answer["self_loops"], "largest": answer["largest_cc"]}
            self.components(data / "graphs" / name, expected, answer.get("cc_minlabel_sum"))

    def test_degrees_of_the_collection(self):
        for name, answer in self.graphs.items():
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
        for name, answer in self.matrices.items():
            self.components(data / "matrices" / name, {"vertices": answer["rows"],
                                                       "components": answer["weak_components"],
                                                       "largest": [answer["rows"]]})


if __name__ == "__main__":
    weft, data, ranks = sys.argv[1], Path(sys.argv[2]), [int(n) for n in sys.argv[3:]] or [1, 2, 3, 4, 7]
    if not (data / "reference.json").exists():
        print(f"skipped: there is no {data / 'reference.json'}; put the data there or set WEFT_TEST_DATA")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
