#!/usr/bin/env python3
"""`weft nbody` and `weft generate plummer`, on small clouds.

Usage: nbody_commands_test.py WEFT
"""
import csv
import json
import math
import struct

from command_case import CommandCase, main
from command_run import run_command


class NbodyCommands(CommandCase):
    def cluster(self, particles=300, name="cluster.dat"):
        file = self.file(name)
        self.run_weft("generate", "plummer", "--particles", particles, "--out", file, "-q")
        return file

    def table(self, file):
        with open(file, newline="", encoding="utf-8") as opened:
            return list(csv.DictReader(opened))

    def assert_close(self, one, other, share):
        """Vectors of two tables, by their lengths."""
        self.assertEqual(len(one), len(other))
        for a, b in zip(one, other):
            self.assertEqual(a["index"], b["index"])
            length = math.hypot(*(float(b[key]) for key in ("ax", "ay", "az")))
            for key in ("ax", "ay", "az"):
                self.assertAlmostEqual(float(a[key]), float(b[key]), delta=share * length)

    def test_forces_are_the_same_at_any_number_of_ranks_and_by_both_engines(self):
        cluster, first = self.cluster(), None
        for ranks, engine in ((1, "exchange"), (2, "mailbox"), (3, "exchange"), (4, "mailbox")):
            forces = self.file("forces.csv")
            report = self.result_of("-n", ranks, "nbody", cluster, "--eps", 0.05, "--engine", engine,
                                    "--accelerations", forces)
            result, rows = report["result"], self.table(forces)
            first = first or (result, rows)
            for key in ("particles", "mass", "kinetic", "interactions_a_particle"):
                self.assertEqual(result[key], first[0][key], key)
            self.assertAlmostEqual(result["potential"], first[0]["potential"], delta=1e-12)
            self.assert_close(rows, first[1], 1e-12)
        self.assertEqual(first[0]["particles"], 300)

    def test_all_pairs(self):
        forces = self.file("forces.csv")
        cloud = self.file("two.csv", "x,y,z,mass,softening\n0,0,0,1,0\n3,0,4,2,0\n")
        self.run_weft("-n", 2, "nbody", cloud, "--theta", 0, "--G", 50, "--accelerations", forces)
        rows = self.table(forces)
        for row, expected in zip(rows, ([2.4, 0, 3.2, -20], [-1.2, 0, -1.6, -10])):
            for key, value in zip(("ax", "ay", "az", "potential"), expected):
                self.assertAlmostEqual(float(row[key]), value, delta=1e-13)

    def test_a_checkpoint_goes_on_as_if_nothing_had_been(self):
        cluster, half, end, straight = self.cluster(), *(self.file(name) for name in ("half", "end.csv", "straight.csv"))
        run = ["nbody", cluster, "--eps", 0.05, "--dt", 0.02, "--G", 1.5]
        whole = self.result_of("-n", 2, *run, "--steps", 6, "--out", straight)
        self.run_weft("-n", 2, *run, "--steps", 3, "--checkpoint", half)
        rest = self.result_of("-n", 3, "nbody", "--restart", half, "--steps", 3, "--dt", 0.02, "--out", end)
        self.assertEqual((rest["input"]["step"], rest["options"]["G"]), (3, 1.5))
        self.assertAlmostEqual(rest["result"]["time"], whole["result"]["time"], delta=1e-15)
        self.assertAlmostEqual(rest["result"]["energy_drift"], whole["result"]["energy_drift"], delta=1e-12)
        for a, b in zip(self.table(straight), self.table(end)):
            for key in ("id", "x", "y", "z", "vx", "vy", "vz", "mass", "softening"):
                self.assertAlmostEqual(float(a[key]), float(b[key]), delta=1e-11)
        done = self.run_weft("-n", 2, "nbody", "--restart", cluster, expect=1)
        self.assertRegex(done.stderr, r"^weft: error: [^\n]*--restart expects a file of --checkpoint, found GADGET[^\n]*\n$")

    def test_migrants(self):
        rows = self.file("migrants.csv")
        run = ["nbody", self.cluster(), "--eps", 0.05, "--steps", 5, "--dt", 0.05, "--migrants", rows]
        result = self.result_of("-n", 3, *run)["result"]
        table = self.table(rows)
        self.assertEqual([int(row["step"]) for row in table], [1, 2, 3, 4, 5])
        self.assertEqual(sum(int(row["migrants"]) for row in table), result["migrations"])
        self.assertEqual(max(int(row["max_destinations"]) for row in table), result["max_destinations"])
        self.assertGreater(result["migrations"], 0)
        for row, step in zip(table, result["steps"]):
            self.assertEqual({key: float(value) for key, value in row.items()}, step)
            self.assertLessEqual(float(row["mean_destinations"]), float(row["max_destinations"]))
        alone = self.result_of("-n", 1, *run)["result"]
        self.assertEqual([step["migrants"] for step in alone["steps"]], 5 * [0])

    def test_pictures(self):
        cluster, image, folder = self.cluster(), self.file("seen.png"), self.file("frames")
        self.run_weft("-n", 2, "nbody", cluster, "--eps", 0.05, "--steps", 4, "--dt", 0.01, "--image", image,
                      "--animate", folder, "--every", 2, "--view", "x", "--reach", 2)
        for file in (image, *(folder / f"frame_{number:06}.png" for number in range(3))):
            content = file.read_bytes()
            self.assertTrue(content.startswith(b"\x89PNG"), file)
            self.assertEqual(struct.unpack(">II", content[16:24]), (966, 856))
        self.assertEqual(len(list(folder.iterdir())), 3)
        boxes = self.file("boxes.png")
        self.run_weft("-n", 2, "nbody", cluster, "--eps", 0.05, "--steps", 4, "--dt", 0.01, "--image", boxes, "--domains",
                      "--view", "x", "--reach", 2)
        self.assertNotEqual(boxes.read_bytes(), image.read_bytes())
        self.run_weft("nbody", self.file("none.csv", "x,y,z\n"), "--image", image)
        done = self.run_weft("nbody", cluster, "--animate", cluster / "frames", expect=1)
        self.assertRegex(done.stderr, r"^weft: error: [^\n]*cannot make the folder[^\n]*\n$")

    def test_odd_clouds(self):
        one_place = "x,y,z\n" + "1,2,3\n" * 50
        for text, particles in (("x,y,z\n", 0), ("x,y,z\n1,2,3\n", 1), (one_place, 50), ("", 0)):
            for engine in ("exchange", "mailbox"):
                report = self.result_of("-n", 4, "nbody", self.file("odd.csv", text), "--steps", 2, "--dt", 1,
                                        "--engine", engine)
                self.assertEqual(report["result"]["particles"], particles)
                self.assertEqual(report["result"]["kinetic"], 0)

    def test_formats_lead_to_the_same_particles(self):
        dat = self.cluster(50)
        table, again = self.file("all.csv"), self.file("again.csv")
        self.run_weft("-n", 2, "nbody", dat, "--out", table)
        self.run_weft("-n", 3, "nbody", table, "--out", again)
        self.assertEqual(table.read_text(), again.read_text())
        self.assertEqual(self.run_weft("-n", 2, "nbody", dat, "--out", "-").stdout, table.read_text())
        for file in (dat, table):
            done = run_command([self.weft, "-n", 2, "nbody", "-", "--json", "-"], 120, content=file.read_bytes())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["result"]["particles"], 50)

    def test_damaged_files_are_one_line(self):
        whole = self.cluster(20).read_bytes()
        for name, content, said in (
                ("cut.dat", whole[:-100], "cut short"), ("head.dat", whole[:300], "cut short"),
                ("nothing.dat", b"", "expected particles"), ("noise.dat", b"noise" * 200, "expected particles"),
                ("box.dat", whole[:16 + 4 + 128] + struct.pack("<d", 10) + whole[16 + 4 + 136:], "BoxSize"),
                ("nan.csv", b"x,y,z\n0,0,nan\n", "particle 0"), ("short.csv", b"x,y,z\n0,0\n", ":2: expected 3 fields, found 2"),
                ("word.csv", b"# far\nx,y,z\n" + b"0,0,1\n" * 9 + b"0,0,far\n", ":12: .*'far'")):
            broken = self.file(name)
            broken.write_bytes(content)
            for ranks in (1, 3):
                done = self.run_weft("-n", ranks, "nbody", broken, expect=1)
                self.assertRegex(done.stderr, rf"^weft: error: [^\n]*{said}[^\n]*\n$", name)
                self.assertIn(str(broken), done.stderr)

    def test_wrong_options_are_one_line(self):
        cluster = self.cluster(5)
        for options, said in ((["--theta", 2], "--theta"), (["--steps", 1], "--dt"), (["--dt", 0], "--dt"),
                              (["--eps", -1], "--eps"), (["--G", "nan"], "--G"), (["--skew", -1], "--skew"),
                              (["--steps", -1], "--steps"), (["--every", 2], "--animate"), (["--view", "x"], "--image"), (["--domains"], "--image"),
                              (["--restart", cluster], "--restart"), (["--out", ""], "--out"),
                              (["--out", "-", "--accelerations", "-"], "standard output")):
            done = self.run_weft("nbody", cluster, *options, expect=2)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(said, done.stderr)
        self.assertIn("--restart", self.run_weft("nbody", expect=2).stderr)
        self.run_weft("generate", "plummer", "--particles", -1, "--out", self.file("x"), expect=2)


if __name__ == "__main__":
    main(NbodyCommands)
