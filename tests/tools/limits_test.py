#!/usr/bin/env python3
"""Thresholds that are values of the file, and memory and threads that are not there.

Usage: limits_test.py WEFT
"""
import os
import random
import resource
import struct
import subprocess
import unittest

from command_case import CommandCase, main

GB = 1 << 30
WITHOUT_SANITIZER = unittest.skipIf("ASAN_OPTIONS" in os.environ, "the address sanitizer needs terabytes of addresses")


class Limits(CommandCase):
    def raw(self, name, code, values, dims):
        path = self.file(name)
        path.write_bytes(struct.pack(f"<{len(values)}{code}", *values))
        kinds = {"f": "float32", "d": "float64", "q": "int64", "Q": "uint64", "B": "uint8"}
        return [path, "--dims", ",".join(map(str, dims)), "--type", kinds[code]]

    def points_at_least(self, volume, bound):
        """As commands count them."""
        labelled = self.result_of("label", *volume, "--threshold", bound)["result"]["foreground"]
        kept = self.result_of("threshold", *volume, "--least", bound)["result"]["points"]
        counted = self.result_of("histogram", *volume, "--range", f"{bound},1e19", "--bins", 1)["result"]["counts"][0]
        return labelled, kept, counted

    def test_one_comparison(self):
        reals = self.raw("reals.raw", "f", [0.7] * 64, (4, 4, 4))
        self.assertEqual(self.points_at_least(reals, "0.7"), (64, 64, 64))
        self.assertEqual(self.points_at_least(reals, "0.70000005"), (0, 0, 0))  # the next float32
        wholes = self.raw("wholes.raw", "B", [1] * 64, (4, 4, 4))
        self.assertEqual(self.points_at_least(wholes, "0.7"), (64, 64, 64))
        self.assertEqual(self.points_at_least(wholes, "1.1"), (0, 0, 0))
        for code, first in (("q", 2**53), ("Q", 2**63)):
            volume = self.raw("large.raw", code, [first + 1] * 64, (4, 4, 4))
            self.assertEqual(self.points_at_least(volume, first + 1), (64, 64, 64))
            self.assertEqual(self.points_at_least(volume, first + 2), (0, 0, 0))
            below = self.result_of("label", *volume, "--below", first + 1)["result"]["foreground"]
            self.assertEqual(below, 0)
            kept = self.result_of("threshold", *volume, "--most", first)["result"]["points"]
            self.assertEqual(kept, 0)

    def test_bins_of_large_integers(self):
        first = 2**53
        volume = self.raw("large.raw", "q", [first + i % 9 for i in range(27)], (3, 3, 3))
        found = self.result_of("histogram", *volume, "--bins", 9, "--range", f"{first},{first + 9}")["result"]
        self.assertEqual(found["counts"], [3] * 9)
        self.assertEqual((found["min"], found["max"]), (first, first + 8))
        found = self.result_of("histogram", *volume, "--bins", 1, "--range", f"{first + 1},{first + 3}")["result"]
        self.assertEqual((found["below"], found["counts"], found["above"]), (3, [9], 15))

    def test_levels_among_large_integers(self):
        first = 2**53
        volume = self.raw("large.raw", "q", [first + (i >= 4) for i in range(8)], (2, 2, 2))
        report = self.result_of("contour", *volume, "--iso", first + 1)
        self.assertEqual(report["result"]["triangles"], 2)
        self.assertEqual(report["options"]["iso"], [first + 1])
        self.assertEqual(self.result_of("contour", *volume, "--iso", first + 2)["result"]["triangles"], 0)

    def test_memory_is_told_beforehand(self):
        cube = self.raw("cube.raw", "B", [i % 200 for i in range(8000)], (20, 20, 20))
        for arguments in (["components", "rmat:45"], ["degrees", "er:2000000000:100000"],
                          ["generate", "rmat", "--scale", 45, "--out", self.file("g.mtx")],
                          ["generate", "plummer", "--particles", 10**14, "--out", self.file("p.csv")],
                          ["render", *cube, "--size", "32768,32768", "--image", self.file("big.png"), "--sampling", 1]):
            for ranks in (1, 3):
                if arguments[0] == "render" and ranks == 3:
                    continue
                done = self.run_weft("-n", ranks, *arguments, expect=1)
                self.assertRegex(done.stderr, r"^weft: error: .* needs at least .* of memory, and .* are left\n$")

    def test_memory_of_cells_is_told_beforehand(self):
        large = self.file("large.raw")
        with large.open("wb") as file:
            file.truncate(1 << 42)  # without a byte on the disk
        volume = [large, "--dims", "16384,16384,16384", "--type", "uint8"]
        for arguments in (["contour", *volume, "--iso", 1], ["slice", *volume, "--plane", "z=1"], ["threshold", *volume, "--least", 0]):
            done = self.run_weft("-n", 3, *arguments, expect=1)
            self.assertRegex(done.stderr, r"^weft: error: .* needs at least 4.* of memory, and .* are left\n$")

    @WITHOUT_SANITIZER
    def test_cells_are_written_in_little_memory(self):
        large = self.file("large.raw")
        with large.open("wb") as file:
            file.truncate(1 << 24)
        volume = [large, "--dims", "256,256,256", "--type", "uint8"]
        written = self.file("cells.vtu")  # of 64 bytes of corners a cell
        done = self.limited(GB, "threshold", *volume, "--least", 0, "--out", written)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(written.stat().st_size, 255**3 * 64)

    def limited(self, bytes_of_memory, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (bytes_of_memory, bytes_of_memory))
        return subprocess.run([self.weft, *map(str, arguments)], capture_output=True, text=True, preexec_fn=limit,
                              timeout=120, check=False)

    @WITHOUT_SANITIZER
    def test_little_memory_is_an_error_in_one_line(self):
        cube = self.raw("cube.raw", "B", list(range(216)), (6, 6, 6))
        image = self.file("cube.png")
        for megabytes in (500, 600, 700, 800):
            done = self.limited(megabytes << 20, "render", *cube, "--image", image, "-q")
            self.assertIn(done.returncode, (0, 1, 127), done.stderr)  # never a signal; 127: not even the libraries fit
            self.assertEqual(image.exists(), done.returncode == 0)
            if done.returncode == 1:
                self.assertRegex(done.stderr, "memory|thread")

    @WITHOUT_SANITIZER
    def test_surfaces_in_little_memory_are_an_error_in_one_line(self):
        noise = self.file("noise.raw")
        noise.write_bytes(random.Random(1).randbytes(160**3))
        volume = [noise, "--dims", "160,160,160", "--type", "uint8"]
        for command in (["contour", *volume, "--iso", 128], ["slice", *volume, "--plane", "1,1,1,240"]):
            done = self.limited(2 * GB, *command, "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
        for megabytes in (500, 800):
            done = self.limited(megabytes << 20, "contour", *volume, "--iso", 128, "-q")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, r"^weft: error: .*memory.* are left.*\n$")

    def test_folders_are_made_where_there_is_one(self):
        ball = self.raw("ball.raw", "B", [100 * (13 <= i <= 14) for i in range(27)], (3, 3, 3))
        lost = self.file("no")
        for name in ("x.vtp", "x.pvtp", "x.stl"):
            done = self.run_weft("contour", *ball, "--iso", 50, "--out", lost / "such" / name, expect=1)
            self.assertIn("No such file or directory", done.stderr)
        stars = self.file("two.csv", "x,y,z,mass,softening\n0,0,0,1,0\n3,0,4,2,0\n")
        done = self.run_weft("nbody", stars, "--animate", lost / "frames", "--steps", 1, "--dt", 0.1, expect=1)
        self.assertIn("No such file or directory", done.stderr)
        self.assertFalse(lost.exists())
        self.run_weft("contour", *ball, "--iso", 50, "--out", self.file("y.pvtp"), "-q")
        self.assertTrue((self.file("y") / "y_0.vtp").exists())

    def test_masses_that_the_file_has_stay(self):
        stars = self.file("two.csv", "x,y,z,mass,softening\n0,0,0,1,0\n3,0,4,2,0\n")
        done = self.run_weft("nbody", stars, "--mass", 5, expect=1)
        self.assertIn("two.csv: has masses of its own", done.stderr)

    def test_the_greatest_value_is_that_of_the_volume(self):
        pixels = self.file("mip.raw")
        none = float("nan")
        volume = self.raw("v.raw", "f", [none, -7.25, none, 3.5], (2, 1, 2))
        for ranks in (1, 2):
            self.run_weft("-n", ranks, "render", *volume, "--view", "z", "--projection", "mip", "--out", pixels, "-q")
            first, second = struct.unpack("<2f", pixels.read_bytes())
            self.assertNotEqual(first, first)
            self.assertEqual(second, 3.5)


if __name__ == "__main__":
    main(Limits)
