#!/usr/bin/env python3
"""Programs of users on simulated ranks.

simulated_test.py PROGRAM
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

program = ""
SECONDS = 100
VERBS = ("exchange", "long_messages", "mailbox", "long_mail", "loop", "blocks", "values", "frames", "split", "census", "exceptions")


class Simulated(unittest.TestCase):
    def run_program(self, name, simulate, **environment):
        try:
            return subprocess.run([program, name], text=True, timeout=SECONDS, check=False,
                                  env={**os.environ, "WEFT_SIMULATE": simulate, **environment},
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            self.fail(f"{name} on {simulate} hangs")

    def expect_right(self, name, ranks, *options, **environment):
        done = self.run_program(name, ",".join((str(ranks), *options)), **environment)
        self.assertEqual((done.stdout, done.returncode), (f"right on {ranks} ranks\n", 0), (name, ranks, done.stderr))
        return done.stderr

    def seconds_of(self, report):
        number, unit = re.search(r"\): ([\d.e+-]+) (us|ms|s),", report).groups()
        return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit]

    def test_verbs_give_the_right_answers(self):
        for name in VERBS:
            for ranks in (1, 2, 3, 7, 64):
                if ranks > 1 or name != "split":
                    self.expect_right(name, ranks)

    def test_machines_and_nodes(self):
        for name in ("exchange", "mailbox", "blocks"):
            for machine in ("jaguar", "intrepid", "theta"):
                self.expect_right(name, 9, machine)
            self.expect_right(name, 9, WEFT_RANKS_PER_NODE="4")

    def messages_of(self, report):
        return int(re.search(r"; (\d+) messages", report)[1])

    def test_ranks_of_a_node_share_memory(self):
        for ranks, cores in ((8, 4), (7, 3), (4, 4), (3, 1)):
            own = {"WEFT_RANKS_PER_NODE": str(cores)}
            shared = self.expect_right("nodes", ranks, **own)
            self.assertEqual(shared, self.expect_right("nodes", ranks, **own), "the same in every run")
            sent = self.expect_right("nodes", ranks, WEFT_SHARED_MEMORY="off", **own)
            if cores > 1:
                self.assertLess(self.messages_of(shared), self.messages_of(sent), (ranks, cores))
        self.expect_right("nodes", 70, "theta")
        self.expect_right("many_mailboxes", 8, WEFT_RANKS_PER_NODE="4")

    def test_ranks_send_messages_where_the_machine_has_one_level_and_under_an_adversary(self):
        self.expect_right("messages_inside", 8, "jaguar")
        done = self.run_program("messages_inside", "4", WEFT_RANKS_PER_NODE="2", WEFT_ADVERSARY="1:20")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_thousand_ranks(self):
        self.expect_right("values", 1000)
        self.expect_right("mailbox", 1000, WEFT_MAILBOX_BYTES="65536")

    def test_the_same_run_gives_the_same_report(self):
        self.assertEqual(self.expect_right("mailbox", 20), self.expect_right("mailbox", 20))

    def test_a_rank_that_dropped_its_handle_is_waited_for(self):
        self.expect_right("dropped", 3)

    def test_an_exception_of_a_handler_is_agreed(self):
        done = self.run_program("throw_in_a_handler", "4")
        self.assertEqual((done.stdout, done.returncode), ("", 1))
        self.assertIn(": rank 1: ", done.stderr)
        self.assertIn("the harvest is lost", done.stderr)

    def test_ranks_that_wait_for_ever_are_told(self):
        done = self.run_program("throw_alone", "4")
        self.assertEqual(done.returncode, 1)
        self.assertIn(": rank 1: the harvest is lost; nothing", done.stderr)
        self.assertRegex(done.stderr, r"nothing can come any more: .*3 of 4 ranks wait in combine_all \(rank 0 and others\); rank 1 has ended")
        done = self.run_program("different", "3")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"2 of 3 ranks wait in split \(rank 1 and others\)")

    def test_an_error_of_all_names_no_rank(self):
        done = self.run_program("usage", "3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("program: split: color -1 is negative", done.stderr)

    def test_mpi_is_refused(self):
        self.expect_right("mpi", 2)

    def test_computing_takes_simulated_time(self):
        self.assertAlmostEqual(self.seconds_of(self.expect_right("compute", 4)), 2.5, delta=0.01)
        self.assertLess(self.seconds_of(self.expect_right("work", 2)), 0.001)
        self.assertGreater(self.seconds_of(self.expect_right("work", 2, "compute=100")), 0.3)

    def test_what_comes_between_two_looks_is_seen(self):
        self.expect_right("between", 2)

    def test_the_table_has_a_row_a_rank(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "ranks.csv"
            self.expect_right("compute", 4, f"table={table}", WEFT_RANKS_PER_NODE="2")
            rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
        self.assertEqual([(row["rank"], row["node"]) for row in rows], [("0", "0"), ("1", "0"), ("2", "1"), ("3", "1")])
        self.assertEqual([float(row["computed_seconds"]) for row in rows], [2.5, 0.25, 0.25, 0.25])
        self.assertTrue(all(float(row["seconds"]) >= 2.5 and int(row["messages"]) > 0 for row in rows))

    def test_the_timeline_has_the_lanes_that_were_chosen(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "lanes.json"
            self.expect_right("compute", 8, f"timeline={file}", "lanes=4")
            events = json.loads(file.read_text(encoding="utf-8"))["traceEvents"]
        spans = [event for event in events if event["ph"] == "X"]
        self.assertEqual(sorted({event["tid"] for event in spans}), [0, 2, 4, 6])
        computing = sum(event["dur"] for event in spans if event["tid"] == 0 and event["cat"] == "compute")
        waiting = sum(event["dur"] for event in spans if event["tid"] == 2 and event["cat"] == "wait")
        self.assertAlmostEqual(computing * 1e-6, 2.5, delta=0.01)
        self.assertAlmostEqual(waiting * 1e-6, 2.25, delta=0.01)

    def test_a_stack_that_is_too_small_does_not_write_over_another(self):
        done = self.run_program("deep", "2")
        self.assertTrue(done.returncode < 0 or "AddressSanitizer" in done.stderr, done)  # a sanitizer takes the signal
        self.expect_right("deep", 2, "stack=2000000")

    def test_what_cannot_be_read_is_refused(self):
        for wrong, text in (("0", "1..1000000"), ("2.5", "a whole number"), ("many", "a number"), ("4,nowhere", "no such file"),
                            ("4,jaguar,compute=x", "a number"), ("4,stack=1", "a number"), ("4,colour=red", "expected compute="),
                            ("4,timeline=a.svg", "ends in .json")):
            done = self.run_program("values", wrong)
            self.assertEqual((done.stdout, done.returncode), ("", 1), wrong)
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    program = sys.argv.pop(1)
    unittest.main()
