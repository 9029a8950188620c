#!/usr/bin/env python3
"""The commands of `weft` that read grids, on small files.

Usage: grid_commands_test.py WEFT
"""
import gzip
import json
import struct
import tempfile
from pathlib import Path

from command_case import CommandCase, main
from command_run import run_command

TYPES = {"b": (1, ">i1"), "c": (2, ">c"), "h": (3, ">i2"), "i": (4, ">i4"), "f": (5, ">f4"), "d": (6, ">f8")}


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def netcdf(dimensions, variables):
    """A classic NetCDF file. dimensions: {name: length}; variables: {name: (type, dimensions, attributes, values)};
    an attribute is a text, or (type, number, ...)."""
    def name(text):
        return struct.pack(">i", len(text)) + padded(text.encode())

    def attribute(key, value):
        if isinstance(value, str):
            return name(key) + struct.pack(">ii", 2, len(value)) + padded(value.encode())
        kind, *numbers = value
        return name(key) + struct.pack(">ii", TYPES[kind][0], len(numbers)) + padded(struct.pack(f">{len(numbers)}{kind}", *numbers))

    def listed(tag, items):
        return struct.pack(">ii", tag if items else 0, len(items)) + b"".join(items)

    names = list(dimensions)
    values = {key: padded(struct.pack(f">{len(data)}{kind}", *data)) for key, (kind, _, _, data) in variables.items()}

    def head(begins):
        described = []
        for key, (kind, along, attributes, _) in variables.items():
            described.append(name(key) + struct.pack(f">i{len(along)}i", len(along), *map(names.index, along)) +
                             listed(12, [attribute(*each) for each in attributes.items()]) +
                             struct.pack(">iii", TYPES[kind][0], len(values[key]), begins[key]))
        return (b"CDF\x01" + struct.pack(">i", 0) +
                listed(10, [name(key) + struct.pack(">i", length) for key, length in dimensions.items()]) +
                struct.pack(">ii", 0, 0) + listed(11, described))

    begins, at = {}, len(head(dict.fromkeys(variables, 0)))
    for key in variables:
        begins[key] = at
        at += len(values[key])
    return head(begins) + b"".join(values.values())


