#!/usr/bin/env python3
# In one file: one program, a test for each of its habits.
"""The command `weft` as a person meets it: help, mistakes, files, exit codes.

Usage: command_test.py WEFT
"""
import json
import struct
import subprocess
from csv import reader
from pathlib import Path

from command_case import CommandCase, main
from small_inputs import graph_questions


class Command(CommandCase):
    def test_help_and_mistakes_do_not_start_mpi(self):
        # Under a launcher's variables that lead nowhere, MPI_Init fails or hangs.
        broken = {"OMPI_MCA_pml": "no-such-layer", "PMI_FD": "999", "PMI_RANK": "0", "PMI_SIZE": "1"}
        for command in ([], *([each["name"]] for each in graph_questions(self.weft)), ["label"], ["trace"],
                        ["bench", "trace"], ["generate", "rmat"], ["info"], ["tune"], ["bench", "read"], ["simulate", "exchange"]):
            done = self.run_weft(*command, "--help", **broken)
            self.assertIn("Usage:", done.stdout)
        self.assertIn("weft 0.", self.run_weft("--version", **broken).stdout)
        self.assertIn("GRAPH is required", self.run_weft("components", expect=2, **broken).stderr)
        self.assertIn("MATRIX is required", self.run_weft("spmv", expect=2, **broken).stderr)
        self.assertIn("--source is required", self.run_weft("bfs", self.graph, expect=2, **broken).stderr)
        self.assertIn("--nonsense", self.run_weft("degrees", self.graph, "--nonsense", expect=2, **broken).stderr)

    def test_a_newcomer_is_shown_the_commands(self):
        self.assertIn("components", self.run_weft().stdout)
        self.assertIn("exchange", self.run_weft("bench").stdout)
        self.assertEqual(self.run_weft("help", "bfs").stdout, self.run_weft("bfs", "--help").stdout)
        self.assertEqual(self.run_weft("help").stdout, self.run_weft("--help").stdout)
        for wrong, line in ((["componets", self.graph], "componets: no such command; did you mean components?; see weft --help"),
                            (["xyzzy"], "xyzzy: no such command; see weft --help"),
                            (["--frobnicate"], "--frobnicate: no such option; see weft --help"),
                            (["components", self.graph, "--label", "x"],
                             "--label: no such option; did you mean --labels?; see weft components --help"),
                            (["--colour", "never"], "--colour: no such option; did you mean --color?; see weft --help"),
                            (["bench", "exchagne"], "exchagne: no such command; did you mean exchange?; see weft-bench --help")):
            self.assertEqual(self.run_weft(*wrong, expect=2).stderr, f"weft: error: {line}\n")
        said = self.run_weft("degrees", "--help").stdout
        self.assertIn("{exchange,mailbox}", said)
        self.assertNotIn("\0", said)
        self.assertIn("--progress: expected always, auto, never, found maybe",
                      self.run_weft("degrees", self.graph, "--progress", "maybe", expect=2).stderr)

    def test_pictures_are_png(self):
        for name in ("a.jpg", "b.txt"):
            said = self.run_weft("trace", "--synthetic", "n=8", "--image", self.file(name), expect=2).stderr
            self.assertRegex(said, r"^weft: error: --image: expected a file that ends in .png, [^\n]*\n$")
            self.assertFalse(self.file(name).exists())
        for name in ("a.PNG", "no_ending"):
            self.run_weft("trace", "--synthetic", "n=8", "--max-steps", 1, "--image", self.file(name), "-q")
            self.assertEqual(self.file(name).read_bytes()[:4], b"\x89PNG")

    def test_report_has_every_field(self):
        for count in (1, 3):
            for command in (each["name"] for each in graph_questions(self.weft)):
                usage = self.run_weft(command, "--help").stdout
                subject = self.matrix if "[OPTIONS] MATRIX" in usage else self.graph
                report = self.result_of("-n", count, command, subject, *(["--source", "1"] if "--source " in usage else []))
                self.assertEqual([each for each in report if each != "work"],
                                 ["command", "version", "ranks", "nodes", "input", "options", "result", "seconds", "traffic"])
                self.assertEqual((report["command"], report["ranks"], report["nodes"]), (command, count, 1))
                self.assertLessEqual({"read", "build", "compute", "total"}, set(report["seconds"]))
                traffic = report["traffic"]
                self.assertEqual(set(traffic), {"messages", "bytes", "between_nodes", "in_shared_memory", "waves"})
                self.assertEqual(traffic["messages"] == 0, count == 1)
                self.assertEqual(traffic["between_nodes"], {"messages": 0, "bytes": 0})

    def test_traffic_of_mailboxes_is_counted_by_nodes(self):
        for engine in ("exchange", "mailbox"):
            one, three = (self.result_of("-n", 3, "degrees", self.graph, "--engine", engine,
                                         WEFT_RANKS_PER_NODE=nodes)["traffic"] for nodes in ("3", "1"))
            self.assertEqual(one["between_nodes"]["messages"], 0)
            self.assertGreater(three["between_nodes"]["messages"], 0)
            self.assertLessEqual(three["between_nodes"]["bytes"], three["bytes"])
            self.assertEqual(one["in_shared_memory"]["buffers"] > 0, engine == "mailbox")
            self.assertEqual(one["waves"] > 0, engine == "mailbox")

    def volume(self, name, *planes):
        """A raw file of uint8; planes are lists of rows such as "1101"."""
        path = self.file(name)
        path.write_bytes(bytes(int(voxel) for plane in planes for row in plane for voxel in row))
        return path

    def test_labels_of_a_small_stack(self):
        stack = self.volume("stack.raw", ["11000", "00001"], ["10100", "00000"], ["10001", "01001"])
        raw, vti, table, image = (self.file(name) for name in ("labels.raw", "labels.vti", "tracks.csv", "drawn.png"))
        options = [stack, "--dims", "5,2,3", "--type", "uint8", "--threshold", "1"]
        expected = [1, 1, 0, 0, 0, 0, 0, 0, 0, 2] + [1, 0, 3, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 0, 0, 4, 0, 5, 0, 0, 4]
        first = None
        for count, more in ((1, []), (3, ["--blocks", "3"]), (2, ["--engine", "exchange", "--blocks", "4"])):
            report = self.result_of("-n", count, "label", *options, *more, "--labels", raw, "--labels", vti,
                                    "--tracks", table, "--image", image)
            self.assertEqual(report["result"], {
                "voxels": 30, "foreground": 9, "components": 5, "largest": [4, 2, 1, 1, 1],
                "tracks": {"objects": 7, "links": 2, "one_to_one": 2, "splits": 0, "merges": 0, "deaths": 2,
                           "births": 3}})
            self.assertEqual(list(struct.unpack("=30i", raw.read_bytes())), expected)
            self.assertIn(raw.read_bytes(), vti.read_bytes())
            self.assertEqual(image.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            written = [file.read_bytes() for file in (vti, table, image)]
            first = first or written
            self.assertTrue(written == first, "what is written depends on ranks, blocks or the engine")
        self.assertEqual(table.read_text().splitlines()[:3], [
            "component,first_frame,last_frame,frame,object,size,x,y,previous,next,event",
            "1,0,2,0,1,2,0.5000,0.0000,,3,", "2,0,0,0,2,1,4.0000,1.0000,,,death"])
        shown = self.run_weft("-n", "2", "label", *options, "--neighbors", "26").stdout
        for words in ("5 x 2 x 3 uint8", "9 (30.0 %)", "largest components"):
            self.assertIn(words, shown)

    def test_labels_refuse_what_they_cannot_do(self):
        stack = self.volume("stack.raw", ["11", "10"])
        shape = ["--dims", "2,2,1", "--type", "uint8"]
        self.assertIn("--threshold or --below is required", self.run_weft("label", stack, expect=2).stderr)
        for options, words in (([stack, "--type", "uint8"], "--dims X,Y,Z"), ([stack, "--dims", "2,2,1"], "--type"),
                               ([stack, "--dims", "2,2,2", "--type", "uint8"], "2 x 2 x 2 points"),
                               ([stack, stack, *shape], "several files"),
                               ([stack, *shape, "--labels", self.file("no/labels.raw")], "no/labels.raw"),
                               ([stack, *shape, "--image", self.file("no/drawn.png")], "no/drawn.png"),
                               ([self.file("none.tif")], "none.tif")):
            count = 2 if "drawn" in words else 1  # what rank 0 alone finds out
            said = self.run_weft("-n", count, "label", *options, "--threshold", "1", expect=1).stderr
            self.assertEqual(said.count("weft: error"), 1, said)
            self.assertIn(words, said)

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
        done = self.run_weft("-n", "2", "components", "rmat:10", "--progress", "always")
        self.assertIn("weft: generating rmat:10\n", done.stderr)

    def test_knobs(self):
        report = self.result_of("-n", "5", "info", WEFT_RANKS_PER_NODE="cyclic:3,2", WEFT_EXCHANGE="pex")
        self.assertEqual(report["nodes"], 2)
        self.assertEqual(report["result"]["ranks_of_node"], [[0, 2, 4], [1, 3]])
        knobs = {row["name"]: row["value"] for row in report["result"]["knobs"]}
        self.assertEqual(knobs["WEFT_EXCHANGE"], "pex")
        done = self.run_weft("-n", "2", "info", expect=1, WEFT_EXCHANGE="fast")
        self.assertEqual(done.stderr, "weft: error: WEFT_EXCHANGE=fast: expected nbx or pex or pcx or rsx or "
                         "store_and_forward or nbx_two_level or pcx_two_level or automatic\n")
        done = self.run_weft("-n", "2", "info", WEFT_EXCHNAGE="pex")
        self.assertEqual(done.stderr.count("did you mean WEFT_EXCHANGE?"), 1)
        self.run_weft("components", self.graph, WEFT_TEST_ANYTHING="1")

    def test_timeline_of_any_command(self):
        for command in (["-n", "3", "components", self.graph], ["bench", "blocks", "--case", "quiet", "--repeats", "1"],
                        ["info"]):
            page, events = self.file("run.html"), self.file("run.json")
            self.run_weft(*command, "--timeline", page)
            text = page.read_text()
            typed = " ".join(map(str, command[command.index("components"):] if "-n" in command else command))
            self.assertIn(typed.replace("bench ", "weft-bench "), text)
            self.assertIn("<canvas", text)
            self.run_weft(*command, "--timeline", events)
            trace = json.loads(events.read_text())
            ranks = 3 if "-n" in command else 1
            self.assertEqual({event["pid"] for event in trace["traceEvents"]}, set(range(ranks)))
            self.assertTrue(all(event["dur"] >= 0 for event in trace["traceEvents"] if event["ph"] == "X"))
            page.unlink()
            events.unlink()

    def test_timeline_and_stall_mistakes(self):
        broken = {"OMPI_MCA_pml": "no-such-layer"}  # they are found before MPI starts
        done = self.run_weft("info", "--timeline", "run.png", expect=2, **broken)
        self.assertIn("run.png", done.stderr)
        self.assertIn(".html", done.stderr)
        self.run_weft("info", "--stall", "-1", expect=2, **broken)
        done = self.run_weft("info", "--timeline", self.file("no-such-folder") / "run.html", expect=1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_stalls_are_told(self):
        # Rank 0 draws; the others wait until it has.
        done = self.run_weft("-n", 3, "trace", "--synthetic", "fast=1,slow=1,n=8", "--image", self.file("flow.png"),
                             "--stall", "0.01")
        self.assertRegex(done.stderr, r"weft: rank [12] of 3 has waited \S+ s in ")
        self.assertEqual(self.run_weft("-n", 3, "components", "rmat:10", "--stall", "0").stderr, "")

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

    def test_tune_forgets_the_choices_of_the_old_model(self):
        model = self.file("tuned.toml")
        self.run_weft("-n", "2", "tune", "--seconds", "0.1", "--file", model)
        choices = self.file("tuned.toml.choices", "# a comment\n2 1 2 5 17 pex\n2 1 2 5 17 nbx\n2 1 2 5 20 pcx\n?\n")
        self.assertEqual(self.result_of("info", WEFT_MACHINE=str(model))["result"]["stored_choices"], 2)
        self.assertIn("choices 2 stored beside the model",
                      " ".join(self.run_weft("info", WEFT_MACHINE=str(model)).stdout.split()))
        self.assertEqual(self.result_of("info", WEFT_MACHINE="none")["result"]["stored_choices"], 0)
        self.run_weft("-n", "2", "tune", "--seconds", "0.1", "--dry-run", "--file", model)
        self.assertTrue(choices.exists())
        self.run_weft("-n", "2", "tune", "--seconds", "0.1", "--file", model)
        self.assertFalse(choices.exists())

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

    def test_more_ranks_than_a_machine_can_have(self):
        done = self.run_weft("-n", "100000", "info", expect=2)
        self.assertRegex(done.stderr, r"^weft: error: -n 100000: expected at most \d+ on this machine[^\n]*\n$")
        done = self.run_weft("-n", "0", "info", expect=2)
        self.assertRegex(done.stderr, r"^weft: error: --ranks: expected at least 1, found 0[^\n]*\n$")

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
        self.assertRegex(done.stderr, r"^weft: error: [^\n]*machine.toml[^\n]*cannot write[^\n]*\n$")

    def test_simulation(self):
        rows = self.file("rows.csv")
        arguments = ["simulate", "exchange", "--machine", "intrepid", "bigred", "--ranks", 33, 64, "--degree", 2, 5,
                     "--bytes", 8, "1-3000", "--rounds", 2, "--by", "both", "--csv", rows]
        table = self.run_weft(*arguments).stdout
        lines = rows.read_text().splitlines()
        self.assertEqual(lines[0], "engine,subject,machine,ranks,degree,bytes,rounds,simulated_s,wall_s,messages")
        self.assertEqual(len(lines), 1 + 2 * 2 * 2 * 2 * 7 * 2)  # machines, ranks, degrees, sizes, protocols, both ways
        self.assertEqual(len(table.splitlines()), len(lines))
        cells = [line.split(",") for line in lines[1:]]
        self.assertEqual({cell[2] for cell in cells}, {"intrepid", "bigred"})
        self.assertTrue(all(float(cell[7]) > 0 for cell in cells))
        self.run_weft(*arguments)
        again = [line.split(",")[:8] for line in rows.read_text().splitlines()[1:]]
        self.assertEqual(again, [cell[:8] for cell in cells])  # all but the wall time

    def test_simulation_of_reductions(self):
        rows, picture = self.file("reduce.csv"), self.file("reduce.png")
        self.run_weft("simulate", "reduce", "--machine", "intrepid", "--ranks", 24, 64, "--ranks-per-node", 1,
                      "--csv", rows, "--plot", picture)
        cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
        self.assertEqual(len(cells), 2 * 2 * 4)  # ranks, schedules, three k and the model's
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        seconds = {(cell[1], cell[3]): float(cell[7]) for cell in cells}
        for schedule in ("merge", "swap"):
            best = min(seconds[f"{schedule} k={k}", "64"] for k in (2, 4, 8))
            self.assertLessEqual(seconds[f"{schedule} model's k", "64"], 1.1 * best, schedule)
        self.assertLess(seconds["swap k=8", "64"], seconds["swap k=2", "64"])
        self.assertLess(seconds["swap k=8", "64"], seconds["merge k=8", "64"])

    def test_simulation_of_usual_reductions(self):
        rows = self.file("usual.csv")
        self.run_weft("simulate", "reduce", "--machine", "intrepid", "--ranks", 24, 64, "--ranks-per-node", 1, "--k", 2,
                      "--usual", "binomial", "rabenseifner", "halving", "pairwise", "--csv", rows)
        cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
        seconds = {(cell[1], cell[3]): float(cell[7]) for cell in cells}
        messages = {(cell[1], cell[3]): int(cell[9]) for cell in cells}
        self.assertAlmostEqual(seconds["binomial", "64"] / seconds["merge k=2", "64"], 1, delta=0.1)
        self.assertLess(seconds["rabenseifner", "64"], seconds["binomial", "64"])
        self.assertLess(seconds["halving", "64"], seconds["rabenseifner", "64"])
        self.assertLess(messages["binomial", "64"], messages["rabenseifner", "64"])
        self.assertLess(messages["halving", "64"], messages["pairwise", "64"])
        self.assertLess(messages["binomial", "24"], messages["halving", "24"])

    def test_simulation_of_searches(self):
        rows = self.file("bfs.csv")

        def seconds(*more):
            self.run_weft("simulate", "bfs", "--machine", "bigred", "--ranks", 1, 6, 48, "--csv", rows, *more)
            cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
            return {(cell[1], int(cell[3]), int(cell[4])): float(cell[7]) for cell in cells}

        found = seconds("--degree", 0, 6)
        self.assertEqual(len(found), 7 * 3 * 2)  # protocols, ranks, degrees
        for (protocol, ranks, degree), time in found.items():
            self.assertGreaterEqual(time, 15000 * 451 * 1e-9, protocol)  # each rank looks at all of its edges
            if ranks > 1 and degree == 0:  # the cycle alone leads from rank to rank
                self.assertGreater(time, found[protocol, ranks, 6], protocol)
        self.assertLess(seconds("--edge-ns", 0)["nbx", 48, 6], 0.2 * found["nbx", 48, 6])
        self.run_weft("simulate", "bfs", "--probability", 2, expect=2)

    def test_simulation_of_frames(self):
        rows = self.file("frames.csv")
        arguments = ["simulate", "frames", "--machine", "jaguar", "--ranks", 9, 40, "--csv", rows]

        def seconds(*more):
            self.run_weft(*arguments, *more)
            cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
            return {(cell[1], cell[3]): float(cell[7]) for cell in cells}

        found = seconds()
        self.assertEqual(len(found), 2 * 4 * 4)  # ranks, graphs, creation and three ways
        for ranks in ("9", "40"):
            # 1.2 ms to pack and unpack; 2.4 MB between nodes take 1.4 ms.
            self.assertAlmostEqual(found["diagonal plan", ranks], 1.2e-3, delta=0.1e-3)
            self.assertAlmostEqual(found["random plan", ranks], 2.6e-3, delta=0.4e-3)
            self.assertLess(found["random create", ranks], found["random plan", ranks] + 4 * 0.6e-3)
        free = seconds("--item-ns", 0, "--items", 1)
        self.assertLess(free["random plan", "40"], 0.1 * found["random plan", "40"])
        self.run_weft("simulate", "frames", "--items", 0, expect=2)

    def test_simulation_of_particles(self):
        rows = self.file("flight.csv")
        arguments = ["simulate", "iexchange", "--machine", "jaguar", "--voxels", 32, "--ranks", 4, 8, "--blocks-per-rank",
                     1, 4, "--csv", rows]

        def seconds(*more):
            self.run_weft(*arguments, *more)
            cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
            return {(cell[1], int(cell[3]), int(cell[4])): float(cell[7]) for cell in cells}

        found = seconds()
        self.assertEqual(len(found), 2 * 2 * 2)  # engines, ranks, blocks
        self.assertEqual(found, seconds())
        for ranks, blocks in ((4, 1), (4, 4), (8, 1), (8, 4)):
            self.assertLess(found["iexchange", ranks, blocks], found["exchange", ranks, blocks])
        # 8 blocks, each on a rank of its own, 2 slow: 2 rounds of a slow block, or a fast one and a slow one.
        bundle = 64 * 64 * 16 / 10 * 1e-6
        self.assertAlmostEqual(found["exchange", 8, 1] / bundle, 20, delta=1)
        self.assertAlmostEqual(found["iexchange", 8, 1] / bundle, 11, delta=1)
        # Where blocks are dealt round robin, those of a rank share one x, and idle while the particles are elsewhere.
        dealt = seconds("--assignment", "round-robin", "--slow", 10)
        level = seconds("--slow", 10)
        self.assertGreater(dealt["exchange", 8, 4], 1.5 * level["exchange", 8, 4])
        self.assertIn("--blocks-per-rank", self.run_weft(*arguments[:-2], "--blocks-per-rank", 0, expect=2).stderr)
        self.run_weft("simulate", "iexchange", "--voxels", 2, "--ranks", 64, expect=1)

    def test_simulation_of_a_machine_in_a_file(self):
        model = self.file("cluster.toml")
        self.run_weft("-n", 2, "tune", "--seconds", 0.5, "--file", model)
        done = self.run_weft("simulate", "exchange", "--machine", model, "--ranks", 5, "--csv", "-")
        self.assertEqual(done.stdout.splitlines()[1].split(",")[2:4], ["cluster", "5"])

    def test_simulation_mistakes(self):
        run = ["simulate", "exchange", "--rounds", 1, "--ranks", 4]
        self.assertIn("intrepid, jaguar, bigred", self.run_weft(*run, "--machine", "earth", expect=1).stderr)
        self.assertIn("without -n", self.run_weft("-n", 2, *run, expect=1).stderr)
        for size in ("many", "-3", "5-2", "1-", ""):
            self.assertIn("--bytes", self.run_weft(*run, f"--bytes={size}", expect=2).stderr)
        self.run_weft(*run, "--ranks", 0, expect=2)
        bad = self.file("bad.toml", "version = 1\nmeasured_on = \"x\"\ncopy_per_byte = -1\n")
        self.assertIn("bad.toml:3", self.run_weft(*run, "--machine", bad, expect=1).stderr)

    def test_simulation_draws(self):
        run = ["simulate", "exchange", "--rounds", 1, "--ranks", 4, 8, "--machine", "jaguar"]
        pictures = [self.file(f"{theme}.png") for theme in ("light", "dark")]
        for picture in pictures:
            self.run_weft(*run, "--plot", picture, "--theme", picture.stem)
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        self.assertNotEqual(*(picture.read_bytes() for picture in pictures))

    def test_ranks_inside_a_launcher_are_refused(self):
        done = self.run_weft("-n", "2", "info", expect=2, OMPI_COMM_WORLD_SIZE="1")
        self.assertIn("started by an MPI launcher already", done.stderr)

    def raw_field(self, name, velocity):
        """3 x 3 x 3 points from 0 to 2 with float32 velocities."""
        path = self.file(name)
        path.write_bytes(b"".join(struct.pack("=3f", *velocity(x, y, z))
                                  for z in range(3) for y in range(3) for x in range(3)))
        return path

    def test_traces(self):
        field = self.raw_field("right.raw", lambda x, y, z: (1, 0, 0))
        raw = ["--dims", "3,3,3", "--type", "float32"]
        seeds = self.file("seeds.csv", "x,y,z\n0.5,1,1\n0.1,2,0\n5,5,5\n")
        ends, lines, image = self.file("ends.csv"), self.file("lines.vtp"), self.file("lines.png")
        report = self.result_of("-n", "2", "trace", field, *raw, "--seeds", f"file:{seeds}", "--step-size", "0.25",
                                "--max-steps", "7", "--blocks", "3", "--engine", "exchange", "--ends", ends, "--out",
                                lines, "--image", image)
        self.assertEqual(report["result"], {"seeds": 3, "inside": 1, "left": 2, "steps": 13,
                                            "mean_final": [(2 + 1.85 + 5) / 3, 8 / 3, 2], "mean_path": 3.25 / 3})
        self.assertEqual([row.split(",")[6:8] for row in ends.read_text().split()[1:]],
                         [["6", "0"], ["7", "1"], ["0", "0"]])
        self.assertIn(b'NumberOfPoints="15"', lines.read_bytes())
        self.assertEqual(image.read_bytes()[1:4], b"PNG")
        done = self.run_weft("trace", field, *raw, "--seeds", f"file:{seeds}", "--integrator", "rk45", "--duration",
                             "0.5", "--backward")
        self.assertIn("mean final", done.stdout)

    def test_traces_through_steps_in_time(self):
        first = self.raw_field("t0.raw", lambda x, y, z: (0, 0, 0))
        second = self.raw_field("t1.raw", lambda x, y, z: (0, 1, 0))
        seeds = self.file("seeds.csv", "1,0,1\n")
        result = self.result_of("trace", first, second, "--dims", "3,3,3", "--type", "float32", "--seeds",
                                f"file:{seeds}", "--times", "10,2", "--step-size", "0.5")["result"]
        self.assertEqual((result["inside"], result["steps"]), (1, 4))  # then there are no more steps of the field
        self.assertAlmostEqual(result["mean_final"][1], 1, delta=1e-14)  # the integral of t / 2 to t = 2

    def test_seeds_outside_are_warned_of(self):
        done = self.run_weft("-n", 2, "trace", "--synthetic", "n=8", "--seeds", "plane:z=-5,4,4")
        self.assertEqual(done.stderr.count("weft: warning: all "), 1)
        self.assertIn("seeds are outside of the field, which spans x 0 to ", done.stderr)

    def test_trace_mistakes(self):
        field = self.raw_field("right.raw", lambda x, y, z: (1, 0, 0))
        raw = ["--dims", "3,3,3", "--type", "float32"]
        for arguments, words in (([], "name a field"), ([field, "--synthetic", "n=8"], "name a field"),
                                 ([field, *raw, "--tolerance", "1e-3"], "rk45"),
                                 ([field, "--dims", "3,3"], "--dims")):
            self.assertIn(words, self.run_weft("trace", *arguments, expect=2).stderr)
        for arguments, words in (([self.file("none.raw"), *raw], "none.raw"), ([field], "--dims"),
                                 ([field, *raw, "--seeds", "ring:4"], "ring:4"),
                                 ([field, "--dims", "9,9,1", "--type", "float32", "--components", "2"], "648"),
                                 (["--synthetic", "quick=1"], "quick=1")):
            done = self.run_weft("trace", *arguments, expect=1)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_benchmark_writes_its_columns(self):
        csv = self.file("bench.csv")
        for bench, options, baseline, rows in (("read", [self.graph], "memory copy", 3),
                                               ("plan", ["--items", "3", "--rounds", "5"], "bound plan", 4),
                                               ("exchange", ["-k", "1", "--bytes", "8", "--rounds", "5", "--protocol", "nbx",
                                                             "pcx", "--baseline", "raw-nbx"], "raw-nbx", 3),
                                               ("termination", ["--case", "tree", "--phases", "2"], "foreseen", 9),
                                               ("trace", ["--cells", "6", "--blocks", "2", "--step-size", "0.5"],
                                                "iexchange", 4)):
            done = self.run_weft("-n", "2", "bench", bench, *options, "--repeats", "1", "--csv", csv)
            self.assertIn(baseline, done.stdout)
            with open(csv, newline="") as opened:
                lines = [*reader(opened)]
            self.assertEqual(lines[0], "bench,case,subject,ranks,bytes,degree,median_s,min_s,rate,unit".split(","))
            self.assertEqual(len(lines), 1 + rows)
            self.assertEqual({len(line) for line in lines}, {10})
            self.assertTrue(all(float(line[6]) >= float(line[7]) > 0 for line in lines[1:]))
            self.assertLess(max(len(line[8]) for line in lines), 13)  # digits that a clock can justify
            self.assertLess(max(len(f"{float(line[6]) * 1e9:.6f}".rstrip("0")) for line in lines[1:]), 13)
            if bench == "exchange":
                self.assertEqual({line[4] for line in lines[1:]}, {"8"})  # of a message

    def test_bytes_are_of_a_message(self):
        done = self.run_weft("bench", "mailbox", "--case", "histogram", "--items", "1000", "--repeats", "1", "--csv", "-")
        rows = [*reader(done.stdout.splitlines())][1:]
        self.assertEqual({(row[1], row[4]) for row in rows}, {("histogram, 8 B", "8")})


if __name__ == "__main__":
    main(Command)
