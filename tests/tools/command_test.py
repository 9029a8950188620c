#!/usr/bin/env python3
"""The command `weft` as a person meets it: help, mistakes, files, exit codes.

Usage: command_test.py WEFT
"""
import json
import struct
from csv import reader

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
        # Rank 0 draws; the others wait until it has. On a machine that is busy they may all be late.
        for _ in range(3):
            done = self.run_weft("-n", 3, "trace", "--synthetic", "fast=1,slow=1,n=8", "--image", self.file("flow.png"),
                                 "--stall", "0.01")
            if done.stderr:
                break
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
            self.assertEqual({len(row["known"]["first"]), len(row["synchronous"]["more"])}, {8})
        self.assertEqual(machine["between"], machine["inside"])
        self.assertIn("inside a node L ", self.run_weft("info", WEFT_MACHINE=str(stored)).stdout)

    def test_tune_draws_the_times_of_sends(self):
        picture = self.file("sends.png")
        self.run_weft("-n", "2", "tune", "--seconds", "0.1", "--dry-run", "--plot", picture)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))

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

    def test_ranks_inside_a_launcher_are_refused(self):
        done = self.run_weft("-n", "2", "info", expect=2, OMPI_COMM_WORLD_SIZE="1")
        self.assertIn("started by an MPI launcher already", done.stderr)

    def test_one_rank_needs_no_launcher(self):
        self.run_weft("-n", "1", "components", self.graph, OMPI_MCA_rmaps="no-such-mapper")  # with which mpiexec fails

    def test_benchmark_writes_its_columns(self):
        csv = self.file("bench.csv")
        for bench, options, baseline, rows in (("read", [self.graph], "memory copy", 3),
                                               ("plan", ["--items", "3", "--rounds", "5"], "bound plan", 4),
                                               ("exchange", ["-k", "1", "--bytes", "8", "--rounds", "5", "--protocol", "nbx",
                                                             "pcx", "--baseline", "raw-nbx"], "raw-nbx", 3),
                                               ("termination", ["--case", "tree", "--phases", "2"], "foreseen", 9),
                                               ("containers", ["--items", "1000", "--scale", "4"], "unordered_map, one core", 12),
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
