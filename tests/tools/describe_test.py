#!/usr/bin/env python3
"""`weft describe` on small files of every kind: what it says is what the files have, at 1 and 3 ranks.

Usage: describe_test.py WEFT
"""
import struct
from pathlib import Path

import small_inputs
from command_case import CommandCase, main
from command_run import run_command
from grid_commands_test import netcdf


def npy(shape, kind, values):
    head = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    code = {"f8": "d", "f4": "f", "i8": "q", "i4": "i"}[kind]
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(values)}{code}", *values)


class Describe(CommandCase):
    def of(self, *arguments):
        """The result, which is the same at both numbers of ranks."""
        one = self.result_of("describe", *arguments)["result"]
        self.assertEqual(self.result_of("-n", 3, "describe", *arguments)["result"], one)
        return one

    def binary(self, name, content):
        path = self.file(name)
        path.write_bytes(content)
        return path

    def test_graphs(self):
        self.assertEqual(self.of(self.graph), {
            "kind": "graph", "format": "edge list", "directed": True, "weighted": False, "edges": 5, "loops": 1,
            "vertices": 6, "labels": "integers"})
        found = self.of(self.matrix)
        self.assertEqual((found["matrix"], found["directed"], found["weighted"]), ([3, 4], True, True))
        self.assertEqual(found["weights"], [{"min": -1.0, "max": 2.0, "values": 4}])
        table = self.file("flights.csv", "from,to,price\nZRH,CDG,9.5\nCDG,CDG,2\n")
        found = self.of(table)
        self.assertEqual((found["kind"], found["labels"], found["vertices"], found["loops"]), ("graph", "text", 2, 1))
        self.assertEqual(found["weights"], [{"min": 2.0, "max": 9.5, "values": 2}])
        self.assertEqual(self.of("rmat:6")["vertices"], 64)
        self.assertEqual(self.of("grid:4x3")["vertices"], 12)

    def test_arrays_of_numpy_by_their_columns(self):
        edges = self.binary("edges.npy", npy((3, 2), "i8", [1, 2, 2, 3, 5, 6]))
        self.assertEqual((self.of(edges)["kind"], self.of(edges)["edges"]), ("graph", 3))
        places = self.binary("places.npy", npy((2, 3), "f8", [0, 1, 2, -3, 4, 5]))
        found = self.of(places)
        self.assertEqual((found["kind"], found["particles"]), ("particles", 2))
        self.assertEqual(found["extent"], [[-3.0, 0.0], [1.0, 4.0], [2.0, 5.0]])
        self.assertEqual(self.of(places, "--as", "volume")["fields"][0]["dims"], [3, 2, 1])
        large = 2**53
        whole = self.binary("whole.npy", npy((2, 2, 2), "i8", [large + 1, 0, 1, 2, 3, 4, 5, -large - 1]))
        self.assertEqual(self.of(whole)["fields"][0]["ranges"], [{"min": -large - 1, "max": large + 1, "values": 8}])

    def test_volumes(self):
        raw = self.binary("plain.raw", bytes(range(24)))
        found = self.of(raw, "--dims", "2,3,4", "--type", "uint8")["fields"]
        self.assertEqual(found, [{"dims": [2, 3, 4], "type": "uint8", "values_at": "points", "axes": {
            "x": {"from": 0.0, "to": 1.0, "step": 1.0}, "y": {"from": 0.0, "to": 2.0, "step": 1.0},
            "z": {"from": 0.0, "to": 3.0, "step": 1.0}}, "ranges": [{"min": 0, "max": 23, "values": 24}]}])
        heads = self.of(raw, "--dims", "2,3,4", "--type", "uint8", "--heads")["fields"]
        self.assertNotIn("ranges", heads[0])
        self.run_weft("describe", raw, expect=1)  # neither dims nor type

    def test_the_world_of_a_turned_volume(self):
        head = ("NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 3 4\nencoding: raw\nspace dimension: 3\n"
                "space directions: (0,2,0) (-1,0,0) (0,0,1)\nspace origin: (5,6,7)\n\n")
        turned = self.binary("turned.nrrd", head.encode() + bytes(range(24)))
        self.assertEqual(self.of(turned)["fields"][0]["world"], {"x": [3.0, 5.0], "y": [6.0, 8.0], "z": [7.0, 10.0]})
        self.assertRegex(self.run_weft("describe", turned).stdout, r"(?m)^  in world x +3 to 5$")

    def test_variables_steps_units_and_missing_values(self):
        file = self.binary("air.nc", netcdf({"time": 3, "z": 1, "lat": 2, "lon": 2}, {
            "time": ("d", ["time"], {"units": "hours since 2000-01-01", "axis": "T"}, [0, 6, 12]),
            "lat": ("f", ["lat"], {"units": "degrees_north"}, [10, 30]),
            "lon": ("f", ["lon"], {"units": "degrees_east"}, [0, 5]),
            "T": ("f", ["time", "z", "lat", "lon"], {"units": "K", "_FillValue": ("f", -9)}, [280, 281, -9, 283] * 3),
            "H": ("h", ["lat", "lon"], {}, [1, 2, 3, 4])}))
        warm, high = self.of(file)["fields"]
        self.assertEqual((warm["name"], warm["units"], warm["steps"], warm["step"], warm["time"]), ("T", "K", 3, 0, [0.0, 12.0]))
        self.assertEqual(warm["ranges"], [{"min": 280.0, "max": 283.0, "values": 3, "missing": 1}])
        self.assertEqual(warm["axes"]["y"]["units"], "degrees_north")
        self.assertEqual((warm["axes"]["y"]["from"], warm["axes"]["y"]["step"]), (10.0, 20.0))
        self.assertEqual((high["name"], high["type"], high["ranges"]), ("H", "int16", [{"min": 1, "max": 4, "values": 4}]))
        self.assertEqual([field["name"] for field in self.of(file, "--variable", "H")["fields"]], ["H"])
        self.assertIn("has no variable 'X'", self.run_weft("describe", file, "--variable", "X", expect=1).stderr)
        said = self.run_weft("describe", file, "--variable", "T").stdout
        self.assertRegex(said, r"(?m)^  steps +3; the other rows are of step 0\n  time +0 to 12$")

    def test_fields_of_a_mesh(self):
        field = '$NodeData\n1\n"{}"\n1\n0\n3\n0\n1\n4\n1 {}\n2 {}\n3 {}\n4 {}\n$EndNodeData\n'
        mesh = self.file("corner.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
                         "$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n" + field.format("warm", 1, 2, -9999, 4)
                         + field.format("wet", 5, 6, 7, 8))
        warm, wet = self.of(mesh)["fields"]
        self.assertEqual(warm["ranges"], [{"min": -9999.0, "max": 4.0, "values": 4}])
        marked = self.of(mesh, "--missing", "-9999", "--field", "warm")["fields"]
        self.assertEqual(marked, [{**warm, "missing_value": -9999.0, "ranges": [{"min": 1.0, "max": 4.0, "values": 3, "missing": 1}]}])
        self.assertEqual(self.of(mesh, "--field", "wet")["fields"], [wet])
        self.assertIn("corner.msh: has no field 'x'", self.run_weft("describe", mesh, "--field", "x", expect=1).stderr)

    def test_each_small_file(self):
        """Every reader that needs no more than Python writes; others: tests/tools/formats_agree_test.py."""
        folder = Path(self.folder.name) / "all"
        folder.mkdir()
        small_inputs.write(self.weft, folder)
        has_vtk = "built without VTK" not in run_command([self.weft, "describe", folder / "part.vtk"], 60).stderr
        found = {path.name: self.of(path) for path in sorted(folder.iterdir())
                 if path.name not in ("x.txt", "engine.raw", "frames", *small_inputs.TEXTS) and (has_vtk or path.name != "part.vtk")}
        kinds = {name: each["kind"] for name, each in found.items()}
        self.assertEqual({"part.vtk": "mesh", **kinds}, {
            "blood.vtk": "volume", "brain.nii.gz": "volume", "flights.csv": "graph", "friends.txt.gz": "graph", "galaxy.dat": "particles",
            "matrix.mtx": "graph", "my_graph.graph": "graph", "my_graph.mtx": "graph", "my_graph.txt": "graph",
            "my_graph.txt.zst": "graph", "part.vtk": "mesh", "roads.gr.xz": "graph", "votes.txt": "graph", "wind.nc": "volume"})
        self.assertEqual(found["blood.vtk"]["fields"][0]["components"], 3)
        self.assertEqual([round(each["max"], 6) for each in found["blood.vtk"]["fields"][0]["ranges"]], [1.0, 0.1, 0.0])
        if has_vtk:
            part = found["part.vtk"]
            self.assertEqual((part["points"], part["cells"], part["kinds"]), (8, 1, {"hexahedra": 1}))
            self.assertEqual(part["extent"], [[0.0, 1.0]] * 3)
            self.assertEqual([(each["name"], each["ranges"][0]["max"]) for each in part["fields"]],
                             [("temperature", 360.0), ("pressure", 360.0)])
        self.assertEqual(found["galaxy.dat"]["particles"], 100)
        self.assertTrue(found["roads.gr.xz"]["weighted"])
        frames = self.of(folder / "frames", "--channel", "green")["fields"][0]
        self.assertEqual((frames["dims"], frames["ranges"][0]["max"]), ([8, 8, 2], 200))

    def test_errors(self):
        self.assertIn("no such file", self.run_weft("describe", self.file("none.vtk"), expect=1).stderr.lower())
        surface = self.file("surface.vtp", "<VTKFile/>\n")
        self.assertIn("is a surface", self.run_weft("describe", surface, expect=1).stderr)
        self.assertIn("standard input", self.run_weft("describe", "-", expect=1).stderr)
        self.assertIn("expected a CSV file", self.run_weft("describe", self.matrix, "--columns", "a,b", expect=1).stderr)
        self.assertIn("--step is for volumes, and this file is of the kind graph",
                      self.run_weft("describe", self.graph, "--step", 1, expect=1).stderr)
        self.assertIn("--missing is for volumes and meshes", self.run_weft("describe", self.graph, "--missing", 1, expect=1).stderr)

    def test_table(self):
        said = self.run_weft("describe", self.graph).stdout
        for name, value in (("kind", "graph"), ("vertices", "6"), ("directed", "yes"), ("labels", "integers")):
            self.assertRegex(said, rf"(?m)^  {name} +{value}$")


if __name__ == "__main__":
    main(Describe)
