#!/usr/bin/env python3
"""The commands of `weft` that find a value of each vertex, its community, or a forest, on small graphs.

Usage: graph_values_test.py WEFT
"""
from command_case import CommandCase, main


class GraphValues(CommandCase):
    def test_graph500_searches_the_same_graph_at_any_number_of_ranks(self):
        answers = []
        for count in (1, 2, 3):
            report = self.result_of("-n", count, "graph500", "--scale", "9", "--edge-factor", "8", "--searches", "5")
            self.assertEqual(report["options"], {"scale": 9, "edge_factor": 8, "searches": 5, "seed": 1})
            result = report["result"]
            self.assertEqual((result["vertices"], result["edges"]), (512, 4096))
            for kind in (result["bfs"], result["sssp"]):
                teps, seconds = kind["teps"], kind["seconds"]
                order = [teps[each] for each in ("min", "first_quartile", "median", "third_quartile", "max")]
                self.assertEqual(order, sorted(order))
                self.assertGreater(seconds["min"], 0)
                self.assertLessEqual(teps["min"], teps["harmonic_mean"])
                self.assertLessEqual(teps["harmonic_mean"], teps["max"])
                self.assertLessEqual(teps["max"], kind["edges"]["max"] / seconds["min"] * 1.000001)
            self.assertEqual(result["bfs"]["edges"], result["sssp"]["edges"])
            answers.append(result["bfs"]["edges"])
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])
        few = self.result_of("-n", 2, "graph500", "--scale", "2", "--edge-factor", "2")  # vertices without neighbours are no sources
        self.assertLessEqual(few["options"]["searches"], 4)
        self.assertIn("no vertex has a neighbour",
                      self.run_weft("-n", 2, "graph500", "--scale", "1", "--edge-factor", "2", expect=1).stderr)
        self.assertIn("searches      5 of each kind, all trees valid",
                      self.run_weft("-n", 2, "graph500", "--scale", "6", "--searches", "5").stdout)

    def test_distances_from_the_nearest_of_several(self):
        graph = self.file("several.txt", "1 2\n2 3\n3 1\n10 11\n5 5\n")
        for given in (["1,5"], ["1", "--source", "5"], ["5,1,5"]):
            report = self.result_of("-n", "2", "bfs", graph, "--source", *given, "--target", "3")
            self.assertEqual((report["options"]["source"], report["result"]["levels"]),
                             ([5, 1, 5] if given == ["5,1,5"] else [1, 5], [2, 2]))
            self.assertEqual(report["result"]["path"], {"target": 3, "length": 1, "vertices": [1, 3]})
        for question in ("bfs:1,source=5", "bfs:1"):
            answer = self.result_of("graph", graph, question)["result"]["questions"][0]
            self.assertEqual(answer["result"]["levels"], [2, 2] if "source" in question else [1, 2])
        commas = self.file("commas.csv", 'source,target\n"a,b",a\nb,c\na,d\n')
        self.assertEqual(self.result_of("bfs", commas, "--source", "a,b")["result"]["levels"], [1, 1, 1])
        self.assertEqual(self.result_of("bfs", commas, "--source", "a,c")["result"]["levels"], [2, 3])
        self.assertIn("--source 4: the graph has no such vertex",
                      self.run_weft("-n", "2", "bfs", graph, "--source", "1,4", expect=1).stderr)
        self.assertIn("--source", self.run_weft("sssp", graph, "--source", "1", "--source", "5", expect=2).stderr)

    def test_neighbours_of_several_numbers_of_ranks(self):
        picture = self.file("neighbours.png")
        given = self.result_of("-n", "2", "spmv", "grid:12x12", "--analyze-ranks", "4,9", "--plot", picture)["result"]
        self.assertEqual([each["ranks"] for each in given["analysis"]], [4, 9])
        for each in given["analysis"]:
            for blocks in ("floor_blocks", "ceil_blocks", "entry_blocks"):
                self.assertEqual(each[blocks]["neighbors"]["max"], 2)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        alone = self.run_weft("spmv", "grid:12x12", "--plot", picture, expect=2)
        self.assertIn("--analyze-ranks", alone.stderr)

    def test_values_of_vertices(self):
        graph = self.file("kite.txt", "a b\nb c\nc a\nc d\nd e\ne e\nd c\n")
        out = self.file("values.txt")
        for command, expected in (
                ("cores", {"degeneracy": 2, "histogram": {"1": 2, "2": 3}, "top": ["a", "b", "c", "d"]}),
                ("clustering", {"triangles": 1, "wedges": 6, "transitivity": 0.5, "top": ["a", "b", "c", "d"]}),
                ("triangles", {"triangles": 1, "top": ["a", "b", "c", "d"]}),
                ("betweenness", {"sources": 5, "top": ["c", "d", "a", "b"]})):
            texts = set()
            for count in (1, 2, 3):
                report = self.result_of("-n", count, command, graph, "--out", out, "--top", 4)
                result = report["result"]
                result["top"] = [each["vertex"] for each in result["top"]]
                for name, value in expected.items():
                    self.assertEqual(result[name], value, (command, name))
                self.assertEqual((result["vertices"], result["edges"], result["loops"]), (5, 5, 1))
                texts.add(out.read_text())
            self.assertEqual(len(texts), 1)
            self.assertEqual(next(iter(texts)), {
                "cores": "a 2\nb 2\nc 2\nd 1\ne 1\n",
                "clustering": "a 1\nb 1\nc 0.3333333333333333\nd 0\ne 0\n",
                "triangles": "a 1\nb 1\nc 1\nd 0\ne 0\n",
                "betweenness": "a 0\nb 0\nc 4\nd 3\ne 0\n"}[command])
            shown = self.run_weft("-n", 2, command, graph).stdout
            self.assertIn("5 (1 loops dropped)", shown)
        sampled = self.result_of("betweenness", graph, "--sources", 5, "--normalized")["result"]
        self.assertEqual([each["value"] for each in sampled["top"][:2]], [4 / 6, 3 / 6])

    def test_directions_count_where_they_are_asked_for(self):
        graph = self.file("arcs.txt", "1 2\n2 1\n2 3\n1 3\n3 1\n")
        out = self.file("values.txt")
        for command, plain, directed in (("clustering", "1 1\n2 1\n3 1\n", "1 0.5\n2 1\n3 1\n"),
                                         ("betweenness", "1 0\n2 0\n3 0\n", "1 1\n2 0\n3 0\n")):
            for options, expected in (((), plain), (("--directed",), directed)):
                result = self.result_of("-n", 2, command, graph, "--out", out, *options)["result"]
                self.assertEqual((out.read_text(), "arcs" in result), (expected, bool(options)), command)

    def test_communities_and_forests(self):
        graph = self.file("two.txt", "1 2 4\n2 3 1\n3 1 2\n4 5 7\n5 6 7\n6 4 7\n3 4 9\n7 7 1\n")
        labels, sizes, edges = self.file("labels.txt"), self.file("sizes.txt"), self.file("edges.txt")
        for count in (1, 2, 3):
            result = self.result_of("-n", count, "communities", graph, "--labels", labels, "--sizes", sizes)["result"]
            self.assertEqual((result["communities"], result["largest"], result["converged"]), (3, [3, 3, 1], True))
            self.assertEqual(labels.read_text(), "1 1\n2 1\n3 1\n4 3\n5 3\n6 3\n7 7\n")
            self.assertEqual(sizes.read_text(), "1 3\n3 3\n7 1\n")
            self.assertIn("largest communities", self.run_weft("-n", count, "communities", graph).stdout)
            result = self.result_of("-n", count, "forest", graph, "--edges", edges)["result"]
            self.assertEqual((result["forest_edges"], result["trees"], result["weight"]), (5, 2, 26))
            self.assertEqual(edges.read_text(), "1 3 2\n2 3 1\n3 4 9\n4 5 7\n4 6 7\n")
        drawn = self.result_of("forest", graph, "--random-weights", 3)
        self.assertEqual((drawn["options"]["weights"], drawn["result"]["forest_edges"]), ("random", 5))

    def test_largest_component_as_a_file(self):
        graph = self.file("parts.txt", "a b 1\nc d 2\nd e 3\nb a 4\ne e 5\nf f 6\n")
        out = self.file("largest.tsv")
        for count in (1, 2, 3):
            report = self.result_of("-n", count, "convert", graph, out, "--largest-component")
            self.assertEqual((report["result"]["edges"], report["options"]["largest_component"]), (3, True))
            self.assertEqual([line.split() for line in out.read_text().splitlines() if line[0] != "#"],
                             [["c", "d", "2"], ["d", "e", "3"], ["e", "e", "5"]])
            converted = sorted(out.read_text().splitlines()[-3:])
            for asked in (("components", graph, "--largest-component", out), ("graph", graph, f"components,largest-component={out}", "sssp:c")):
                out.unlink()
                result = self.result_of("-n", count, *asked)["result"]
                answer = result["questions"][0]["result"] if asked[0] == "graph" else result
                self.assertEqual((answer["components"], answer["largest"], answer["largest_edges"]), (3, [3, 2, 1], 3))
                self.assertEqual(sorted(out.read_text().splitlines()[-3:]), converted)
        for asked in (("convert", "grid:3x3", self.file("no.mtx"), "--largest-component"), ("components", "grid:3x3", "--largest-component", self.file("no.mtx"))):
            done = self.run_weft("-n", "2", *asked, expect=1)
            self.assertRegex(done.stderr, r"^weft: error: .*\n$")

    def test_a_graph_without_its_directions(self):
        text = self.file("arcs.txt", "0 1 5\n1 0 3\n1 2 4\n3 2 1\n2 2 7\n")
        arcs, edges = self.file("arcs.wgraph"), self.file("edges.wgraph")
        for writers in (1, 3):
            self.run_weft("-n", writers, "convert", text, arcs, "-q")
            report = self.result_of("-n", writers, "convert", text, edges, "--undirected")
            self.assertEqual((report["options"]["undirected"], report["result"]["edges"]), (True, 5))
            for question in (["components"], ["triangles"], ["degrees"], ["sssp", "--source", "0"], ["bfs", "--source", "3"]):
                one, other = [self.result_of("-n", 2, question[0], file, *question[1:]) for file in (arcs, edges)]
                self.assertEqual((one["input"]["directed"], other["input"]["directed"]), (True, False))
                self.assertEqual(one["result"], other["result"], question)
            reached = [self.result_of("bfs", file, "--directed", "--source", "2")["result"]["reached"] for file in (arcs, edges)]
            self.assertEqual(reached, [1, 4])

    def test_largest_component_in_other_formats(self):
        matrix = self.file("parts.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 4\n2 1\n4 3\n5 4\n5 5\n")
        binary, text = self.file("largest.wgraph"), self.file("largest.txt")
        for count in (1, 2, 3):
            report = self.result_of("-n", count, "components", matrix, "--largest-component", binary)
            self.assertEqual((report["options"]["largest_component"], report["result"]["largest_edges"]), (str(binary), 3))
            self.result_of("-n", count, "convert", binary, text)
            lines = [line.split() for line in text.read_text().splitlines() if line[0] != "#"]
            self.assertEqual(sorted(sorted(line) for line in lines), [["3", "4"], ["4", "5"], ["5", "5"]])  # and no weights
        weighted = self.file("lines.csv", "from,to,far,cost\n1,2,5,7\n2,3,6,8\n8,9,1,1\n")
        self.result_of("-n", 2, "components", weighted, "--weight", "cost", "--largest-component", text)
        self.assertEqual([line.split() for line in text.read_text().splitlines() if line[0] != "#"], [["1", "2", "7"], ["2", "3", "8"]])

    def test_personalized_pagerank(self):
        # From a along a -> b, b -> a, c -> a; nothing ever comes to c. a = 0.15 (1 - w) + 0.85 b, b = 0.15 w + 0.85 a.
        values, graph = self.file("values.txt"), self.file("personal.txt", "a b\nb a\nc a\n")
        for arguments, w in ((["a"], 0), (["a=3", "b"], 1 / 4)):
            for count in ("1", "2", "3"):
                report = self.result_of("-n", count, "pagerank", graph, "--personalization", *arguments, "--out", values)
                self.assertEqual(report["options"]["personalization"], arguments)
                found = {line.split()[0]: float(line.split()[1]) for line in values.read_text().splitlines()}
                expected = (0.15 * (1 - w) + 0.85 * 0.15 * w) / (1 - 0.85 ** 2)
                self.assertAlmostEqual(found["a"], expected, delta=1e-13)
                self.assertAlmostEqual(found["b"], 1 - expected, delta=1e-13)
                self.assertEqual(found["c"], 0)
        for bad, said in (("d", "the graph has no vertex d"), ("a=x", "a=x: expected a number behind ="),
                          ("a=-1", "expected values of at least 0, found -1")):
            done = self.run_weft("-n", "2", "pagerank", graph, "--personalization", bad, expect=1)
            self.assertRegex(done.stderr, r"^weft: error: .*personalization: " + said + r"\n$")

    def test_several_questions_have_the_answers_of_their_commands(self):
        roads = self.file("roads.txt", "ann bob 2\nbob cid 2.5\nann cid 9\ndan eve 0.1\nann ann 1\ncid bob 7\n")
        asked = {"components": (), "scc": (), "degrees": (), "triangles": (), "triangles,top=3": ("--top", "3"), "cores,top=2": ("--top", "2"),
                 "clustering,directed": ("--directed",), "communities": (), "forest": (), "betweenness": (),
                 "pagerank,damping=0.9,weighted": ("--damping", "0.9", "--weighted"), "sssp:ann": ("--source", "ann"),
                 "bfs:bob,directed,target=cid": ("--source", "bob", "--directed", "--target", "cid"),
                 "sssp:ann,random-weights=3": ("--source", "ann", "--random-weights", "3")}
        for count in (1, 3):
            distances = self.file("distances.txt")
            answers = self.result_of("-n", count, "graph", roads, *asked, f"sssp:ann,distances={distances}")["result"]["questions"]
            self.assertEqual([each["question"] for each in answers[:-1]], list(asked))
            for question, answer in zip(asked, answers):
                name = answer["command"]
                alone = self.result_of("-n", count, name, roads, *asked[question])
                self.assertEqual(answer["result"], alone["result"], question)
            self.assertEqual(distances.read_text(), "ann 0\nbob 2\ncid 4.5\ndan inf\neve inf\n")
        table = self.run_weft("-n", 2, "graph", roads, "components", "cores").stdout
        self.assertRegex(table, r"components +2\n[^$]*degeneracy +2\n")
        for question, why in (("cents", "expected one of components"), ("spmv", "expected one of components"),
                              ("bfs", "--source is required"), ("cores:1", "--source=1"),
                              ("pagerank,damping=x", "Could not convert: --damping = x"), ("cores,", "expected an option"),
                              ("pagerank,json=a", "--json is an option of weft graph"), ("cores,out=-", "the name of a file")):
            self.assertIn(why, self.run_weft("graph", roads, "degrees", question, expect=2).stderr)
        self.assertIn("no such vertex", self.run_weft("-n", 2, "graph", roads, "bfs:zoe", expect=1).stderr)


if __name__ == "__main__":
    main(GraphValues)
