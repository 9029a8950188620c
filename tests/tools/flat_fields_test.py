#!/usr/bin/env python3
"""Flat fields and several surfaces in pictures: lines of a value, profiles, maps; hints and readers that are told.

Usage: flat_fields_test.py WEFT
"""
import math
import os
import struct
import time
import zlib

from command_case import CommandCase, main
from command_run import run_command


def npy(shape, values):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(values)}d", *values)


def pixels(png):
    """The pixels of a picture of 8 bits a colour, as (red, green, blue)."""
    wide, high, _, kind = struct.unpack(">IIBB", png[16:26])
    step, packed, at = {2: 3, 6: 4}[kind], b"", 8
    while at < len(png):
        size, = struct.unpack(">I", png[at:at + 4])
        packed += png[at + 8:at + 8 + size] if png[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + size
    raw, above, found = zlib.decompress(packed), bytearray(step * wide), []
    for y in range(high):
        row = raw[y * (step * wide + 1):(y + 1) * (step * wide + 1)]
        line = bytearray(row[1:])
        for i in range(len(line)):
            left, corner = (line[i - step], above[i - step]) if i >= step else (0, 0)
            guess = left + above[i] - corner
            nearest = min((left, above[i], corner), key=lambda each: abs(guess - each))
            line[i] = (line[i] + (0, left, above[i], (left + above[i]) // 2, nearest)[row[0]]) % 256
        found += [tuple(line[i:i + 3]) for i in range(0, len(line), step)]
        above = line
    return found


class FlatFields(CommandCase):
    def field(self, name, shape, value):
        """A file of `value(x, y, z)`, z slowest."""
        high, wide = shape[-2:]
        deep = shape[0] if len(shape) == 3 else 1
        path = self.file(name)
        path.write_bytes(npy(shape, [value(x, y, z) for z in range(deep) for y in range(high) for x in range(wide)]))
        return path

    def rows(self, *arguments):
        lines = self.run_weft(*arguments, "--out", "-").stdout.splitlines()
        return lines[0].split(","), [[float(word) for word in line.split(",")] for line in lines[1:]]

    def test_lines_of_a_value(self):
        ring = self.field("ring.npy", (61, 81), lambda x, y, _: math.hypot(x - 40, y - 30))
        for ranks in (1, 2, 3):
            table = self.file(f"lines{ranks}.csv")
            found = self.result_of("-n", ranks, "contour", ring, "--iso", "10,20,77", "--out", table)["result"]
            self.assertEqual(found["lines"], 2)
            self.assertEqual([each["components"] for each in found["by_value"]], [1, 1, 0])
            self.assertLess(abs(found["length"] / (2 * math.pi * 30) - 1), 0.01)
        self.assertEqual(self.file("lines1.csv").read_text(), self.file("lines3.csv").read_text())
        head, rows = self.rows("contour", ring, "--iso", 10)
        self.assertEqual(head, ["line", "distance", "x", "y", "z", "value", "level"])
        self.assertEqual(rows[0][2:5], rows[-1][2:5])  # closed
        for _, _, x, y, z, value, level in rows:
            self.assertEqual((z, level), (0, 10))
            self.assertAlmostEqual(value, 10)
            self.assertLess(abs(math.hypot(x - 40, y - 30) - 10), 0.1)
        slope = self.field("slope.npy", (5, 9), lambda x, y, _: x)
        self.assertEqual(self.rows("contour", slope, "--iso", 3)[1], [[1, y, 3, y, 0, 3, 3] for y in range(5)])

    def test_holes_end_lines(self):
        slope = self.field("hole.npy", (5, 9), lambda x, y, _: math.nan if y == 2 else x)
        found = self.result_of("-n", 2, "contour", slope, "--iso", 3.5)["result"]
        self.assertEqual((found["lines"], found["length"]), (2, 2))

    def test_profiles(self):
        plane = self.field("plane.npy", (5, 9), lambda x, y, _: 10 * x + y)
        for ranks in (1, 3):
            for at in (0, 4, 8):  # at the ends too
                head, rows = self.rows("-n", ranks, "slice", plane, "--plane", f"x={at}")
                self.assertEqual(head, ["line", "distance", "x", "y", "z", "value"])
                self.assertEqual(sorted(row[2:] for row in rows), [[at, y, 0, 10 * at + y] for y in range(5)])
        said = self.run_weft("slice", plane, "--plane", "x=9")
        self.assertIn("x spans 0 to 8, nothing on the plane x=9", said.stderr)

    def test_files_and_refusals(self):
        plane = self.field("plane.npy", (5, 9), lambda x, y, _: 10 * x + y)
        vtp, array = self.file("lines.vtp"), self.file("lines.npy")
        self.run_weft("contour", plane, "--iso", 33, "--out", vtp, "--out", array)
        self.assertIn(b"NumberOfLines=\"1\"", vtp.read_bytes())
        self.assertIn(b"('value', '<f8'), ('level', '<f8')", array.read_bytes())
        said = self.run_weft("contour", plane, "--iso", 33, "--out", self.file("lines.stl"), expect=1)
        self.assertIn("the field is flat, so there are lines, in files that end in .vtp, .csv, .tsv, .npy or .parquet", said.stderr)
        said = self.run_weft("contour", self.field("cube.npy", (3, 3, 3), lambda x, y, z: x), "--iso", 1.5, "--out", self.file("s.csv"), expect=1)
        self.assertIn("tables are of lines", said.stderr)
        seen = self.result_of("render", plane, "--projection", "mip", "--out", self.file("plane.f32"))
        self.assertEqual((seen["options"]["view"], seen["result"]["max"]), ("z", 84))
        said = self.run_weft("render", plane, "--view", "30,20", "--out", self.file("plane.f32"), expect=1)
        self.assertIn("weft slice", said.stderr)

    def picture(self, *arguments):
        """The picture as bytes: those of the file, of which the test compares equality alone."""
        path = self.file("picture.png")
        self.run_weft(*arguments, "--image", path)
        return path.read_bytes()

    def test_pictures(self):
        ball = self.field("ball.npy", (24, 24, 24), lambda x, y, z: 12 - math.dist((x, y, z), (12, 12, 12)))
        if "without pictures" in run_command([self.weft, "contour", ball, "--iso", 3, "--image", self.file("probe.png")], 60).stderr:
            self.skipTest("this weft has no pictures")
        both = self.picture("contour", ball, "--iso", "3,8")
        self.assertEqual(both, self.picture("-n", 3, "contour", ball, "--iso", "3,8"))
        self.assertNotEqual(both, self.picture("contour", ball, "--iso", "3,7.5"))  # the inner one is seen
        beside = self.field("beside.npy", (12, 12, 12), lambda x, y, z: x)  # neither plane is around the other
        blue = [red + 60 < blue for red, _, blue in pixels(self.picture("contour", beside, "--iso", "2,8", "--size", "120,80"))]
        self.assertGreater(sum(blue), 1000)
        ring = self.field("ring.npy", (31, 41), lambda x, y, _: math.hypot(x - 20, y - 15))
        self.assertNotEqual(self.picture("contour", ring, "--iso", 5), self.picture("contour", ring, "--iso", 5.5))
        self.assertEqual(self.picture("slice", ring, "--plane", "y=15")[:4], b"\x89PNG")

    def test_all_cores_and_the_hint(self):
        cores = self.result_of("info")["result"]["cores"]
        for words in (["-n", "auto"], ["-nauto"], ["--ranks=auto"]):
            self.assertEqual(self.result_of(*words, "components", "rmat:4")["ranks"], cores)
        self.assertIn("found many", self.run_weft("-n", "many", "components", "rmat:4", expect=2).stderr)
        fifo = self.file("slow.txt")
        os.mkfifo(fifo)

        def slow_table(seconds):
            writer = os.fork()
            if writer == 0:
                with open(fifo, "w") as pipe:
                    time.sleep(seconds)
                    pipe.write("1 2\n")
                os._exit(0)
            said = run_command(["sh", "-c", f'"{self.weft}" components - <"{fifo}"'], 60, {})
            os.waitpid(writer, 0)
            self.assertEqual(said.returncode, 0, said.stderr)
            return said.stdout
        hint = f"1 of {cores} cores was used; weft -n auto uses all"
        self.assertEqual(hint in slow_table(2.5), cores > 1)
        self.assertNotIn("weft -n auto", slow_table(0))

    def test_info_lists_readers(self):
        result = self.result_of("info")["result"]
        kinds = {each["kind"] for each in result["readers"]}
        self.assertEqual(kinds, {"graphs", "volumes", "meshes", "particles"})
        raw = next(each for each in result["readers"] if each["format"] == "raw")
        self.assertEqual((raw["endings"], raw["there"], raw["switch"]), ([".raw", ".bin"], True, ""))
        for each in result["readers"]:
            self.assertEqual(each["there"], each["switch"] == "", each)
        self.assertRegex(result["build"]["compiler"], r"^(GNU|Clang) \d")
        self.assertIn("WEFT_HDF5=", result["build"]["options"])
        said = self.run_weft("info").stdout
        self.assertRegex(said, r"volumes +raw, raw described in JSON, VTK")


if __name__ == "__main__":
    main(FlatFields)
