"""Answers on real volumes, meshes, fields of vectors and particles."""

import csv
import math
import tempfile
from pathlib import Path

from command_run import run_command
from reference_case import ReferenceCase, given, report_of, some


class Fields(ReferenceCase):
    def label(self, file, expected, *options):
        """At a number of ranks, another one for each call, and for 26 neighbours at two, with other blocks and another
        engine; the labels must be the same. The result of the last."""
        self.labelled = getattr(self, "labelled", 0) + 1
        engines = ("exchange", "iexchange") if 26 in options else ("iexchange",)
        with tempfile.TemporaryDirectory() as folder:
            first = result = None
            for i, engine in enumerate(engines):
                count = given.ranks[(self.labelled + 2 * i) % len(given.ranks)]
                with self.subTest(file=file.name, options=options, ranks=count):
                    labels = Path(folder) / f"labels{i}"
                    result = report_of("label", file, count, *map(str, options), "--engine", engine, "--blocks",
                                       str(1 + 2 * i), "--labels", str(labels))["result"]
                    self.assertEqual((result["foreground"], result["components"], result["largest"][:5]), expected)
                    first = first or labels.read_bytes()
                    self.assertTrue(labels.read_bytes() == first, "the labels depend on ranks and blocks")
        return result

    def test_labels_of_volumes(self):
        for volume, (threshold, answer), neighbors in some(
                (each, iso, corners) for each in self.volumes.values() for iso in each["iso"].items()
                for corners in (6, 26)):
            expected = answer[f"cc{neighbors}"]
            self.label(given.data / volume["raw"], (answer["voxels_ge"], expected["n"], expected["largest"][:5]), "--dims",
                       ",".join(map(str, volume["dims_xyz"])), "--type", volume["dtype"], "--threshold", threshold,
                       "--neighbors", neighbors)

    def contour(self, file, expected, *options):
        """At all numbers of ranks; the surface must be the same."""
        with tempfile.TemporaryDirectory() as folder:
            first = None
            for count in given.ranks:
                with self.subTest(file=file.name, options=options, ranks=count):
                    surface = Path(folder) / f"surface{count}.vtp"
                    result = report_of("contour", file, count, *map(str, options), "--out", str(surface))["result"]
                    self.assertEqual({key: result[key] for key in expected if key != "area"},
                                     {key: value for key, value in expected.items() if key != "area"})
                    self.assertAlmostEqual(result["area"] / expected["area"], 1, delta=1e-6)
                    self.assertLessEqual(result["imbalance_after"], 0.1)
                    first = first or surface.read_bytes()
                    self.assertTrue(surface.read_bytes() == first, "the surface depends on the number of ranks")
                    surface.unlink()

    def test_contours_of_volumes(self):
        for volume, (value, answer) in some(
                (each, iso) for each in self.volumes.values() for iso in each["iso"].items()):
            of_vtk = answer["vtkFlyingEdges3D"]
            self.contour(given.data / volume["raw"],
                         {"points": answer["crossed_edges"], "active_cells": answer["active_cells"],
                          "triangles": of_vtk["triangles"], "area": of_vtk["area"],
                          "components": answer["surface_components"]},
                         "--dims", ",".join(map(str, volume["dims_xyz"])), "--type", volume["dtype"], "--iso", value)

    def test_contours_of_meshes(self):
        probe = run_command([given.weft, "contour", given.data / self.meshes["pulley"]["file"], "--iso", 1], 60)
        if "built without VTK" in probe.stderr:
            self.skipTest("Weft was built without VTK")
        for mesh, field, (value, answer) in some(
                (each, name, iso) for each in self.meshes.values() for name, of_field in each["fields"].items()
                for iso in of_field["iso"].items()):
            of_vtk = answer["vtkContourGrid"]
            expected = {"points": answer["crossed_unique_edges"], "active_cells": answer["active_cells"],
                        "triangles": of_vtk["triangles"], "area": of_vtk["area"]}
            run = [given.data / mesh["file"], expected, "--field", field, "--iso", value]
            if of_vtk["points"] != expected["points"]:
                self.contour(*run)
                # VTK joins points of the surface where two sheets of the mesh lie on each other.
                expected["points"] = of_vtk["points"]
                run += ["--merge-tolerance", 1e-6]
            expected["components"] = of_vtk["surface_components"]
            self.contour(*run)

    def test_labels_of_packed_nifti(self):
        answer = self.volumes["mni152_t1"]["iso"]["89.5"]
        self.label(given.data / "volumes" / "mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz",
                   (answer["voxels_ge"], answer["cc26"]["n"], answer["cc26"]["largest"][:5]), "--threshold", 89.5,
                   "--neighbors", 26)

    def test_labels_and_tracks_of_sequences(self):
        for name, answer in some(self.sequences.items()):
            if not (given.data / answer["raw"]).exists():
                continue
            raw = ["--dims", f"{answer['width']},{answer['height']},{answer['frames']}", "--type", answer["dtype"],
                   "--missing", -99]
            stacks = [(given.data / answer["raw"], raw)]
            if name == "CP_Sequence1":
                stacks.append((given.data / "sequences" / name, ["--channel", "green"]))
            for neighbors in (6, 26):
                of_all = answer[f"spacetime_components_{neighbors}"]
                for stack, options in stacks:
                    with tempfile.TemporaryDirectory() as folder:
                        table = Path(folder) / "tracks.csv"
                        result = self.label(stack, (answer["foreground"], of_all["n"], of_all["largest"][:5]),
                                            "--threshold", answer["threshold"], "--neighbors", neighbors, *options,
                                            "--tracks", table)
                        with open(table, newline="") as file:
                            rows = list(csv.DictReader(file))
                    self.assertEqual(len(rows), answer[f"total_components_{4 if neighbors == 6 else 8}"])
                    self.assertEqual(sum(int(row["size"]) for row in rows), answer["foreground"])
                    self.assertEqual(len({row["component"] for row in rows}), of_all["n"])
                    if neighbors != 26:
                        continue
                    tracks = answer["overlap_tracking_8"]
                    found = {**result["tracks"], "edges": result["tracks"]["links"]}
                    self.assertEqual({key: found[key] for key in tracks}, tracks)
                    self.assertEqual(sum(len(row["next"].split()) for row in rows), tracks["edges"])
                    for event in ("birth", "death", "split", "merge"):
                        self.assertEqual(sum(event in row["event"].split("+") for row in rows), tracks[event + "s"])

    def test_traces(self):
        seeds = {"carotid": "every:10", "RectGrid2": "every:5,min=0.2", "office": "every:7,min=0.2",
                 "ccm_80": "every:40,min=0.4"}
        # Not all combinations: whatever differs between two runs must not show.
        cuts = [("4", "iexchange", "1"), ("1", "exchange", "1"), ("3", "iexchange", "2"), ("16", "exchange", "1"),
                ("2", "iexchange", "1")]
        for name, rule in some(seeds.items()):
            answer = self.fields[name]
            with open(given.data / answer["csv"], newline="") as file:
                expected = list(csv.DictReader(file))
            with tempfile.TemporaryDirectory() as folder:
                first = None
                for place, count in enumerate(given.ranks):
                    blocks, engine, threads = cuts[place % len(cuts)]
                    with self.subTest(field=name, ranks=count, blocks=blocks, engine=engine, threads=threads):
                        ends = Path(folder) / f"ends{count}.csv"
                        result = report_of("trace", given.data / "vectorfields" / f"{name}.json", count, "--seeds", rule,
                                           "--step-size", str(answer["h"]), "--max-steps", str(answer["N"]),
                                           "--blocks", blocks, "--engine", engine, "--threads", threads,
                                           "--ends", str(ends))["result"]
                        written = ends.read_bytes()
                        first = first or (result, written)
                        self.assertEqual(result, first[0], "the result depends on ranks or blocks")
                        self.assertTrue(written == first[1], "the ends depend on ranks or blocks")
                self.check_traces(answer, expected, *first)

    def check_traces(self, answer, expected, result, written):
        for key, known in (("seeds", "seeds"), ("inside", "still_inside"), ("left", "left_domain"),
                           ("steps", "total_steps")):
            self.assertEqual(result[key], answer[known], key)
        self.assertAlmostEqual(result["mean_path"] / answer["mean_path"], 1, delta=1e-10)
        for found, known in zip(result["mean_final"], answer["mean_final"]):
            self.assertAlmostEqual(found, known, delta=1e-10 * max(1, abs(known)))
        rows = list(csv.DictReader(written.decode().splitlines()))
        self.assertEqual(len(rows), len(expected))
        for row, known in zip(rows, expected):
            for key, value in known.items():
                # The file of answers has 12 digits of ends, and fewer of seeds.
                digits = 5e-8 if key in ("x0", "y0", "z0") else 1e-10 + 5e-12 * max(1, abs(float(value)))
                self.assertAlmostEqual(float(row[key]), float(value), delta=digits, msg=key)

    def test_gravity(self):
        for name in ("gassphere", "galaxy"):
            answer = self.clouds[name]
            with open(given.data / "nbody" / f"ref_{name}_acc_every100.csv", newline="") as file:
                expected = {int(row["index"]): row for row in csv.DictReader(file)}
            with tempfile.TemporaryDirectory() as folder:
                for place, count in enumerate(given.ranks):
                    with self.subTest(cloud=name, ranks=count):
                        forces = Path(folder) / "forces.csv"
                        result = report_of("nbody", given.data / "nbody" / f"{name}_littleendian.dat", count, "--eps",
                                           str(answer["eps"]), "--accelerations", str(forces), "--engine",
                                           ("exchange", "mailbox")[place % 2])["result"]
                        self.assertEqual(result["particles"], answer["N"])
                        self.assertAlmostEqual(result["mass"] / answer["total_mass"], 1, delta=1e-12)
                        self.assertAlmostEqual(result["kinetic"], answer["kinetic"], delta=1e-12 * answer["kinetic"])
                        self.assertAlmostEqual(result["potential"] / answer["potential"], 1, delta=1e-4)
                        with open(forces, newline="") as file:
                            found = [row for row in csv.DictReader(file) if int(row["index"]) in expected]
                        self.assertEqual(len(found), len(expected))
                        off = size = 0
                        for row in found:
                            for axis in ("ax", "ay", "az"):
                                known = float(expected[int(row["index"])][axis])
                                off, size = off + (float(row[axis]) - known) ** 2, size + known**2
                        self.assertLess(math.sqrt(off / size), 0.005)
