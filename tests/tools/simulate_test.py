#!/usr/bin/env python3
"""`weft simulate`: rows, pictures, mistakes, and times that a person can foresee.

Usage: simulate_test.py WEFT
"""
import csv
import json

from command_case import CommandCase, main


class Simulate(CommandCase):
    def test_simulation(self):
        rows = self.file("rows.csv")
        arguments = ["simulate", "exchange", "--machine", "intrepid", "bigred", "--ranks", 33, 64, "--degree", 2, 5,
                     "--bytes", 8, "1-3000", "--rounds", 2, "--by", "both", "--csv", rows]
        table = self.run_weft(*arguments).stdout
        lines = rows.read_text().splitlines()
        self.assertEqual(lines[0], "engine,subject,machine,ranks,degree,bytes,rounds,simulated_s,wall_s,messages,"
                                   "bytes_a_rank")
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

    def test_usual_reductions_take_the_time_that_logp_gives_by_hand(self):
        rows = self.file("by_hand.csv")
        self.run_weft("simulate", "reduce", "--machine", "intrepid", "--ranks", 64, "--ranks-per-node", 1, "--k", 2,
                      "--bytes", 512, "--usual", "binomial", "rabenseifner", "halving", "pairwise", "--csv", rows)
        cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
        found = {cell[1]: 1e6 * float(cell[7]) for cell in cells}

        def message(sent):  # us: o at both ends, L, and G for each byte behind the first (table 1 of the DSDE paper)
            return 2 * 2.87 + 4.29 + (sent - 1) * 0.00267

        halving = sum(map(message, (256, 128, 64, 32, 16, 8)))
        by_hand = {"binomial": 6 * message(512), "halving": halving, "pairwise": 63 * message(8),
                   "rabenseifner": 2 * halving}  # the halves are gathered as they were sent
        for algorithm, expected in by_hand.items():
            self.assertAlmostEqual(found[algorithm], expected, places=3, msg=algorithm)

    def test_simulation_of_graphs_by_mailboxes(self):
        rows = self.file("graphs.csv")
        for application, most in (["components"], 64), (["components", "--delegates", 0], 0), \
                (["spmv"], 64), (["spmv", "--uniform", "--delegates", 0], 0):
            self.run_weft("simulate", *application, "--machine", "jaguar", "--cores", 3, "--ranks", 1, 7, 24,
                          "--scale", 7, "--buffer-bytes", 65536, "--csv", rows)  # compares with one process itself
            cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
            self.assertEqual(len(cells), 3 * 4)
            for cell in cells:
                self.assertEqual(cell[4] == "0", most == 0)  # delegates
                self.assertLessEqual(int(cell[4]), most)

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

    def test_simulation_of_union_find(self):
        rows = self.file("unions.csv")

        def seconds(*more):
            self.run_weft("simulate", "union-find", "--machine", "jaguar", "--csv", rows, *more)
            cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
            return {(cell[1], int(cell[3]), int(cell[4])): float(cell[7]) for cell in cells}

        # Each run checks the components that it finds. On one rank a microsecond an element: 280 paths of 337 on average.
        found = seconds("--ranks", 1, 32, "--blocks-per-rank", 1, 3)
        self.assertEqual(len(found), 2 * 2 * 2)  # engines, ranks, blocks
        self.assertAlmostEqual(found["exchange", 1, 1] / (280 * 337e-6), 1, delta=0.02)
        self.assertLess(found["iexchange", 32, 1], 0.9 * found["exchange", 32, 1])
        self.assertEqual(found, seconds("--ranks", 1, 32, "--blocks-per-rank", 1, 3))
        # One path along the time axis through slabs of it: a round a block, or a message.
        slabs = seconds("--ranks", 16, "--across", 1, "--paths", 1, "--shortest", 128, "--longest", 128, "--mean", 128,
                        "--element-ns", 0)
        self.assertGreater(slabs["exchange", 16, 1], 2 * slabs["iexchange", 16, 1])

        def messages(*more):
            seconds("--ranks", 8, "--blocks-per-rank", 16, "--by", "iexchange", "--assignment", "round-robin", *more)
            return int(next(csv.DictReader(rows.open()))["messages"])

        # With a queue as a message of its own, what a block sends to two blocks of one rank is two messages.
        self.assertGreater(messages("--whole-queues"), 1.05 * messages())
        self.assertIn("--mean", self.run_weft("simulate", "union-find", "--mean", 600, expect=1).stderr)
        self.run_weft("simulate", "union-find", "--across", 2, "--time-steps", 2, "--ranks", 64, expect=1)

    def test_simulation_of_tracing(self):
        rows = self.file("tracing.csv")
        run = ["simulate", "tracing", "--machine", "intrepid", "--voxels", 256, "--particles", 2000, "--steps", 200,
               "--csv", rows]

        def seconds(*more):
            self.run_weft(*run, *more)
            cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
            return {(cell[1], int(cell[3])): float(cell[7]) for cell in cells}

        # Each run checks that all particles come to their end. On one rank they take the time of their steps, of which those that
        # leave the cube do not make all 200.
        found = seconds("--ranks", 1, 24, "--by", "neighbors", "exchange", "iexchange", "--fraction", 1, 0.5, 0)
        self.assertEqual(len(found), 5 * 2)  # three fractions and two engines, ranks
        for engine in ("neighbors 1", "neighbors 0", "exchange", "iexchange"):
            self.assertAlmostEqual(found[engine, 1] / (2000 * 200 * 2.4e-6), 0.65, delta=0.01)
            self.assertLess(found[engine, 24], 0.5 * found[engine, 1])
        self.assertEqual(seconds("--ranks", 24)["neighbors 1", 24], found["neighbors 1", 24])
        self.assertLess(seconds("--ranks", 24, "--step-ns", 0)["neighbors 1", 24], 0.5 * found["neighbors 1", 24])
        self.assertIn("--voxels", self.run_weft(*run, "--ranks", 4096, expect=1).stderr)
        self.run_weft(*run, "--fraction", 1.5, expect=2)

    def test_simulation_of_shared_memory(self):
        rows = self.file("rings.csv")

        def found(*more):
            self.run_weft("simulate", "mailbox", "--items", 500, "--ranks", 72, "--csv", rows, *more)
            cells = [line.split(",") for line in rows.read_text().splitlines()[1:]]
            return {cell[1]: (float(cell[7]), int(cell[9])) for cell in cells}

        memory = found("--machine", "quartz")
        messages = found("--machine", "quartz", "--inside", "messages")
        for name in ("direct", "node_local", "node_remote", "nlnr"):
            self.assertLess(memory[name], messages[name])  # the time, and where it is the same the messages
            self.assertLess(memory[name][1], messages[name][1])
        batches = found("--machine", "quartz", "--batch", 120)  # four drains more, the last batch of 20
        for name in memory:
            self.assertGreater(batches[name], memory[name])
        self.assertEqual(found("--machine", "quartz", "--batch", 500), memory)
        # One level, as the DSDE paper has it: messages everywhere, unless memory is asked for.
        self.assertEqual(found("--machine", "jaguar", "--cores", 36),
                         found("--machine", "jaguar", "--cores", 36, "--inside", "messages"))
        self.assertNotEqual(found("--machine", "jaguar", "--cores", 36),
                            found("--machine", "jaguar", "--cores", 36, "--inside", "memory"))
        graph = self.file("graph.csv")
        self.run_weft("simulate", "components", "--machine", "theta", "--ranks", 128, "--scale", 10, "--csv", graph)
        self.assertEqual(len(graph.read_text().splitlines()), 5)

    def test_simulation_draws_lanes(self):
        page = self.file("lanes.html")
        run = ["simulate", "iexchange", "--machine", "jaguar", "--voxels", 32, "--ranks", 8, "--blocks-per-rank", 1]
        self.run_weft(*run, "--by", "exchange", "--lanes", 5, "--page", page)
        text = page.read_text()
        self.assertEqual(text.count('"spans":'), 5)
        self.assertIn("advection by exchange, 8 ranks of jaguar", text)
        # Blocks of eight, numbered with x first: those at the begin of a row compute first.
        data = json.loads(text.split("const data = ", 1)[1].split(";\n", 1)[0])
        first = data["lanes"][0]["spans"]
        self.assertEqual((first[1] % 4, first[2]), (0, 0))  # computes, block 0
        second = data["lanes"][1]["spans"]
        self.assertEqual(second[1] % 4, 2)  # waits for it
        self.assertGreaterEqual(second[0], first[0])
        self.run_weft(*run, "--lanes", 2, "--page", page)
        for engine in ("exchange", "iexchange"):
            self.assertTrue(page.with_name(f"lanes-{engine}-jaguar-8-1.html").exists())
        self.run_weft(*run, "--lanes", 2, expect=2)

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


if __name__ == "__main__":
    main(Simulate)
