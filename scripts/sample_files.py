#!/usr/bin/env python3
"""Writes the files that README.md and docs/ name, so that each command line there can be tried as it is written. `make demo` writes
them into build/demo/files. Graphs come from `weft generate`; volumes, fields and meshes from formulas; the brain is the one that
`make demo` downloads, or a ball with its range of values.

sample_files.py WEFT FOLDER [BRAIN.nii.gz]
"""

import gzip
import lzma
import math
import shutil
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tools"))

from grid_commands_test import netcdf


def graphs(weft, folder: Path) -> None:
    def made(*words):
        subprocess.run([weft, "generate", *words, "--quiet"], cwd=folder, check=True)
    made("rmat", "--scale", "14", "--out", "my_graph.txt")
    made("rmat", "--scale", "12", "--out", "my_graph.mtx")
    made("rmat", "--scale", "12", "--seed", "2", "--out", "votes.txt")
    made("erdos-renyi", "--vertices", "2000", "--average-degree", "12", "--out", "friends.txt")
    friends = (folder / "friends.txt").read_bytes()
    (folder / "friends.txt").unlink()
    (folder / "friends.txt.gz").write_bytes(gzip.compress(friends))
    subprocess.run([weft, "convert", "my_graph.txt", "my_graph.txt.zst", "--quiet"], cwd=folder, check=True)
    (folder / "roads.gr.xz").write_bytes(lzma.compress(roads(80).encode()))
    ends = [line.split() for line in friends.decode().splitlines() if not line.startswith("#")][:200]
    (folder / "flights.csv").write_text("to;from;hours\n" + "".join(f"{b};{a};{1 + int(a) % 9},5\n" for a, b in ends))


def roads(side: int) -> str:
    """A grid of streets, both ways, whose lengths differ."""
    arcs = []
    for y in range(side):
        for x in range(side):
            here = y * side + x + 1
            for there in ([here + 1] if x + 1 < side else []) + ([here + side] if y + 1 < side else []):
                length = 1 + (here * 7 + there * 3) % 11
                arcs += [f"a {here} {there} {length}", f"a {there} {here} {length}"]
    return f"p sp {side * side} {len(arcs)}\n" + "\n".join(arcs) + "\n"


def texts(folder: Path) -> None:
    """A text, two tables with a column in common, and records in JSON."""
    (folder / "book.txt").write_text("the cat and the dog\nand the end\n" * 2000)
    cities = ("London", "Paris", "Oslo", "Erlangen")
    (folder / "people.csv").write_text("name,city\n" + "".join(f'"Number {n}, Mrs",{cities[n % 4]}\n' for n in range(200)))
    (folder / "cities.csv").write_text("name,country\nLondon,England\nParis,France\nOslo,Norway\n")
    (folder / "events.ndjson").write_text("".join(f'{{"user": {{"name": "user{n % 7}"}}, "tags": ["t{n % 3}", "all"]}}\n'
                                                  for n in range(300)))
    (folder / "users.ndjson").write_text("".join(f'{{"name": "user{n}", "born": {1950 + n}}}\n' for n in range(5)))


def matrices(folder: Path) -> None:
    """The five-point stencil on a square, and a vector for it."""
    side, rows = 60, []
    for y in range(side):
        for x in range(side):
            here = y * side + x + 1
            rows.append(f"{here} {here} 4")
            rows += [f"{here} {here + step} -1" for step, has in ((-1, x > 0), (1, x + 1 < side), (-side, y > 0), (side, y + 1 < side))
                     if has]
    head = f"%%MatrixMarket matrix coordinate real general\n{side * side} {side * side} {len(rows)}\n"
    (folder / "matrix.mtx").write_text(head + "\n".join(rows) + "\n")
    (folder / "x.txt").write_text("".join(f"{1 + i % 5}\n" for i in range(side * side)))


def ball(side: int) -> bytes:
    """Values from 255 in the middle down to 0 at the faces, with a shell that is darker."""
    middle = (side - 1) / 2
    return bytes(max(0, 255 - int(255 * math.dist((x, y, z), (middle,) * 3) / middle))
                 for z in range(side) for y in range(side) for x in range(side))


def volumes(folder: Path, brain: Path | None) -> None:
    if brain is not None and brain.is_file():
        shutil.copyfile(brain, folder / "brain.nii.gz")
    else:
        side = 64
        head = struct.pack("<i36x8h14xhh2x8f", 348, 3, side, side, side, 1, 1, 1, 1, 2, 8, *[1.0] * 8).ljust(108, b"\0")
        nifti = (head + struct.pack("<fff", 352, 1, 0)).ljust(344, b"\0") + b"n+1\0" + b"\0" * 4
        (folder / "brain.nii.gz").write_bytes(gzip.compress(nifti + ball(side)))
    (folder / "engine.raw").write_bytes(bytes((x ^ y) & 255 for y in range(256) for x in range(256)) * 128)
    frames(folder / "frames")


