#!/usr/bin/env python3
"""The commands of `weft` for graphs and matrices, on small ones.

Usage: graph_commands_test.py WEFT
"""
import base64
import json
import math
import struct
import zlib

from command_case import CommandCase, main

# An HDF5 file, packed: /edges, three rows of two vertices and a weight.
EDGES_IN_HDF5 = (
    "eJzr9HBx4+WS4mLm4GCAgf9QoAIVMoCK/3wSOMXfwyWIiaGCSQhZIQxwMTEwMjCwCTAAKdbUlPTU4s0wM10YqALOBLccAjuBkYGRUYWBgYmJkZEZ"
    "KoeT5mFgFAB6hQXMU2BgBbqSmYsD6ANmRgaoF1VgFqygjjvpAYou1V0caDeMglEwCkbBKBiigAuIRYCYFUrLMYAqb4g4iM0JxACbCSnN")


class GraphCommands(CommandCase):
    def test_components_of_a_small_graph(self):
        labels = self.file("labels.txt")
        result = self.result_of("components", self.graph, "--labels", labels)["result"]
        self.assertEqual(result, {"vertices": 6, "edges": 4, "loops": 1, "components": 3, "isolated": 1,
                                  "largest": [3, 2, 1]})
        self.assertEqual(labels.read_text(), "1 1\n2 1\n3 1\n5 5\n10 10\n11 10\n")

    def test_labels_that_differ_as_text_are_two_vertices(self):
        for text, names in (("001 1\n1 2\n", ["001", "1", "2"]), ("5 +5\n", ["+5", "5"]), ("0 -0\n", ["-0", "0"]),
                            ("0 10\n-3 10\n", ["-3", "0", "10"])):
            graph, labels = self.file("labels.txt", text), self.file("of_components.txt")
            for count in (1, 3):
                self.run_weft("-n", count, "components", graph, "--labels", labels)
                self.assertEqual([line.split()[0] for line in labels.read_text().splitlines()], names)

    def test_a_line_of_column_names_is_no_edge(self):
        for head in ("source target\n", "# about\nFrom\tTo\n", "FromNodeId ToNodeId\n", "source target weight\n"):
            graph = self.file("named.txt", head + "1 2 7\n2 3 0.5\n")
            for count in (1, 3):
                result = self.result_of("-n", count, "degrees", graph)
                self.assertEqual((result["input"]["naming"], result["result"]["edges"]), ("numbers", 2))
        weighted = self.result_of("sssp", self.file("named.txt", "source target weight\n1 2 7\n"), "--source", "1")
        self.assertEqual(weighted["result"]["longest"], 7)
        self.assertEqual(self.result_of("degrees", self.file("text.txt", "u v\nv w\n"))["result"]["edges"], 2)
        bad = self.file("bad.txt", "source target\n1 2\n3\n")
        self.assertIn(f"{bad}:3:", self.run_weft("degrees", bad, expect=1).stderr)

    def test_tables_of_edges(self):
        for name, text, options, longest in (
                ("a.csv", "from,to,minutes\nRome,Milan,180\nMilan,Turin,60\n", (), 240),
                ("b.csv", "stop;next;t\nRome;Milan;1,5\nMilan;Turin;2\n", ("--decimal", ","), 3.5),
                ("c.txt", "Rome|Milan|1|9\nMilan|Turin|2|9\n", ("--delimiter", "bar"), 3)):
            table = self.file(name, text)
            for count in (1, 3):
                done = self.run_weft("-n", count, "sssp", table, "--source", "Rome", "--directed", "--json", "-", *options)
                self.assertEqual((json.loads(done.stdout)["result"]["longest"], done.stderr), (longest, ""))
        hops = self.file("hops.csv", "from,to\na,b\nb,c\n")
        self.assertIn("no weights were found", self.run_weft("sssp", hops, "--source", "a", "-q").stderr)
        unlike = self.file("unlike.csv", "who,whom\nann,bob\nbob,cid\ncid,ann\n")
        self.assertIn("--header yes or --header no", self.run_weft("degrees", unlike, "-q").stderr)
        for header, edges in (("yes", 3), ("no", 4)):
            done = self.run_weft("-n", 2, "degrees", unlike, "--header", header, "--json", "-")
            self.assertEqual((json.loads(done.stdout)["result"]["edges"], done.stderr), (edges, ""))
        done = self.run_weft("degrees", "rmat:5", "--header", "no", expect=1)
        self.assertIn("--header: rmat:5 is no CSV file", done.stderr)
        self.assertIn("semicolon", self.run_weft("degrees", unlike, "--delimiter", "ab", expect=2).stderr)

    def test_labels_with_blanks_can_be_read_back(self):
        table = self.file("table.csv", 'source,target\nNew York,"a, b"\nNew York,Rome\n')
        for ending, expected in (("csv", 'vertex,degree\nNew York,2\nRome,1\n"a, b",1\n'),
                                 ("tsv", 'vertex\tdegree\nNew York\t2\nRome\t1\n"a, b"\t1\n'),
                                 ("txt", "New York\t2\nRome\t1\na, b\t1\n")):
            out = self.file(f"out.{ending}")
            for count in (1, 3):
                self.run_weft("-n", count, "degrees", table, "--out", out, "-q")
                self.assertEqual(sorted(out.read_text().splitlines()), sorted(expected.splitlines()))
        done = self.run_weft("degrees", table, "--out", self.file("out.npy"), expect=1)
        self.assertIn("column 'vertex' has texts", done.stderr)

    def test_arrays_of_values(self):
        for count in (1, 3):
            for command, fields, rows in ((("degrees", self.graph, "--out"), "('degree', '<i8')", [(1, 2), (2, 2), (3, 2), (5, 0), (10, 1), (11, 1)]),
                                          (("sssp", self.graph, "--source", 10, "--distances"), "('distance', '<f8')", None),
                                          (("components", self.graph, "--sizes"), "('size', '<i8')", [(1, 3), (5, 1), (10, 2)])):
                out = self.file("out.npy")
                self.run_weft("-n", count, *command, out)
                head, _, content = out.read_bytes().partition(b"\n")
                self.assertIn(fields, head.decode("latin-1"))
                self.assertEqual((len(head) + 1) % 64, 0)
                if rows is None:
                    self.assertEqual([each[1] for each in struct.iter_unpack("<qd", content)], [math.inf] * 4 + [0, 1])
                else:
                    self.assertEqual(list(struct.iter_unpack("<2q", content)), rows)

    def test_forests_can_be_read_back(self):
        for ending, first in (("csv", "from,to,weight"), ("tsv", None), ("txt", None)):
            out = self.file(f"forest.{ending}")
            self.run_weft("-n", 2, "forest", self.graph, "--random-weights", 1, "--edges", out)
            if first:
                self.assertEqual(out.read_text().splitlines()[0], first)
            self.assertEqual(self.result_of("components", out)["result"]["largest"], [3, 2])

    def test_edges_on_standard_output(self):
        file = self.file("edges.txt")
        self.run_weft("generate", "rmat", "--scale", "4", "--out", file)
        for count in (1, 3):
            done = self.run_weft("-n", count, "generate", "rmat", "--scale", "4", "--out", "-")
            self.assertEqual(done.stdout, file.read_text())

    def test_scales_beyond_those_of_graphs(self):
        for graph in ("rmat:4294967300", "rmat:-4294967292"):
            done = self.run_weft("degrees", graph, expect=1)
            self.assertEqual(done.stderr, f'weft: error: "{graph}": expected a scale in 0..62, found {graph[5:]}\n')

    def test_sizes_of_components_and_degrees_of_vertices(self):
        arcs = self.file("arcs.txt", "3 1\n1 2\n2 3\n3 5\n5 6\n6 5\n7 1\n6 9\n9 9\n")
        for count in (1, 2, 3):
            for command, text in ((("components", self.graph, "--sizes"), "1 3\n5 1\n10 2\n"),
                                  (("scc", arcs, "--sizes"), "1 3\n5 2\n7 1\n9 1\n"),
                                  (("degrees", self.graph, "--out"), "1 2\n2 2\n3 2\n5 0\n10 1\n11 1\n")):
                self.assertEqual(self.run_weft("-n", count, *command, "-").stdout, text)

    def test_degrees_of_a_small_graph(self):
        result = self.result_of("degrees", self.graph)["result"]
        self.assertEqual(result, {"vertices": 6, "edges": 4, "loops": 1, "max_degree": 2, "max_vertex": 1,
                                  "sum_squares": 14, "histogram": {"0": 1, "1": 2, "2": 3}})

    def test_degrees_by_either_engine(self):
        expected = self.result_of("-n", "3", "degrees", "rmat:9")
        self.assertEqual(expected["options"]["engine"], "exchange")
        found = self.result_of("-n", "3", "degrees", "rmat:9", "--engine", "mailbox")
        self.assertEqual((found["options"]["engine"], found["result"]), ("mailbox", expected["result"]))
        done = self.run_weft("degrees", self.graph, "--engine", "pigeons", expect=2)
        self.assertIn("--engine", done.stderr)

    def test_components_by_mail(self):
        expected = self.result_of("-n", "3", "components", "rmat:9")
        self.assertEqual(expected["options"]["engine"], "exchange")
        for options, method in ((["--engine", "mailbox"], "union_find"),
                                (["--engine", "mailbox", "--method", "union_find"], "union_find"),
                                (["--engine", "mailbox", "--method", "propagation"], "propagation"),
                                (["--engine", "mailbox", "--method", "propagation", "--delegate-threshold", "20"],
                                 "propagation")):
            found = self.result_of("-n", "3", "components", "rmat:9", *options)
            self.assertEqual((found["options"]["method"], found["result"]), (method, expected["result"]))
            self.assertEqual("delegates" in found["options"], method == "propagation")
        for mistake in (["--engine", "pigeons"], ["--method", "union_find"],
                        ["--engine", "mailbox", "--method", "luck"],
                        ["--engine", "mailbox", "--delegate-threshold", "5"]):
            done = self.run_weft("components", self.graph, *mistake, expect=2)
            self.assertIn(mistake[-2], done.stderr)

    def test_strong_components_of_a_small_graph(self):
        # A cycle of three, one of two behind it, and what leads there and on.
        graph, labels = self.file("arcs.txt", "3 1\n1 2\n2 3\n3 5\n5 6\n6 5\n7 1\n6 9\n9 9\n"), self.file("labels.txt")
        for count in ("1", "2", "3"):
            result = self.result_of("-n", count, "scc", graph, "--labels", labels)["result"]
            self.assertEqual(result, {"vertices": 7, "arcs": 8, "loops": 1, "components": 4, "trivial": 2,
                                      "largest": [3, 2, 1, 1]})
            self.assertEqual(labels.read_text(), "1 1\n2 1\n3 1\n5 5\n6 5\n7 7\n9 9\n")
        self.assertIn("strong components", self.run_weft("scc", graph).stdout)
        undirected = self.file("ring.graph", "4 2\n2\n1 3\n2\n\n")
        self.assertEqual(self.result_of("-n", "2", "scc", undirected)["result"]["largest"], [3, 1])

    def test_shortest_paths_in_a_small_graph(self):
        text = "p sp 5 6\na 1 2 7\na 1 3 2.5\na 3 2 .25\na 2 4 0\na 4 1 9\na 3 2 8\n"
        graph, distances = self.file("roads.gr", text), self.file("distances.txt")
        for count in ("1", "2", "3"):
            report = self.result_of("-n", count, "sssp", graph, "--source", "1", "--directed", "--distances", distances)
            self.assertEqual(report["result"], {"vertices": 5, "arcs": 5, "loops": 0, "reached": 4, "longest": 2.75,
                                                "sum_of_distances": 8.0})
            self.assertEqual(report["options"]["weights"], "file")
            self.assertEqual(distances.read_text(), "1 0\n2 2.75\n3 2.5\n4 2.75\n5 inf\n")
            for options in (["--delta", "0.1"], ["--delta", "1000"]):
                self.run_weft("-n", count, "sssp", graph, "--source", "2", "--distances", distances, *options)
                self.assertEqual(distances.read_text(), "1 2.75\n2 0\n3 0.25\n4 0\n5 inf\n")
        self.assertIn("longest path", self.run_weft("-n", "2", "sssp", graph, "--source", "1").stdout)
        matrix = self.file("matrix.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 .5\n3 2 4\n")
        self.assertEqual(self.result_of("sssp", matrix, "--source", "3")["result"]["longest"], 4.5)
        report = self.result_of("sssp", self.graph, "--source", "1")
        self.assertEqual((report["options"]["weights"], report["result"]["longest"]), ("unit", 1))

    def test_random_weights_take_the_place_of_those_of_the_file(self):
        graph = self.file("bad.txt", "1 2 -7\n2 3 nan\n")
        found = [self.result_of("-n", count, "sssp", graph, "--source", "1", "--random-weights", seed)
                 for count, seed in (("1", "5"), ("3", "5"), ("1", "6"))]
        self.assertEqual(found[0]["result"], found[1]["result"])
        self.assertNotEqual(found[0]["result"], found[2]["result"])
        self.assertEqual((found[0]["options"]["weights"], found[0]["options"]["random_weights"]), ("random", 5))

    def test_weights_that_are_no_lengths(self):
        banner = "%%MatrixMarket matrix coordinate"
        length, finite = "the length of an arc", "that is finite and at least 0"
        for name, text, complaint in (
                ("a.gr", "p sp 3 2\na 1 2 1\na 2 3 -1\n", f'3: expected {length} {finite}, found "-1"'),
                ("a.gr", "p sp 3 2\na 1 2 nan\na 2 3 1\n", f'2: expected {length} {finite}, found "nan"'),
                ("a.gr", "p sp 3 2\na 1 2 inf\na 2 3 1\n", f'2: expected {length} {finite}, found "inf"'),
                ("a.gr", "p sp 3 2\na 1 2 x\na 2 3 1\n", f'2: expected {length}, found "x"'),
                ("a.mtx", f"{banner} real general\n2 2 1\n1 2 -0.5\n", f'3: expected a real value {finite}, found "-0.5"'),
                ("a.mtx", f"{banner} integer general\n2 2 1\n1 2 -3\n",
                 f'3: expected an integer value {finite}, found "-3"'),
                ("a.mtx", f"{banner} real skew-symmetric\n2 2 1\n2 1 3\n",
                 "1: expected weights of at least 0, found a skew-symmetric matrix"),
                ("a.graph", "2 1 1\n2 -1\n1 -1\n", f'2: expected the weight of an edge {finite}, found "-1"'),
                ("a.txt", "1 2 1\n2 3 -1e-9\n", f'2: expected a weight in the third column {finite}, found "-1e-9"')):
            graph = self.file(name, text)
            for count in ("1", "3"):
                done = self.run_weft("-n", count, "sssp", graph, "--source", "1", expect=1)
                self.assertEqual((done.stdout, done.stderr), ("", f"weft: error: {graph}:{complaint}\n"))
        for option in (["--delta", "0"], ["--delta", "-1"], ["--random-weights", "x"]):
            self.assertIn(option[0], self.run_weft("sssp", self.graph, "--source", "1", *option, expect=2).stderr)

    def test_triangles_of_a_small_graph(self):
        for count in ("1", "3"):
            result = self.result_of("-n", count, "triangles", self.graph)["result"]
            self.assertEqual(result, {"vertices": 6, "edges": 4, "loops": 1, "triangles": 1})
        self.assertIn("triangles", self.run_weft("-n", "2", "triangles", self.graph).stdout)

    def test_distances_in_a_small_graph(self):
        distances = self.file("distances.txt")
        result = self.result_of("bfs", self.graph, "--source", "2", "--distances", distances)["result"]
        self.assertEqual(result, {"vertices": 6, "edges": 4, "loops": 1, "reached": 3, "eccentricity": 1,
                                  "sum_of_distances": 2, "widest_level": [1, 2], "levels": [1, 2]})
        self.assertEqual(distances.read_text(), "1 1\n2 0\n3 1\n5 -1\n10 -1\n11 -1\n")
        result = self.result_of("-n", "3", "bfs", self.graph, "--source", "1", "--directed")["result"]
        self.assertEqual((result["arcs"], result["levels"], result["widest_level"]), (4, [1, 1, 1], [0, 1]))
        self.assertEqual(self.result_of("-n", "2", "bfs", self.graph, "--source", "5")["result"]["levels"], [1])

    def test_distances_along_labels_that_are_text(self):
        names = self.file("names.txt", "zoe adam\nadam 7\n")
        report = self.result_of("-n", "3", "bfs", names, "--source", "7")
        self.assertEqual((report["options"]["source"], report["result"]["levels"]), ("7", [1, 1, 1]))

    def test_unknown_source_is_named(self):
        for graph, source in ((self.graph, "4"), (self.graph, "x"), (self.matrix, "8"), (self.matrix, "0")):
            done = self.run_weft("-n", "2", "bfs", graph, "--source", source, expect=1)
            self.assertEqual((done.stdout, done.stderr),
                             ("", f"weft: error: --source {source}: the graph has no such vertex\n"))

    def test_product_of_a_small_matrix(self):
        product, vector = self.file("product.txt"), self.file("vector.txt", "1\n2\n# half\n3\n4.5\n")
        result = self.result_of("spmv", self.matrix, "--out", product)["result"]
        self.assertEqual(result, {"rows": 3, "cols": 4, "nnz": 4, "sum": -0.5, "abs_sum": 3.5, "norm2": 2.5,
                                  "neighbors": {"avg": 0.0, "max": 0}})
        self.assertEqual(product.read_text(), "-2\n0\n1.5\n")
        result = self.result_of("-n", "3", "spmv", self.matrix, "--vector", vector, "--out", product)["result"]
        self.assertEqual((result["sum"], result["neighbors"]["max"]), (-1.0, 1))
        self.assertEqual(product.read_text(), "-2.5\n0\n1.5\n")

    def test_product_by_mail(self):
        product = self.file("product.txt")
        for count in ("1", "3"):
            for options, hubs in (([], 0), (["--delegate-threshold", "1"], 2)):
                report = self.result_of("-n", count, "spmv", self.matrix, "--engine", "mailbox", "--out", product,
                                        *options)
                self.assertEqual((report["options"]["engine"], report["options"]["delegated_rows"]), ("mailbox", hubs))
                self.assertEqual((report["result"]["sum"], report["result"]["norm2"]), (-0.5, 2.5))
                self.assertEqual(product.read_text(), "-2\n0\n1.5\n")
        for mistake in (["--engine", "pigeons"], ["--delegate-threshold", "5"]):
            self.assertIn(mistake[0], self.run_weft("spmv", self.matrix, *mistake, expect=2).stderr)

    def test_vectors_that_do_not_fit(self):
        for text, complaint in (("1\n2\n", "3: expected 4 numbers, found the end of the file after 2"),
                                ("1\n2\nthree\n4\n", '3: expected a number, found "three"'),
                                ("1\n2\n3\n4\n5\n", "5: expected the end of the file after 4 numbers, found another")):
            vector, product = self.file("vector.txt", text), self.file("product.txt")
            for count in ("1", "3"):
                done = self.run_weft("-n", count, "spmv", self.matrix, "--vector", vector, "--out", product, expect=1)
                self.assertEqual((done.stdout, done.stderr), ("", f"weft: error: {vector}:{complaint}\n"))
                self.assertFalse(product.exists())
        done = self.run_weft("spmv", self.matrix, "--vector", "no-such-file", expect=1)
        self.assertRegex(done.stderr, r"^weft: error: no-such-file: .*No such file.*\n$")
        done = self.run_weft("-n", "2", "spmv", self.graph, expect=1)
        self.assertRegex(done.stderr, r"^weft: error: .*expected a matrix.*found an edge list\n$")

    def test_pagerank_of_a_small_graph(self):
        # A hub that two point to, and that points to nothing: x = the value of a leaf, 2x + y = 1,
        # x = (0.15 + 0.85 y) / 3.
        values, graph = self.file("values.txt"), self.file("hub.txt", "a hub\nb hub\nb hub\nb b\n")
        leaf = 1 / (3 + 1.7)
        for count in ("1", "2"):
            result = self.result_of("-n", count, "pagerank", graph, "--out", values)["result"]
            self.assertEqual([each["vertex"] for each in result["top"]], ["hub", "a", "b"])
            self.assertEqual((result["arcs"], result["loops"], result["converged"]), (2, 1, True))
            self.assertAlmostEqual(result["min"], leaf, delta=1e-13)
            self.assertAlmostEqual(result["top"][0]["value"], 1 - 2 * leaf, delta=1e-13)
            self.assertRegex(values.read_text(), r"^a 0\.\d+\nb 0\.\d+\nhub 0\.\d+\n$")
        for option in (["--damping", "1"], ["--tolerance", "-1"]):
            done = self.run_weft("-n", "2", "pagerank", graph, *option, expect=1)
            self.assertRegex(done.stderr, r"^weft: error: find_pagerank: expected .*\n$")

    def test_pagerank_by_weights(self):
        # From a to b and c by 3 and 1, and back by 1 each.
        values = self.file("values.txt")
        graph = self.file("weighted.txt", "a b 2\na c 1\na b 1\nb a 5\nc a .25\n")
        written = set()
        for count in ("1", "2", "3"):
            report = self.result_of("-n", count, "pagerank", graph, "--weighted", "--out", values)
            self.assertTrue(report["options"]["weighted"])
            written.add(values.read_bytes())
        self.assertEqual(len(written), 1)
        found = {line.split()[0]: float(line.split()[1]) for line in values.read_text().splitlines()}
        hub = (0.15 / 3 + 0.85 * 1) / 1.85
        self.assertAlmostEqual(found["a"], hub, delta=1e-13)
        self.assertAlmostEqual(found["b"], 0.05 + 0.85 * hub * 3 / 4, delta=1e-13)
        self.assertAlmostEqual(found["c"], 0.05 + 0.85 * hub / 4, delta=1e-13)
        done = self.run_weft("-n", "2", "pagerank", self.graph, "--weighted", expect=1)
        self.assertRegex(done.stderr, r"^weft: error: --weighted: .*graph.txt has no weights .*\n$")
        bad = self.file("bad.txt", "1 2 1\n2 3 -1\n")
        self.assertIn(f"{bad}:2: expected a weight", self.run_weft("pagerank", bad, "--weighted", expect=1).stderr)

    def test_columns_of_a_csv_file(self):
        graph = self.file("votes.csv", "when,voter,votee,share\n1,ann,bob,2\n2,bob,\"carl, jr\",3\n3,carla,ann,1\n")
        for count in ("1", "3"):
            report = self.result_of("-n", count, "sssp", graph, "--columns", "voter,votee,share", "--source", "ann")
            self.assertEqual((report["result"]["reached"], report["result"]["longest"]), (4, 5))
            self.assertEqual(report["input"]["format"], "CSV of columns 2, 3, 4 below a header, of text labels")
            done = self.run_weft("-n", count, "scc", graph, "--columns", "voter,nobody", expect=1)
            self.assertEqual(done.stderr, f'weft: error: {graph}:1: expected a column "nobody", found "when", "voter", "votee", "share"\n')
        report = self.result_of("sssp", graph, "--columns", "voter,votee", "--weight", "share", "--source", "ann")
        self.assertEqual((report["result"]["longest"], report["options"]["weight"]), (5, "share"))
        self.assertIn("--weight: no weights are read here", self.run_weft("scc", graph, "--weight", "share", expect=1).stderr)
        self.assertIn("--columns", self.run_weft("scc", graph, "--columns", "voter", expect=2).stderr)
        done = self.run_weft("components", "rmat:5", "--columns", "a,b", expect=1)
        self.assertIn("--columns: rmat:5 is no CSV file", done.stderr)

    def test_other_programs_files(self):
        header = "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 3), }".ljust(117) + "\n"
        array = self.file("edges.npy")
        array.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() +
                          struct.pack("<9i", 10, 20, 5, 20, 30, 1, 10, 30, 9))
        xml = self.file("edges.graphml", '<graphml><key id="w" for="edge" attr.name="weight"/>\n'
                        '<graph edgedefault="directed"><node id="10"/><node id="20"/><node id="30"/><node id="40"/>\n'
                        '<edge source="10" target="20"><data key="w">5</data></edge>\n'
                        '<edge source="20" target="30"><data key="w">1</data></edge>\n'
                        '<edge source="10" target="30"><data key="w">9</data></edge></graph></graphml>\n')
        h5 = self.file("edges.h5")
        h5.write_bytes(zlib.decompress(base64.b64decode(EDGES_IN_HDF5)))
        for graph, vertices in ((array, 3), (xml, 4), (h5, 3), (f"{h5}:/edges", 3)):
            for count in ("1", "3"):
                result = self.result_of("-n", count, "sssp", graph, "--source", "10", "--directed")["result"]
                self.assertEqual((result["vertices"], result["arcs"], result["longest"]), (vertices, 3, 6))

    def test_tables(self):
        for command, options, row in (("bfs", [self.graph, "--source", "1"], "eccentricity"),
                                      ("spmv", [self.matrix, "--analyze-ranks", "3"], "blocks of ceil(n / P)"),
                                      ("pagerank", [self.graph], "largest values")):
            self.assertIn(row, self.run_weft("-n", "2", command, *options).stdout)

    def test_graphs_without_vertices_or_edges(self):
        nothing = self.file("nothing.txt", "# no edges\n")
        lonely = self.file("lonely.graph", "3 0\n\n\n\n")
        for count in (1, 3):
            result = self.result_of("-n", count, "components", nothing)["result"]
            self.assertEqual((result["vertices"], result["components"], result["largest"]), (0, 0, []))
            self.assertEqual(self.result_of("-n", count, "degrees", nothing)["result"]["max_vertex"], None)
            self.assertEqual(self.result_of("-n", count, "pagerank", nothing)["result"]["top"], [])
            self.assertEqual(self.result_of("-n", count, "bfs", lonely, "--source", "2")["result"]["levels"], [1])
            self.assertEqual(self.result_of("-n", count, "spmv", lonely)["result"]["nnz"], 0)
            result = self.result_of("-n", count, "components", lonely)["result"]
            self.assertEqual((result["vertices"], result["isolated"], result["largest"]), (3, 3, [1, 1, 1]))

    def test_rectangular_matrix_is_bipartite(self):
        matrix = self.file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 .5\n2 2 1\n2 3 1e3\n")
        result = self.result_of("components", matrix)["result"]
        self.assertEqual((result["vertices"], result["edges"], result["largest"]), (5, 3, [3, 2]))

    def test_every_protocol_gives_the_same_answer(self):
        expected = self.result_of("components", "rmat:9")["result"]
        knobs = self.result_of("info")["result"]["knobs"]
        protocols = next(each for each in knobs if each["name"] == "WEFT_EXCHANGE")["type"].split("|")
        self.assertIn("nbx", protocols)
        for knobs in (*({"WEFT_EXCHANGE": each} for each in protocols), {"WEFT_ALL_REDUCE": "collective"}, {"WEFT_PROBE": "plain"},
                      {"WEFT_RANKS_PER_NODE": "1,2"}, {"WEFT_TAG_WINDOW": "2"}):
            with self.subTest(**knobs):
                self.assertEqual(self.result_of("-n", "3", "components", "rmat:9", **knobs)["result"], expected)

    def test_generated_files_do_not_depend_on_the_number_of_ranks(self):
        for kind in (["rmat", "--scale", "10"], ["erdos-renyi", "--vertices", "500", "--average-degree", "8"],
                     ["graph", "rmat:9,a=0.4,b=0.2"], ["graph", "rgg:700:9"], ["graph", "rgg:700,dimensions=3"]):
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

    def test_converted_graphs_give_the_same_answers(self):
        roads = self.file("roads.txt", "ann bob 2\nbob cid 2.5\nann cid 9\ndan eve 0.1\n")
        binary = self.file("roads.wgraph")
        for writers in (1, 3):
            report = json.loads(self.run_weft("-n", writers, "convert", roads, binary, "--json", "-").stdout)
            self.assertEqual(report["result"], {"edges": 4, "weighted": True})
            for count in (1, 2, 3):
                for command in (("sssp", "--source", "ann"), ("bfs", "--source", "ann"), ("components",), ("degrees",)):
                    found = self.result_of("-n", count, command[0], binary, *command[1:])
                    self.assertEqual(found["result"], self.result_of(command[0], roads, *command[1:])["result"])
            self.assertEqual(sorted(self.run_weft("-n", 2, "convert", binary, "-").stdout.splitlines()[1:]),
                             sorted(roads.read_text().replace(" ", "\t").splitlines()))
        self.run_weft("convert", roads, binary, "--no-weights", "-q")
        self.assertIn("no weights were found", self.run_weft("sssp", binary, "--source", "ann", "-q").stderr)
        made = self.file("made.wgraph")
        self.run_weft("-n", 2, "convert", "rmat:8", made, "-q")
        self.assertEqual(self.result_of("-n", 3, "triangles", made)["result"], self.result_of("triangles", "rmat:8")["result"])
        whole = made.read_bytes()
        made.write_bytes(whole[:-1])
        for count in (1, 3):
            said = self.run_weft("-n", count, "degrees", made, expect=1).stderr
            self.assertIn(f"{made}: expected {len(whole)} bytes, found {len(whole) - 1}: the file is cut short; make it again", said)
        complex_values = self.file("c.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 3 4\n")
        self.assertIn("expected real values", self.run_weft("convert", complex_values, made, expect=1).stderr)
        self.run_weft("convert", complex_values, made, "--no-weights", "-q")

    def test_paths_to_a_target(self):
        roads = self.file("roads.txt", "ann bob 2\nbob cid 2.5\nann cid 9\ndan eve 1\n")
        for count in (1, 3):
            for arguments, length, vertices in ((("sssp", roads, "--target", "cid"), 4.5, ["ann", "bob", "cid"]),
                                                (("bfs", roads, "--target", "cid"), 1, ["ann", "cid"]),
                                                (("sssp", roads, "--target", "ann"), 0, ["ann"]),
                                                (("bfs", roads, "--target", "eve"), None, [])):
                path = self.result_of("-n", count, *arguments, "--source", "ann")["result"]["path"]
                self.assertEqual(path, {"target": arguments[-1], "length": length, "vertices": vertices})
        table = self.run_weft("-n", 2, "bfs", "grid:20x2", "--source", 0, "--target", 19).stdout
        self.assertRegex(table, r"path to 19 +19\n")
        self.assertRegex(table, r"by way of +0 1 2 3 4 5 6 7 8 9 ... 19\n")
        self.assertIn("none to eve", self.run_weft("sssp", roads, "--source", "ann", "--target", "eve").stdout)
        done = self.run_weft("bfs", roads, "--source", "ann", "--target", "zoe", expect=1)
        self.assertEqual(done.stderr, "weft: error: --target zoe: the graph has no such vertex\n")

    def test_generators_in_place_of_a_file(self):
        for count in (1, 3):
            for text, vertices, edges in (("grid:9x5", 45, 76), ("torus:9x5x3", 135, 405), ("er:50,probability=1", 50, 1225)):
                result = self.result_of("-n", count, "components", text)["result"]
                self.assertEqual((result["vertices"], result["edges"], result["components"]), (vertices, edges, 1))
        done = self.run_weft("bfs", "grid:9x", "--source", 0, expect=1)
        self.assertEqual(done.stderr, 'weft: error: "grid:9x": expected grid:WIDTHxHEIGHT[xDEPTH]\n')
        self.assertEqual(self.result_of("-n", 2, "bfs", "torus:8x6", "--source", 0)["result"]["eccentricity"], 7)


if __name__ == "__main__":
    main(GraphCommands)
