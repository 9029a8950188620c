#!/usr/bin/env python3
"""The commands of `weft` that read meshes, on small files.

Usage: mesh_commands_test.py WEFT
"""
import struct

from command_case import CommandCase, main
from command_run import run_command


class MeshCommands(CommandCase):
    def binary(self, name, content):
        path = self.file(name)
        path.write_bytes(content)
        return path

    def cubes(self, heat="0 0 0 0 1 1 1 1 2 2 2 2", name="cubes.vtk"):
        """Two cubes on each other."""
        points = " ".join(f"{i & 1} {i >> 1 & 1} {i >> 2}" for i in range(12))
        return self.file(name, "# vtk DataFile Version 3.0\ncubes\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                         f"POINTS 12 double\n{points}\nCELLS 2 18\n8 0 1 2 3 4 5 6 7\n8 4 5 7 6 8 9 11 10\nCELL_TYPES 2\n11 12\n"
                         f"POINT_DATA 12\nSCALARS heat double\nLOOKUP_TABLE default\n{heat}\n"
                         "VECTORS place double\n" + points + "\nCELL_DATA 2\nSCALARS part double\nLOOKUP_TABLE default\n3 4\n")

    def reads_meshes(self):
        if "built without VTK" in run_command([self.weft, "contour", self.cubes(), "--iso", 9], 60).stderr:
            self.skipTest("Weft was built without VTK")

    def test_contours_of_meshes(self):
        self.reads_meshes()
        first = None
        for ranks in (1, 3):
            surface, ply = self.file(f"cut{ranks}.vtp"), self.file(f"cut{ranks}.ply")
            report = self.result_of("-n", ranks, "contour", self.cubes(), "--field", "heat", "--iso", "0.25,1.5", "--carry",
                                    "place,part", "--out", surface, "--out", ply)
            self.assertEqual((report["input"]["points"], report["input"]["cells"], report["input"]["field"]), (12, 2, "heat"))
            self.assertEqual(report["options"]["carry"], ["place", "part"])
            result = report["result"]
            self.assertEqual((result["points"], result["triangles"], result["components"], result["area"]), (8, 4, 2, 2))
            first = first or (surface.read_bytes(), ply.read_bytes())
            self.assertTrue(first == (surface.read_bytes(), ply.read_bytes()))
        self.assertIn(b'Name="place" NumberOfComponents="3"', first[0])
        body = first[1].partition(b"end_header\n")
        self.assertIn(b"property double place_2\n", body[0])
        vertex = struct.Struct("<3d3fd3d")
        heights = {(at[2], at[9], at[6]) for at in vertex.iter_unpack(body[2][:8 * vertex.size])}
        self.assertEqual(heights, {(0.25, 0.25, 0.25), (1.5, 1.5, 1.5)})
        faces = [face[-1] for face in struct.iter_unpack("<B3id", body[2][8 * vertex.size:])]
        self.assertEqual(faces, [3, 3, 4, 4])
        shown = self.run_weft("contour", self.cubes(), "--iso", 1.5).stdout
        self.assertIn("2 between 12 points", shown)

    def test_contours_of_meshes_that_are_wrong(self):
        self.reads_meshes()
        heat = struct.pack(">12d", float("nan"), 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2)  # in text VTK knows none
        places = struct.pack(">36d", *(at for i in range(12) for at in (i & 1, i >> 1 & 1, i >> 2)))
        corners = struct.pack(">18i", 8, *range(8), 8, 4, 5, 7, 6, 8, 9, 11, 10)
        holes = self.binary("holes.vtk", b"# vtk DataFile Version 3.0\nholes\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n" +
                            places + b"\nCELLS 2 18\n" + corners + b"\nCELL_TYPES 2\n" + struct.pack(">2i", 11, 12) +
                            b"\nPOINT_DATA 12\nSCALARS heat double\nLOOKUP_TABLE default\n" + heat + b"\n")
        missing = self.result_of("-n", 2, "contour", holes, "--iso", "0.5,1.5")["result"]
        self.assertEqual([each["triangles"] for each in missing["by_value"]], [0, 2])
        whole = self.cubes().read_text()
        for name, text, why in (("far.vtk", whole.replace("11 10", "11 12"), "corner 12"),
                                ("type.vtk", whole.replace("\n11 12\n", "\n11 42\n"), "type 42"),
                                ("cut.vtk", whole[:len(whole) // 3], "cut.vtk")):
            done = self.run_weft("-n", 2, "contour", self.file(name, text), "--iso", 1, expect=1)
            self.assertRegex(done.stderr, rf"^weft: error: [^\n]*{why}[^\n]*\n$")
        for options, why in ((["--field", "x"], "heat"), (["--dims", "1,2,3"], "--dims"),
                             (["--carry", "y"], "'y'")):
            self.assertIn(why, self.run_weft("contour", self.cubes(), "--iso", 1, *options, expect=1).stderr)
        raw = self.binary("ramp.raw", bytes(range(27)))
        self.assertIn("--merge-tolerance", self.run_weft("contour", raw, "--dims", "3,3,3", "--type", "uint8", "--iso", 3,
                                                         "--merge-tolerance", 0, expect=1).stderr)

    def test_meshes_with_a_solution(self):
        points = [(i, j, k) for k in range(3) for j in range(2) for i in range(4)]
        dims = struct.pack("<3i", 4, 2, 3)
        grid = self.binary("blades.xyz", dims + b"".join(struct.pack("<24f", *(at[d] for at in points)) for d in range(3)))
        density = [at[2] for at in points]
        solution = self.binary("blades.q", dims + struct.pack("<4f", 0.5, 0, 1e5, 0) + struct.pack("<24f", *density) +
                               struct.pack("<96f", *([1] * 96)))
        for ranks in (1, 3):
            result = self.result_of("-n", ranks, "contour", grid, "--solution", solution, "--iso", 1.5)["result"]
            self.assertEqual((result["points"], result["area"], result["components"]), (8, 3, 1))
        self.assertIn("--solution", self.run_weft("contour", grid, "--iso", 1.5, expect=1).stderr)
        counted = self.result_of("-n", 2, "histogram", grid, "--solution", solution, "--bins", 3)["result"]
        self.assertEqual(counted["counts"], [8, 8, 8])
        self.assertIn("--solution", self.run_weft("render", grid, expect=1).stderr)

    def test_histograms_of_meshes(self):
        self.reads_meshes()
        bins = self.file("bins.csv")
        for ranks in (1, 2, 3):
            report = self.result_of("-n", ranks, "histogram", self.cubes(), "--bins", 2, "--range", "0.5,2", "--out", bins,
                                    "--quantiles", "0.5")
            self.assertEqual((report["input"]["field"], report["input"]["values_at"], report["input"]["points"]),
                             ("heat", "points", 12))
            result = report["result"]
            self.assertEqual((result["values"], result["below"], result["counts"], result["mean"], result["quantiles"]),
                             (12, 4, [4, 4], 1, {"0.5": 1}))
            self.assertEqual(bins.read_text(), "from,to,count\n0.5,1.25,4\n1.25,2,4\n")
            of_cells = self.result_of("-n", ranks, "histogram", self.cubes(), "--field", "part")
            self.assertEqual((of_cells["input"]["values_at"], of_cells["result"]["values"], of_cells["result"]["max"]), ("cells", 2, 4))
        marked = self.result_of("-n", 2, "histogram", self.cubes(), "--missing", 2)["result"]
        self.assertEqual((marked["values"], marked["missing"], marked["max"]), (8, 4, 1))
        tenths = self.cubes(heat=" ".join(["0.7"] * 12)).read_text().replace("SCALARS heat double", "SCALARS heat float")
        self.assertEqual(self.result_of("histogram", self.file("tenths.vtk", tenths), "--range", "0.7,1")["result"]["below"], 0)
        for options, why in ((["--dims", "1,2,3"], "--dims is for volumes"), (["--field", "place"], "3 values each"),
                             (["--field", "x"], "heat")):
            done = self.run_weft("-n", 2, "histogram", self.cubes(), *options, expect=1)
            self.assertRegex(done.stderr, rf"^weft: error: [^\n]*{why}[^\n]*\n$")
        flat = self.cubes().read_text().replace("CELLS 2 18\n8 0 1 2 3 4 5 6 7\n8 4 5 7 6 8 9 11 10\nCELL_TYPES 2\n11 12",
                                                "CELLS 2 8\n3 0 1 2\n3 4 5 7\nCELL_TYPES 2\n5 5")
        self.assertIn("2 cells, such as triangles", self.run_weft("histogram", self.file("flat.vtk", flat)).stderr)

    def test_pictures_of_meshes(self):
        self.reads_meshes()
        pictures = []
        for ranks in (1, 2, 3):
            picture = self.file(f"cubes{ranks}.png")
            report = self.result_of("-n", ranks, "render", self.cubes(), "--image", picture, "--size", "90,60", "--view", "-x")
            self.assertEqual(report["options"]["view"], "90,0")
            self.assertEqual((report["result"]["triangles"], report["result"]["points"], report["result"]["width"]), (20, 12, 90))
            pictures.append(picture.read_bytes())
        self.assertTrue(pictures[0].startswith(b"\x89PNG"))
        self.assertEqual(pictures.count(pictures[0]), 3, "the picture depends on the number of ranks")

        def drawn(*options, of=None):
            picture = self.file("drawn.png")
            self.run_weft("-n", 2, "render", of or self.cubes(), "--image", picture, "--size", "90,60", *options)
            return picture.read_bytes()
        self.assertNotEqual(drawn(), pictures[0])  # from an angle
        self.assertNotEqual(drawn(), drawn("--field", "part"))
        self.assertNotEqual(drawn(), drawn("--range", "0,9"))
        bare = self.file("bare.vtk", self.cubes().read_text().partition("POINT_DATA")[0])
        self.assertNotEqual(drawn(), drawn(of=bare))
        self.assertIn("20 triangles between 12 points", self.run_weft("render", self.cubes()).stdout)
        for options, why in ((["--out", "x.f32"], "--out is for volumes"), (["--shade"], "--shade is for volumes"),
                             (["--view", "q"], "expected AZIMUTH,ELEVATION"), (["--field", "x"], "heat")):
            done = self.run_weft("-n", 2, "render", self.cubes(), *options, expect=1)
            self.assertRegex(done.stderr, rf"^weft: error: [^\n]*{why}[^\n]*\n$")

    def test_slices_and_thresholds_of_meshes(self):
        self.reads_meshes()
        cut = self.result_of("-n", 2, "slice", self.cubes(), "--plane", "x=0.5", "--field", "part", "--carry", "place")
        self.assertEqual((cut["result"]["area"], cut["result"]["components"]), (2, 1))
        first = None
        for ranks in (1, 3):
            hot = self.file(f"hot{ranks}.vtu")
            result = self.result_of("-n", ranks, "threshold", self.cubes(), "--field", "heat", "--least", 1, "--carry", "part",
                                    "--out", hot)["result"]
            self.assertEqual((result["cells"], result["points"], result["volume"], result["components"]), (1, 8, 1, 1))
            first = first or hot.read_bytes()
            self.assertTrue(first == hot.read_bytes())
        again = self.result_of("contour", hot, "--field", "heat", "--iso", 1.5)
        self.assertEqual((again["input"]["points"], again["result"]["triangles"]), (8, 2))
        run = ["threshold", self.cubes(), "--field"]
        self.assertEqual(self.result_of(*run, "part", "--most", 3)["result"]["cells"], 1)
        self.assertEqual(self.result_of(*run, "heat", "--least", 2)["result"]["cells"], 0)


if __name__ == "__main__":
    main(MeshCommands)
