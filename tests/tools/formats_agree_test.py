"""The same data in every format that can hold it give the same answers, in coordinates of the world: contours, slices,
thresholds, histograms, labels and traces of random grids with values at points or cells, hidden cells and axes that are
turned or mirrored, all files at 1 rank and some at 3; all at both where seeds are given.
usage: formats_agree_test.py WEFT [SEED...]"""
import csv
import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
    from scipy import ndimage, spatial
    import grid_writers
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from command_run import run_command

SINGLE = (".nrrd", ".nii")  # which have one array without a name


def random_grid(seed):
    rng = np.random.default_rng(seed)
    dims = rng.integers(3, 7, 3)
    at_cells = bool(seed & 1)
    starts, steps = rng.integers(-20, 20, 3) / 2, rng.integers(1, 5, 3) / 4  # which float32 has exactly
    axes = [start + step * np.arange(n) for n, start, step in zip(dims, starts, steps)]
    turn = np.eye(3)
    if seed & 8:
        turn = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])[rng.permutation(3)] * rng.choice([-1, 1], 3)
    elif seed & 2:
        axes = [start + np.cumsum(rng.integers(1, 6, n)) / 4 for n, start in zip(dims, starts)]
    shape = tuple((dims - 1 if at_cells else dims)[::-1])
    values = rng.permutation(int(np.prod(shape))).reshape(shape)
    field = values.astype(rng.choice(["u1" if values.max() < 256 else "i2", "i2", "f4", "f8"]))
    vectors = 0.25 + rng.random(shape + (3,))
    marks = np.zeros(tuple((dims - 1)[::-1]), int)
    if seed & 4:
        marks[rng.random(marks.shape) < 0.2] = rng.choice([1, 8, 16, 32])
    return grid_writers.Grid(axes, field, vectors, marks, at_cells, turn)


def places_of(path):
    """The points of a surface in a PLY file."""
    head, data = path.read_bytes().split(b"end_header\n", 1)
    lines = head.decode().split("\n")
    count = int(next(line for line in lines if line.startswith("element vertex")).split()[2])
    kinds = {"float": "<f4", "double": "<f8", "int": "<i4", "uchar": "u1", "float32": "<f4", "float64": "<f8"}
    fields = []
    for line in lines[lines.index(f"element vertex {count}") + 1:]:
        if not line.startswith("property"):
            break
        _, kind, name = line.split()
        fields.append((name, kinds[kind]))
    table = np.frombuffer(data, np.dtype(fields), count)
    return np.stack([table[name].astype(float) for name in "xyz"], 1)


def same_places(one, other):
    """The same number of points, and each has one of the other surface where it is."""
    if len(one) != len(other):
        return False
    return len(one) == 0 or all(spatial.KDTree(a).query(b)[0].max() < 1e-4 for a, b in ((one, other), (other, one)))