class GridCommands(CommandCase):
    def binary(self, name, content):
        path = self.file(name)
        path.write_bytes(content)
        return path

    def wind(self, **attributes):
        """4 x 3 points, 10 east of each other; the wind blows east with 1, in hundredths."""
        return self.binary("wind.nc", netcdf({"lat": 3, "lon": 4}, {
            "lon": ("f", ["lon"], {"units": "degrees_east"}, [0, 10, 20, 30]),
            "lat": ("f", ["lat"], {"units": "degrees_north"}, [-10, 0, 10]),
            "u": ("h", ["lat", "lon"], {"scale_factor": ("d", 0.01), "units": "m/s", **attributes},
                  [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, -1])}))

    def test_packed_wind_with_units_on_a_map(self):
        wind, seeds, image = self.wind(_FillValue=("h", -1)), self.file("seeds.csv", "0,-10,0\n0,9,0\n"), self.file("map.png")
        run = ["trace", wind, "--variable", "u,", "--seeds", f"file:{seeds}", "--step-size", 1, "--max-steps", 25]
        ends = self.file("ends.csv")
        report = self.result_of("-n", 2, *run, "--ends", ends, "--image", image)
        self.assertEqual(report["input"]["units"], "m/s")
        self.assertEqual(report["input"]["axes"], ["longitude (degrees east)", "latitude (degrees north)", "z"])
        rows = [line.split(",") for line in ends.read_text().splitlines()[1:]]
        self.assertAlmostEqual(float(rows[0][3]), 25, delta=1e-9)
        # The other one comes to a cell of which a corner is missing, and stays before it.
        self.assertEqual(rows[1][7], "0")
        self.assertTrue(18.9 < float(rows[1][3]) <= 20)
        self.assertIn("m/s", self.run_weft(*run).stdout)
        plain = self.file("plain.png")
        self.run_weft(*run, "--image", plain, "--coastlines", "none")
        self.assertTrue(plain.read_bytes().startswith(b"\x89PNG"))
        self.assertIn("--image", self.run_weft(*run, "--coastlines", "none", expect=2).stderr)
        self.run_weft(*run, "--image", plain, "--coastlines", self.file("no.shp"), expect=1)
        self.assertFalse(self.run_weft("trace", "--synthetic", "n=8", "--image", plain, "--coastlines", "c.shp",
                                       expect=1).stderr.count("\n") > 1)

    def test_longitudes_that_close(self):
        wind, seeds, ends, lines = self.wind(), self.file("seeds.csv", "25,-5,0\n"), self.file("ends.csv"), self.file("a.vtp")
        run = ["-n", 2, "trace", wind, "--variable", "u,", "--seeds", f"file:{seeds}", "--step-size", 1, "--max-steps", 70]
        report = self.result_of(*run, "--periodic", "x=40", "--ends", ends, "--out", lines)
        self.assertEqual((report["result"]["inside"], report["input"]["periods"]), (1, [40, 0, 0]))
        row = ends.read_text().splitlines()[1].split(",")
        self.assertAlmostEqual(float(row[3]), 25 + 70 - 80, delta=1e-9)
        self.assertAlmostEqual(float(row[8]), 70, delta=1e-9)
        self.assertIn(b'NumberOfLines="3"', lines.read_bytes())  # cut where it crosses 40 and 80
        said = self.run_weft(*run, "--periodic", "x", expect=1).stderr  # a longitude's period is 360
        self.assertIn("period 360: the field has a hole", said)
        self.assertIn("expected x, y or z", self.run_weft(*run, "--periodic", "west", expect=1).stderr)

    def test_latitudes_from_the_north(self):
        def ends(latitudes, speeds):
            wind = self.binary("turned.nc", netcdf({"lat": 3, "lon": 4}, {
                "lat": ("f", ["lat"], {}, latitudes), "u": ("f", ["lat", "lon"], {}, [s for s in speeds for _ in range(4)])}))
            table = self.file("ends.csv")
            self.run_weft("-n", 2, "trace", wind, "--variable", "u,", "--seeds", "box:1,4,1", "--step-size", 0.125,
                          "--max-steps", 3, "--ends", table)
            return table.read_text()
        self.assertEqual(ends([10, 0, -10], [3, 2, 1]), ends([-10, 0, 10], [1, 2, 3]))

    def test_values_of_netcdf_are_those_that_the_attributes_say(self):
        for attributes, threshold, foreground in (({}, 1, 11), ({}, -0.01, 12), ({"_FillValue": ("h", -1)}, -0.5, 11),
                                                  ({"missing_value": ("h", -1, 100)}, -0.5, 0),
                                                  ({"valid_min": ("h", 0)}, -0.5, 11),
                                                  ({"add_offset": ("d", 5)}, 5.5, 11)):
            report = self.result_of("label", self.wind(**attributes), "--variable", "u", "--threshold", threshold)
            self.assertEqual(report["result"]["foreground"], foreground, attributes)
            self.assertEqual(report["input"]["units"], "m/s")
        drawn = self.file("drawn.png")
        report = self.result_of("render", self.wind(), "--variable", "u", "--image", drawn)
        self.assertEqual(report["input"]["units"], "m/s")

    def test_histograms(self):
        values = [0, 1, 1, 2, 3, 5, 8, 250]
        raw = self.binary("few.raw", bytes(values))
        run = ["histogram", raw, "--dims", "2,1,4", "--type", "uint8", "--bins", 5, "--quantiles", "0,0.5,1"]
        table, image = self.file("bins.csv"), self.file("bars.png")
        results = [self.result_of("-n", ranks, *run, "--csv", table, "--image", image)["result"] for ranks in (1, 3)]
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0]["counts"], [7, 0, 0, 0, 1])
        self.assertEqual(results[0]["mean"], sum(values) / 8)
        self.assertEqual(results[0]["quantiles"], {"0": 0, "0.5": 2.5, "1": 250})
        self.assertEqual(table.read_text().splitlines()[:2], ["from,to,count", "0,50,7"])
        self.assertTrue(image.read_bytes().startswith(b"\x89PNG"))
        part = self.result_of(*run, "--range", "1,8")["result"]
        self.assertEqual((part["below"], part["above"], part["values"], sum(part["counts"])), (1, 1, 8, 6))
        self.assertIn("quantile 0.5", self.run_weft(*run).stdout)
        self.assertIn("--range", self.run_weft(*run, "--range", "8,1", expect=2).stderr)
        packed = self.result_of("histogram", self.wind(_FillValue=("h", -1)), "--variable", "u")
        self.assertEqual((packed["result"]["missing"], packed["result"]["mean"]), (1, 1))
        self.assertEqual(packed["input"]["units"], "m/s")

    def test_contours(self):
        size = 9
        ball = bytes(max(0, 100 - 9 * ((x - 4) ** 2 + (y - 4) ** 2 + (z - 4) ** 2))
                     for z in range(size) for y in range(size) for x in range(size))
        raw = self.binary("ball.raw", ball)
        run = ["contour", raw, "--dims", "9,9,9", "--type", "uint8"]
        kept = {}
        for ranks in (1, 2, 3):
            for balance in ("never", "always"):
                files = [self.file(f"ball{ranks}{balance}.{ending}") for ending in ("vtp", "stl", "ply")]
                outputs = [word for file in files for word in ("--out", file)]
                result = self.result_of("-n", ranks, *run, "--iso", "40.5,70.5", "--balance", balance, *outputs)["result"]
                found = [result["by_value"], *(file.read_bytes() for file in files)]
                self.assertTrue(kept.setdefault("first", found) == found, (ranks, balance))
        outer, inner = kept["first"][0]
        self.assertEqual((outer["components"], inner["components"], outer["value"]), (1, 1, 40.5))
        self.assertTrue(outer["area"] > inner["area"] > 0)
        self.assertEqual(outer["points"] - outer["triangles"] // 2, 2)
        self.assertIn(b'Name="value"', kept["first"][1])
        self.assertEqual(len(kept["first"][2]), 84 + 50 * (outer["triangles"] + inner["triangles"]))
        pieces = self.file("ball.pvtp")
        self.run_weft("-n", 2, *run, "--iso", 40.5, "--out", pieces)
        self.assertIn("ball/ball_1.vtp", pieces.read_text())
        self.assertTrue((pieces.parent / "ball" / "ball_1.vtp").read_bytes().endswith(b"</VTKFile>\n"))
        shown = self.run_weft("-n", 2, *run, "--iso", 40.5).stdout
        self.assertRegex(shown, r"triangles +[\d,]+\n")
        self.assertIn("imbalance", shown)

    def test_contours_that_are_empty_or_wrong(self):
        raw = self.binary("ramp.raw", bytes(range(27)))
        run = ["contour", raw, "--dims", "3,3,3", "--type", "uint8"]
        nothing = self.file("nothing.vtp")
        result = self.result_of("-n", 3, *run, "--iso", 300, "--out", nothing)["result"]
        self.assertEqual((result["points"], result["triangles"], result["components"], result["area"]), (0, 0, 0, 0))
        self.assertIn(b'NumberOfPolys="0"', nothing.read_bytes())
        flat = self.result_of("contour", self.wind(), "--variable", "u", "--iso", 0.5)["result"]
        self.assertEqual(flat["triangles"], 0)
        self.assertIn("--iso", self.run_weft(*run, expect=2).stderr)
        self.assertIn("--iso", self.run_weft(*run, "--iso", "nan", expect=2).stderr)
        self.assertIn(".stl", self.run_weft(*run, "--iso", 3, "--out", self.file("x.obj"), expect=2).stderr)
        missing = [self.result_of(*run, "--iso", 12.5, *more)["result"]["active_cells"] for more in ([], ["--missing", 0])]
        self.assertEqual(missing[0] - missing[1], 1)
        done = self.run_weft("-n", 2, "contour", raw, "--dims", "3,3,4", "--type", "uint8", "--iso", 3, expect=1)
        self.assertRegex(done.stderr, r"^weft: error: [^\n]*ramp.raw[^\n]*\n$")

    def test_pictures_of_surfaces(self):
        raw = self.binary("steps.raw", bytes(range(64)))
        run = ["contour", raw, "--dims", "4,4,4", "--type", "uint8", "--iso", "12.5,40.5"]
        pictures = []
        for ranks in (1, 3):
            picture = self.file(f"steps{ranks}.png")
            report = self.result_of("-n", ranks, *run, "--image", picture, "--size", "90,60", "--view", "10,40", "--theme", "dark")
            self.assertEqual((report["options"]["image"], report["options"]["view"]), (str(picture), "10,40"))
            self.assertIn("draw", report["seconds"])
            pictures.append(picture.read_bytes())
        self.assertTrue(pictures[0].startswith(b"\x89PNG"))
        self.assertTrue(pictures[0] == pictures[1], "the picture depends on the number of ranks")
        wide, high = (int.from_bytes(pictures[0][at:at + 4], "big") for at in (16, 20))
        self.assertTrue(wide >= 90 + 88 and high >= 60 + 64 + 64, "no room for axes and a title")
        self.assertIn("--view", self.run_weft(*run, "--image", picture, "--view", "x,1", expect=1).stderr)
        self.assertIn("--carry", self.run_weft(*run, "--image", picture, "--color-by", "heat", expect=1).stderr)
        self.assertIn(".png", self.run_weft(*run, "--image", self.file("x.jpg"), expect=2).stderr)
        self.run_weft(*run[:-1], 500, "--image", picture)
        wind = self.binary("winds.nc", netcdf({"z": 3, "y": 3, "x": 3}, {
            "u": ("f", ["z", "y", "x"], {}, [i // 9 for i in range(27)]), "v": ("f", ["z", "y", "x"], {}, [i % 3 for i in range(27)])}))
        run = ["contour", wind, "--field", "u", "--iso", 0.5, "--size", "90,60", "--view", "0,90", "--image"]
        plain, coloured = self.file("plain.png"), self.file("coloured.png")
        self.run_weft(*run, plain)
        self.run_weft("-n", 2, *run, coloured, "--carry", "v", "--color-by", "v")
        self.assertNotEqual(plain.read_bytes()[16:24], coloured.read_bytes()[16:24])  # there is a bar of colours

    def test_slices(self):
        raw = self.binary("ramp.raw", bytes(i % 5 for i in range(125)))
        run = ["slice", raw, "--dims", "5,5,5", "--type", "uint8", "--plane"]
        kept = {}
        for ranks in (1, 3):
            surface, picture = self.file(f"cut{ranks}.ply"), self.file(f"cut{ranks}.png")
            report = self.result_of("-n", ranks, *run, "1,0,0,2.25", "--out", surface, "--image", picture, "--size", "60,40")
            self.assertEqual(report["options"]["plane"], "1,0,0,2.25")
            result = report["result"]
            self.assertEqual((result["points"], result["triangles"], result["area"], result["components"]), (25, 32, 16, 1))
            found = (surface.read_bytes(), picture.read_bytes())
            self.assertTrue(kept.setdefault("first", found) == found)
        vertex = struct.Struct("<3d3fd")
        points = list(vertex.iter_unpack(kept["first"][0].partition(b"end_header\n")[2][:25 * vertex.size]))
        self.assertEqual({(at[0], at[6]) for at in points}, {(2.25, 2.25)})
        self.assertEqual(self.result_of(*run, "z=9")["result"]["triangles"], 0)
        self.assertIn("plane", self.run_weft(*run, "y=1").stdout)
        for plane, view in (("y=1", "0,0"), ("z=2.5", "0,90"), ("1,0,0,2.25", "90,0")):
            shown = self.result_of(*run, plane, "--image", self.file("straight.png"))
            self.assertEqual(shown["options"]["view"], view)
        for wrong in ("w=1", "0,0,0,1", "1,2,3", "x=", "x=1,2", "nan,0,0,1"):
            self.assertIn("--plane", self.run_weft(*run, wrong, expect=2).stderr)

    def test_thresholds_of_volumes(self):
        raw = self.binary("ramp.raw", bytes(i // 9 for i in range(27)))
        run = ["threshold", raw, "--dims", "3,3,3", "--type", "uint8"]
        for options, cells in ((["--least", 1], 4), (["--least", 2, "--any"], 4), (["--most", 2], 8), (["--least", 1, "--most", 1], 0)):
            result = self.result_of("-n", 2, *run, *options)["result"]
            self.assertEqual((result["cells"], result["volume"]), (cells, cells))
        self.assertIn("kept", self.run_weft(*run, "--least", 1).stdout)
        self.run_weft(*run, expect=2)
        self.run_weft(*run, "--least", 2, "--most", 1, expect=2)
        self.assertIn(".vtu", self.run_weft(*run, "--least", 2, "--out", self.file("x.vtk"), expect=2).stderr)

    def test_contours_of_volumes_carry_fields(self):
        wind = self.binary("winds.nc", netcdf({"z": 3, "y": 3, "x": 3}, {
            "u": ("f", ["z", "y", "x"], {}, [i // 9 for i in range(27)]),
            "v": ("f", ["z", "y", "x"], {}, [i % 3 for i in range(27)])}))
        first = None
        for ranks in (1, 3):
            ply = self.file(f"carried{ranks}.ply")
            self.run_weft("-n", ranks, "contour", wind, "--field", "u", "--iso", 0.5, "--carry", "v", "--balance", "always", "--out", ply)
            first = first or ply.read_bytes()
            self.assertTrue(first == ply.read_bytes())
        vertex = struct.Struct("<3d3fd")
        points = list(vertex.iter_unpack(first.partition(b"end_header\n")[2][:9 * vertex.size]))
        self.assertEqual([at[0] for at in points], [at[6] for at in points])
        self.assertIn("'w'", self.run_weft("contour", wind, "--field", "u", "--iso", 0.5, "--carry", "w", expect=1).stderr)

    def test_ranges_of_values(self):
        raw = self.binary("ramp.raw", bytes(range(10)))
        run = ["label", raw, "--dims", "10,1,1", "--type", "uint8"]
        for options, foreground in ((["--threshold", 4], 6), (["--below", 4], 4), (["--threshold", 4, "--below", 9], 5)):
            self.assertEqual(self.result_of(*run, *options)["result"]["foreground"], foreground, options)
        self.assertIn("--threshold or --below", self.run_weft(*run, expect=2).stderr)
        self.assertIn("--below", self.run_weft(*run, "--threshold", 4, "--below", 4, expect=2).stderr)
        done = self.run_weft("label", self.wind(), "--dims", "4,3,1", "--threshold", 1, expect=1)
        self.assertIn("--dims is for raw files", done.stderr)

    def test_fields_of_the_library_are_options_in_errors(self):
        raw = self.binary("cube.raw", bytes(range(64)))
        cube = [raw, "--dims", "4,4,4", "--type", "uint8"]
        gadget = self.file("two.csv", "x,y,z,mass\n0,0,0,1\n3,0,4,2\n")
        trace = ["trace", "--synthetic"]
        for arguments, said in (
                (["label", self.wind(), "--threshold", 1, "--header-bytes", 3], ": --header-bytes is for raw files"),
                (["label", raw, "--threshold", 1, "--dims", "4,4,4"], "; add --type uint8"),
                (["render", *cube, "--view", "q", "--image", self.file("q.png")], " --view q: expected "),
                (["nbody", gadget, "--mass", 1], "; leave out --mass, the mass"),
                ([*trace, "m=8"], " --synthetic: there is no 'm=8'"), ([*trace, "n=8", "--seeds", "two"], " --seeds two: expected every:")):
            done = self.run_weft(*arguments, expect=1)
            self.assertIn(said, done.stderr)
            self.assertNotIn("`", done.stderr)

    def test_raw_values_behind_a_header_in_another_byte_order(self):
        raw = self.binary("big.raw", b"header" + struct.pack(">4h", 1, 2, 3, 256))
        run = ["label", raw, "--dims", "4,1,1", "--type", "int16", "--threshold", 3]
        self.assertIn("14 bytes", self.run_weft(*run, expect=1).stderr)
        report = self.result_of(*run, "--header-bytes", 6, "--byte-order", "big")
        self.assertEqual(report["result"]["foreground"], 2)
        self.run_weft(*run, "--header-bytes", 6, "--byte-order", "middle", expect=2)

    def piped(self, content, *arguments, expect=0):
        """Standard output, or the error, of a run that reads `content`."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as spool: # tests run side by side
            done = run_command([self.weft, *arguments], 120, {"TMPDIR": spool}, content)
            self.assertEqual(list(Path(spool).glob("weft-input-*")), [])
        self.assertEqual(done.returncode, expect, done.stderr.decode())
        return done.stdout if expect == 0 else done.stderr.decode()

    def test_standard_input(self):
        count = self.graph.read_bytes()
        for ranks in (1, 3):
            found = json.loads(self.piped(count, "-n", ranks, "components", "-", "--json", "-"))
            self.assertEqual((found["input"]["graph"], found["result"]["components"]), ("-", 3))
        label = ["label", "-", "--threshold", 1, "--json", "-"]
        wind = self.piped(self.wind().read_bytes(), "-n", 2, *label, "--variable", "u")
        self.assertEqual(json.loads(wind)["result"]["foreground"], 11)
        raw = self.piped(bytes(range(8)), *label, "--dims", "2,2,2", "--type", "uint8")
        self.assertEqual(json.loads(raw)["result"]["foreground"], 7)
        packed = gzip.compress(b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
        self.assertEqual(json.loads(self.piped(packed, "-n", 2, "components", "-", "--json", "-"))["result"]["components"], 1)
        drawn = self.piped(self.wind().read_bytes(), "trace", "-", "--variable", "u,", "--seeds", "box:2,2,1", "--json", "-")
        self.assertEqual(json.loads(drawn)["result"]["seeds"], 4)

    def test_standard_input_that_is_wrong_is_named(self):
        said = self.piped(b"NRRD0004\nnonsense\n", "-n", 2, "label", "-", "--threshold", 1, expect=1)
        self.assertRegex(said, r"^weft: error: standard input: [^\n]*\n$")
        said = self.piped(b"", "label", "-", "--threshold", 1, expect=1)
        self.assertRegex(said, r"^weft: error: standard input: a raw file [^\n]*--dims[^\n]*\n$")
        said = self.piped(b"1 2\n3\n", "-n", 2, "components", "-", expect=1)
        self.assertRegex(said, r"^weft: error: standard input:2: [^\n]*\n$")

    def test_arrays_of_numpy(self):
        head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 3), }".ljust(117) + b"\n"
        field = self.binary("field.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head +
                            struct.pack("<12f", *range(12)))
        report = self.result_of("label", field, "--threshold", 5)
        self.assertEqual((report["input"]["dims"], report["result"]["foreground"]), ([3, 2, 2], 7))
        report = self.result_of("-n", 2, "trace", field, "--seeds", "box:1,1,1", "--step-size", 0.01, "--max-steps", 1)
        self.assertEqual(report["input"]["points"], [2, 2, 1])


if __name__ == "__main__":
    main(GridCommands)
