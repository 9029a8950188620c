#!/usr/bin/env python3
"""The command `weft` as a person meets it: help, mistakes, files, exit codes.

Usage: command_test.py WEFT
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

weft = ""
TRIANGLE_AND_EDGE = "# two components\n1 2\n2 3\n3 1\n5 5\n10 11\n"


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.graph = self.file("graph.txt", TRIANGLE_AND_EDGE)

    def file(self, name, text=None):
        path = Path(self.folder.name) / name
        if text is not None:
            path.write_text(text)
        return path

    def run_weft(self, *arguments, expect=0, **environment):
        done = subprocess.run([weft, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def result_of(self, *arguments, **environment):
        return json.loads(self.run_weft(*arguments, "--json", "-", **environment).stdout)

    def test_help_and_mistakes_do_not_start_mpi(self):
        # Under a launcher's variables that lead nowhere, MPI_Init fails or hangs.
        broken = {"OMPI_MCA_pml": "no-such-layer", "PMI_FD": "999", "PMI_RANK": "0", "PMI_SIZE": "1"}
        for command in ([], ["components"], ["degrees"], ["generate", "rmat"], ["info"], ["tune"], ["bench", "read"]):
            done = self.run_weft(*command, "--help", **broken)
            self.assertIn("Usage:", done.stdout)
        self.assertIn("weft 0.", self.run_weft("--version", **broken).stdout)
        self.assertIn("GRAPH is required", self.run_weft("components", expect=2, **broken).stderr)
        self.assertIn("--nonsense", self.run_weft("degrees", self.graph, "--nonsense", expect=2, **broken).stderr)

    def test_report_has_every_field(self):
        for count in (1, 3):
            for command in ("components", "degrees"):
                report = self.result_of("-n", count, command, self.graph)
                self.assertEqual(list(report), ["command", "version", "ranks", "nodes", "input", "options", "result",
                                                "seconds", "traffic"])
                self.assertEqual((report["command"], report["ranks"], report["nodes"]), (command, count, 1))
                self.assertLessEqual({"read", "build", "compute", "total"}, set(report["seconds"]))
                self.assertEqual(set(report["traffic"]), {"messages", "bytes"})
                self.assertEqual(report["traffic"]["messages"] == 0, count == 1)

    def test_components_of_a_small_graph(self):
        labels = self.file("labels.txt")
        result = self.result_of("components", self.graph, "--labels", labels)["result"]
        self.assertEqual(result, {"vertices": 6, "edges": 4, "loops": 1, "components": 3, "isolated": 1,
                                  "largest": [3, 2, 1]})
        self.assertEqual(labels.read_text(), "1 1\n2 1\n3 1\n5 5\n10 10\n11 10\n")

    def test_degrees_of_a_small_graph(self):
        result = self.result_of("degrees", self.graph)["result"]
        self.assertEqual(result, {"vertices": 6, "edges": 4, "loops": 1, "max_degree": 2, "max_vertex": 1,
                                  "sum_squares": 14, "histogram": {"0": 1, "1": 2, "2": 3}})

    def test_graphs_without_vertices_or_edges(self):
        nothing = self.file("nothing.txt", "# no edges\n")
        lonely = self.file("lonely.graph", "3 0\n\n\n\n")
        for count in (1, 3):
            result = self.result_of("-n", count, "components", nothing)["result"]
            self.assertEqual((result["vertices"], result["components"], result["largest"]), (0, 0, []))
            self.assertEqual(self.result_of("-n", count, "degrees", nothing)["result"]["max_vertex"], None)
            result = self.result_of("-n", count, "components", lonely)["result"]
            self.assertEqual((result["vertices"], result["isolated"], result["largest"]), (3, 3, [1, 1, 1]))

    def test_rectangular_matrix_is_bipartite(self):
        matrix = self.file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 .5\n2 2 1\n2 3 1e3\n")
        result = self.result_of("components", matrix)["result"]
        self.assertEqual((result["vertices"], result["edges"], result["largest"]), (5, 3, [3, 2]))

    def test_malformed_file_gives_one_line_and_nothing_else(self):
        bad = self.file("bad.graph", "3 2\n2\n1 x\n2\n")
        for count in ([], ["-n", "2"], ["-n", "4"]):
            labels, report = self.file("labels.txt"), self.file("report.json")
            done = self.run_weft(*count, "components", bad, "--labels", labels, "--json", report, expect=1)
            self.assertEqual(done.stdout, "")
            self.assertEqual(done.stderr, f'weft: error: {bad}:3: expected a neighbour in 1..3, found "x"\n')
            self.assertFalse(labels.exists() or report.exists())

    def test_missing_and_unwritable_files(self):
        done = self.run_weft("-n", "2", "components", "no-such-file.mtx", expect=1)
        self.assertRegex(done.stderr, r"^weft: error: no-such-file.mtx: .*No such file.*\n$")
        nowhere = self.file("no-such-folder") / "out"
        for option in ("--labels", "--json"):
            done = self.run_weft("-n", "2", "components", self.graph, option, nowhere, "--quiet", expect=1)
            self.assertRegex(done.stderr, r"^weft: error: [^\n]*no-such-folder/out[^\n]*\n$")

    def test_quiet_and_progress(self):
        done = self.run_weft("components", self.graph, "--quiet", "--progress", "never")
        self.assertEqual(done.stdout + done.stderr, "")
        done = self.run_weft("-n", "3", "components", self.graph, "--progress", "always")
        self.assertEqual(done.stderr.count("finding components"), 1)
        self.assertEqual(self.run_weft("components", self.graph).stderr, "")

    def test_knobs(self):
        report = self.result_of("-n", "5", "info", WEFT_RANKS_PER_NODE="cyclic:3,2", WEFT_EXCHANGE="pex")
        self.assertEqual(report["nodes"], 2)
        self.assertEqual(report["result"]["ranks_of_node"], [[0, 2, 4], [1, 3]])
        knobs = {row["name"]: row["value"] for row in report["result"]["knobs"]}
        self.assertEqual(knobs["WEFT_EXCHANGE"], "pex")
        done = self.run_weft("-n", "2", "info", expect=1, WEFT_EXCHANGE="fast")
        self.assertEqual(done.stderr, "weft: error: WEFT_EXCHANGE=fast: expected nbx or pex\n")
        done = self.run_weft("-n", "2", "info", WEFT_EXCHNAGE="pex")
        self.assertEqual(done.stderr.count("did you mean WEFT_EXCHANGE?"), 1)
        self.run_weft("components", self.graph, WEFT_TEST_ANYTHING="1")

    def test_every_protocol_gives_the_same_answer(self):
        expected = self.result_of("components", "rmat:9")["result"]
        for knobs in ({"WEFT_EXCHANGE": "pex"}, {"WEFT_CENSUS": "collective"}, {"WEFT_PROBE": "plain"},
                      {"WEFT_RANKS_PER_NODE": "1,2"}, {"WEFT_EPOCH_WINDOW": "2"}):
            with self.subTest(**knobs):
                self.assertEqual(self.result_of("-n", "3", "components", "rmat:9", **knobs)["result"], expected)

    def test_tune_stores_a_model_that_info_shows(self):
        stored = self.file("machine.toml")
        report = self.result_of("-n", "3", "tune", "--seconds", "0.2", "--file", stored)
        self.assertEqual((report["ranks"], report["result"]["file"]), (3, str(stored)))
        self.assertEqual([row["ranks"] for row in report["result"]["machine"]["inside"]["measured"]], [2, 3])
        self.assertTrue(stored.read_text().startswith("# Weft's model of a machine"))
        self.assertEqual([path.name for path in stored.parent.iterdir() if "machine" in path.name], ["machine.toml"])
        machine = self.result_of("-n", "2", "info", WEFT_MACHINE=str(stored))["result"]["machine"]
        self.assertRegex(machine["origin"], r"machine\.toml, measured on 3 ranks on 1 node, ")
        inside, measured = machine["inside"], report["result"]["machine"]["inside"]
        for parameter in ("latency", "overhead", "gap", "synchronous_penalty"):
            self.assertAlmostEqual(inside[parameter], measured[parameter], delta=1e-3 * measured[parameter])
        for row in inside["measured"]:
            self.assertEqual({len(row["known"]["first"]), len(row["synchronous"]["more"])}, {7})
        self.assertEqual(machine["between"], machine["inside"])
        self.assertIn("inside a node L ", self.run_weft("info", WEFT_MACHINE=str(stored)).stdout)

    def test_tune_uses_the_cache_of_the_user(self):
        cache = {"XDG_CACHE_HOME": str(self.file("cache")), "WEFT_MACHINE": ""}
        self.assertIn("built in", self.result_of("info", **cache)["result"]["machine"]["origin"])
        done = self.run_weft("-n", "2", "tune", "--seconds", "0.1", "--dry-run", **cache)
        self.assertIn("not stored", done.stdout)
        self.assertFalse(self.file("cache").exists())
        done = self.run_weft("-n", "4", "tune", "--seconds", "0.1", "--quiet", WEFT_RANKS_PER_NODE="2", **cache)
        self.assertEqual(done.stdout + done.stderr, "")
        (stored,) = (self.file("cache") / "weft").iterdir()
        self.assertRegex(stored.name, r"^machine-.*-(open-mpi|mpich)\.toml$")
        machine = self.result_of("info", **cache)["result"]["machine"]
        self.assertIn(str(stored), machine["origin"])
        self.assertEqual([[row["ranks"] for row in rows] for rows in (
            machine["inside"]["measured"], machine["between"]["measured"], machine["mixed"])], [[2], [2], [4]])
        self.assertIn("built in", self.result_of("info", **{**cache, "WEFT_MACHINE": "none"})["result"]["machine"]["origin"])
        stored.write_text("version = 1\nlatency = 3\n")
        done = self.run_weft("-n", "2", "info", **cache)
        self.assertEqual(done.stderr.count("weft: warning: the machine model is not used: "), 1)
        self.assertIn("built in", done.stdout)

    def test_tune_mistakes(self):
        done = self.run_weft("tune", expect=1)
        self.assertRegex(done.stderr, r"^weft: error: tune: one rank has nobody to send to; [^\n]*weft -n 4 tune[^\n]*\n$")
        bad = self.file("bad.toml", "version = 1\nmeasured_on = 7\n")
        done = self.run_weft("-n", "2", "info", expect=1, WEFT_MACHINE=str(bad))
        self.assertEqual(done.stderr, f'weft: error: {bad}:2: expected a text in double quotes, found "7"; correct it, '
                                      "or measure anew with `weft -n N tune`\n")
        done = self.run_weft("-n", "2", "info", expect=1, WEFT_MACHINE="no-such-file.toml")
        self.assertRegex(done.stderr, r"^weft: error: WEFT_MACHINE=no-such-file.toml: No such file[^\n]*\n$")
        nowhere = self.graph / "machine.toml"
        done = self.run_weft("-n", "2", "tune", "--seconds", "0.1", "--file", nowhere, expect=1)
        self.assertRegex(done.stderr, r"^weft: error: [^\n]*machine.toml[^\n]*cannot be written[^\n]*\n$")

    def test_ranks_inside_a_launcher_are_refused(self):
        done = self.run_weft("-n", "2", "info", expect=2, OMPI_COMM_WORLD_SIZE="1")
        self.assertIn("started by an MPI launcher already", done.stderr)

    def test_generated_files_do_not_depend_on_the_number_of_ranks(self):
        for kind in (["rmat", "--scale", "10"], ["erdos-renyi", "--vertices", "500", "--average-degree", "8"]):
            texts = set()
            for count in (1, 2, 3):
                out = self.file(f"out{count}.mtx")
                self.run_weft("-n", count, "generate", *kind, "--out", out, "--quiet")
                texts.add(out.read_bytes())
            self.assertEqual(len(texts), 1)
            other = self.file("other.mtx")
            self.run_weft("generate", *kind, "--seed", "2", "--out", other, "--quiet")
            self.assertNotIn(other.read_bytes(), texts)

    def test_generated_graph_equals_its_file(self):
        out = self.file("rmat.mtx")
        self.run_weft("generate", "rmat", "--scale", "10", "--seed", "7", "--out", out, "--quiet")
        from_file = self.result_of("-n", "2", "degrees", out)["result"]
        direct = self.result_of("-n", "3", "degrees", "rmat:10", "--seed", "7")["result"]
        self.assertEqual(from_file.pop("max_vertex"), direct.pop("max_vertex") + 1)  # a matrix counts from 1
        self.assertEqual(from_file, direct)

    def test_benchmark_writes_its_columns(self):
        csv = self.file("bench.csv")
        for bench, options, baseline, rows in (("read", [self.graph], "memory copy", 3),
                                               ("exchange", ["-k", "1", "--bytes", "8", "--rounds", "5"], "raw nbx", 4)):
            done = self.run_weft("-n", "2", "bench", bench, *options, "--repeats", "1", "--csv", csv)
            self.assertIn(baseline, done.stdout)
            lines = csv.read_text().splitlines()
            self.assertEqual(lines[0], "bench,case,subject,ranks,bytes,degree,median_s,min_s,rate,unit")
            self.assertEqual(len(lines), 1 + rows)


if __name__ == "__main__":
    weft = sys.argv[1]
    unittest.main(argv=sys.argv[:1], verbosity=2)
