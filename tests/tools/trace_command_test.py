#!/usr/bin/env python3
"""`weft trace` on small fields whose traces are known.

Usage: trace_command_test.py WEFT
"""
import struct

from command_case import CommandCase, main


class Trace(CommandCase):
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


if __name__ == "__main__":
    main(Trace)