def frames(folder: Path) -> None:
    """Twelve pictures of three green discs that move, as uncompressed TIFF."""
    folder.mkdir(exist_ok=True)
    side = 64
    for frame in range(12):
        centers = ((12 + 3 * frame, 16), (32, 50 - 2 * frame), (52 - frame, 52))
        pixels = bytes(200 if channel == 1 and any(math.dist((x, y), center) < 6 for center in centers) else 8
                       for y in range(side) for x in range(side) for channel in range(3))
        tags = [(256, 3, 1, side), (257, 3, 1, side), (258, 3, 3, 8 + len(pixels)), (259, 3, 1, 1), (262, 3, 1, 2),
                (273, 4, 1, 8), (277, 3, 1, 3), (278, 3, 1, side), (279, 4, 1, len(pixels))]
        listed = b"".join(struct.pack("<HHI", tag, kind, count) +
                          (struct.pack("<HH", value, 0) if (kind, count) == (3, 1) else struct.pack("<I", value))
                          for tag, kind, count, value in tags)
        bits = struct.pack("<3h", 8, 8, 8)
        (folder / f"frame{frame:02}.tif").write_bytes(b"II*\0" + struct.pack("<I", 8 + len(pixels) + len(bits)) + pixels + bits +
                                                     struct.pack("<h", len(tags)) + listed + b"\0" * 4)


def fields(folder: Path) -> None:
    """A whirl in a box, and winds over longitudes and latitudes."""
    side = 24
    vectors = "\n".join(f"{12 - y} {x - 12} {0.5 + 0.02 * z:.2f}" for z in range(side) for y in range(side) for x in range(side))
    (folder / "blood.vtk").write_text(f"# vtk DataFile Version 3.0\nflow\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS {side} {side} {side}\n"
                                      f"ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA {side**3}\nVECTORS v float\n{vectors}\n")
    latitudes, longitudes = range(-90, 91, 5), range(0, 360, 5)
    east = [10 * math.cos(math.radians(2 * lat)) for lat in latitudes for _ in longitudes]
    north = [4 * math.sin(math.radians(3 * lon)) * math.cos(math.radians(lat)) for lat in latitudes for lon in longitudes]
    (folder / "wind.nc").write_bytes(netcdf({"lat": len(latitudes), "lon": len(longitudes)}, {
        "lat": ("f", ["lat"], {"units": "degrees_north"}, latitudes), "lon": ("f", ["lon"], {"units": "degrees_east"}, longitudes),
        "U": ("f", ["lat", "lon"], {"units": "m/s"}, east), "V": ("f", ["lat", "lon"], {"units": "m/s"}, north)}))


def meshes(folder: Path) -> None:
    """A bar of cubes, hot at one end."""
    nx, ny, nz = 24, 8, 8
    points = [(x, y, z) for z in range(nz + 1) for y in range(ny + 1) for x in range(nx + 1)]

    def at(x, y, z):
        return (z * (ny + 1) + y) * (nx + 1) + x
    cells = [(at(x, y, z), at(x + 1, y, z), at(x + 1, y + 1, z), at(x, y + 1, z), at(x, y, z + 1), at(x + 1, y, z + 1),
              at(x + 1, y + 1, z + 1), at(x, y + 1, z + 1)) for z in range(nz) for y in range(ny) for x in range(nx)]
    heat = [f"{280 + 5 * x + 0.5 * math.dist((y, z), (4, 4)):.2f}" for x, y, z in points]
    pressure = [f"{100 - 2 * z:.1f}" for _, _, z in points]
    parts = ["# vtk DataFile Version 3.0", "part", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double",
             *(f"{x} {y} {z}" for x, y, z in points), f"CELLS {len(cells)} {9 * len(cells)}",
             *("8 " + " ".join(map(str, cell)) for cell in cells), f"CELL_TYPES {len(cells)}", *["12"] * len(cells),
             f"POINT_DATA {len(points)}", "SCALARS temperature double", "LOOKUP_TABLE default", *heat,
             "SCALARS pressure double", "LOOKUP_TABLE default", *pressure, ""]
    (folder / "part.vtk").write_text("\n".join(parts))


def write(weft, folder: Path, brain: Path | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    graphs(weft, folder)
    matrices(folder)
    texts(folder)
    volumes(folder, brain)
    fields(folder)
    meshes(folder)
    subprocess.run([weft, "generate", "plummer", "--particles", "5000", "--out", "galaxy.dat", "--quiet"], cwd=folder, check=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