class FormatsAgree(unittest.TestCase):
    weft = ""
    seeds = (2, 3, 5, 6, 8, 13)
    all_at_all = False
    turn = 0

    def run_weft(self, command, path, ranks, *arguments):
        of = {"trace": []}.get(command, ["--variable", "f"] if path.suffix not in SINGLE else [])
        launch = ["-n", str(ranks)] if ranks > 1 else []
        done = run_command([self.weft, *launch, command, path, *of, *arguments, "--json", "-", "-q"], 120)
        self.assertEqual(done.returncode, 0, f"{command} {path.name} {arguments}: {done.stderr}")
        return json.loads(done.stdout)["result"]

    def runs(self, files):
        """Files and numbers of ranks."""
        for path in files:
            yield path, 1
        FormatsAgree.turn += 1
        for path in files if self.all_at_all else files[self.turn % 4::4]:
            yield path, 3

    def each(self, files, command, pick, same, *arguments):
        """What `pick` takes of the results, the same for all files at all numbers of ranks."""
        first = None
        for path, ranks in self.runs(files):
            found = pick(self.run_weft(command, path, ranks, *arguments))
            if first is None:
                first, of = found, f"{path.name} at {ranks}"
            self.assertTrue(same(found, first), f"{command} {arguments} of {path.name} at {ranks} ranks: {found}, "
                                                f"expected that of {of}: {first}")
        return first

    def surface(self, files, command, *arguments):
        out = self.folder / "surface.ply"

        def same(found, first):
            return abs(found[0] - first[0]) <= 1e-6 * first[0] and same_places(found[1], first[1])

        return self.each(files, command, lambda result: (result["area"], places_of(out)), same, *arguments, "--out", out)

    def test_formats(self):
        for seed in self.seeds:
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                self.folder = Path(folder)
                self.grid = random_grid(seed)
                volumes, meshes = grid_writers.write_all(self.folder, self.grid, random.Random(seed))
                self.check_thresholds(volumes + meshes)
                self.check_slices(volumes + meshes)
                self.check_contours(volumes, meshes)
                self.check_values(volumes)
                if not self.grid.is_turned():  # one file would be left
                    self.check_traces([path for path in volumes if path.suffix not in SINGLE])

    def kept(self, least):
        """The cells that a threshold keeps."""
        within = self.grid.field >= least
        if not self.grid.at_cells:
            corners = [within[z:within.shape[0] - 1 + z, y:within.shape[1] - 1 + y, x:within.shape[2] - 1 + x]
                       for z in (0, 1) for y in (0, 1) for x in (0, 1)]
            within = np.logical_and.reduce(corners)
        return within & (self.grid.marks == 0)

    def check_thresholds(self, files):
        least = float(np.quantile(self.grid.field, 0.2 if not self.grid.at_cells else 0.6))
        kept = self.kept(least)
        x, y, z = (np.diff(axis) for axis in self.grid.axes)
        volume = (z[:, None, None] * y[None, :, None] * x[None, None, :])[kept].sum()
        components = ndimage.label(kept, np.ones((3, 3, 3)))[1]
        used = np.zeros(tuple(n + 1 for n in kept.shape), bool)
        for corner in np.ndindex(2, 2, 2):
            used[tuple(slice(c, n + c) for c, n in zip(corner, kept.shape))] |= kept
        found = self.each(files, "threshold", lambda result: (result["cells"], result["points"], result["components"],
                                                               result["volume"]),
                          lambda a, b: a[:3] == b[:3] and abs(a[3] - b[3]) <= 1e-6 * b[3], "--least", str(least))
        self.assertEqual(found[:3], (kept.sum(), used.sum(), components))
        self.assertAlmostEqual(found[3] / max(volume, 1e-30), 1 if volume else 0, 6)

    def check_slices(self, files):
        x, y, z = self.grid.axes
        seen = self.grid.marks == 0
        areas = np.diff(y)[:, None] * np.diff(x)[None, :]
        for at, cut in ((z[0], seen[0]), (z[-1], seen[-1]), (z[1], seen[0] | seen[1]), ((z[0] + z[1]) / 2, seen[0])):
            area, _ = self.surface(files, "slice", "--plane", self.plane((0, 0, 1), at))
            self.assertAlmostEqual(area, areas[cut].sum(), 4, f"slice at z={at}")
        self.surface(files, "slice", "--plane",
                     self.plane((1, 2, -1), (x[0] + x[-1]) / 2 + y[0] + y[-1] - (z[0] + z[-1]) / 2 + 0.03))

    def plane(self, normal, offset):
        """A plane along the axes, as it lies in the world."""
        return ",".join(repr(float(each)) for each in (*(self.grid.turn @ normal), offset))

    def check_contours(self, volumes, meshes):
        iso = str(np.median(self.grid.field) + 0.25)
        self.surface(volumes + meshes, "contour", "--iso", iso)

    def check_values(self, files):
        seen = self.grid.marks == 0
        if not self.grid.at_cells:  # a point is seen where one of its cells is
            padded = np.pad(seen, 1)
            seen = np.logical_or.reduce([padded[z:z + self.grid.dims[2], y:y + self.grid.dims[1], x:x + self.grid.dims[0]]
                                         for z in (0, 1) for y in (0, 1) for x in (0, 1)])
        values = self.grid.field[seen]
        least = float(np.median(values))
        for path, ranks in self.runs(files):
            found = self.run_weft("histogram", path, ranks, "--bins", "4")
            self.assertEqual((found["values"], found["min"], found["max"]), (len(values), values.min(), values.max()), path.name)
            found = self.run_weft("label", path, ranks, "--threshold", str(least))
            bright = seen & (self.grid.field >= least)
            self.assertEqual((found["foreground"], found["components"]), (bright.sum(), ndimage.label(bright)[1]), path.name)

    def check_traces(self, files):
        ends = self.folder / "ends.csv"
        seeds = self.folder / "seeds.csv"
        rng = np.random.default_rng(5)
        places = [self.grid.turn @ [axis[0] + share * (axis[-1] - axis[0]) for axis, share in zip(self.grid.axes, shares)]
                  for shares in rng.random((12, 3)) * 0.8 + 0.01]
        seeds.write_text("\n".join(",".join(map(repr, map(float, place))) for place in places) + "\n")

        def read(_):
            with ends.open() as file:
                return [[round(float(each), 6) for each in row] for row in list(csv.reader(file))[1:]]

        first = None
        for path, ranks in self.runs(files):
            variable = "u,v,w" if path.suffix == ".nc" else "v"
            found = read(self.run_weft("trace", path, ranks, "--variable", variable, "--seeds", f"file:{seeds}",
                                       "--step-size", "0.05", "--max-steps", "40", "--ends", ends))
            first = first or found
            self.assertEqual(found, first, f"trace of {path.name} at {ranks} ranks")
        moved = sum(row[6] > 0 for row in first)
        self.assertGreater(moved, 0)
        if not self.grid.hidden:  # all seeds are inside, also in the outer half of a cell
            self.assertEqual(moved, len(first))


if __name__ == "__main__":
    FormatsAgree.weft = sys.argv[1]
    if len(sys.argv) > 2:
        FormatsAgree.seeds = [int(each) for each in sys.argv[2:]]
        FormatsAgree.all_at_all = True
    unittest.main(argv=sys.argv[:1])
