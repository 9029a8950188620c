#!/usr/bin/env python3
"""A toy format is in the help of each command that reads volumes, is read, and is named by errors.

toys_test.py PROGRAM
"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from command_run import run_command

PROGRAM = sys.argv.pop(1)


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


if __name__ == "__main__":
    unittest.main()
