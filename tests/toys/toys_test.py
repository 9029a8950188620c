#!/usr/bin/env python3
"""A toy format is in the help of each command that reads volumes, is read, and is named by errors. A toy question about graphs is a
command, with all that commands have, and the check of questions asks for its other places.

toys_test.py PROGRAM ROOT
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from command_run import run_command
from questions_test import complaints

PROGRAM, ROOT = sys.argv.pop(1), Path(sys.argv.pop(1))


class Toys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.toy = Path(folder.name) / "a.toy"
        self.toy.write_bytes(b"TOY0\1\0\0\1")

    def test_each_help_lists_it(self):
        for name in ("label", "trace", "render", "contour", "slice", "threshold", "histogram"):
            help_text = " ".join(run_command([PROGRAM, name, "--help"], 60).stdout.split())
            self.assertIn("Toy (.toy)", help_text, name)
            if name != "trace":  # which has steps of its own
                self.assertRegex(help_text, r"--step [^)]*NumPy and Toy\)", name)

    def test_it_is_read(self):
        done = run_command([PROGRAM, "label", self.toy, "--threshold", 1], 60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"components +2\n")

    def test_errors_name_it(self):
        unknown = run_command([PROGRAM, "label", "a.xyz", "--threshold", 1], 60)
        self.assertIn(".toy, and folders of images", unknown.stderr)
        refused = run_command([PROGRAM, "label", self.toy, "--threshold", 1, "--channel", "red"], 60)
        self.assertIn("--channel is for TIFF and PNG files", refused.stderr)
        step = run_command([PROGRAM, "label", "a.png", "--threshold", 1, "--step", 1], 60)
        self.assertIn("NumPy and Toy files", step.stderr)

    def test_a_question_is_a_row_and_a_source(self):
        graph = self.toy.with_name("graph.txt")
        graph.write_text("1 2\n2 3\n")
        for ranks in (1, 3):
            self.assertRegex(run_command([PROGRAM, "-n", ranks, "toy", graph], 60).stdout, r"counted +3\n")
        self.assertRegex(run_command([PROGRAM, "--help"], 60).stdout, r"\n  toy +Count the vertices of a graph\n")
        self.assertIn("weft toy my_graph.txt", run_command([PROGRAM, "toy", "--help"], 60).stdout)
        for shell in ("bash", "zsh", "fish"):
            self.assertRegex(run_command([PROGRAM, "completion", shell], 60).stdout, r"\btoy\b", shell)
        run_command([PROGRAM, "manual", graph.parent], 60)
        self.assertIn("Count the vertices", graph.with_name("weft-toy.1").read_text())

    def test_the_check_of_questions_names_the_places_that_it_lacks(self):
        self.assertEqual(complaints(PROGRAM, ROOT), [
            "toy: no header in include/weft/graph has count_toys", "toy: no test in tests/graph calls count_toys",
            "toy: no shape in docs/reference/report.schema.json", "toy: no function of this name in Python"])


if __name__ == "__main__":
    unittest.main()
