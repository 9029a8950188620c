"""Small files of many formats, under the names that README.md and docs/ use."""
import gzip
import json
import lzma
import struct
import subprocess

from grid_commands_test import netcdf

# Texts of `weft count` and `weft join`, which are no graphs.
TEXTS = ("book.txt", "people.csv", "cities.csv", "events.ndjson", "users.ndjson")


def graph_questions(weft_command):
    """The table of tools/commands/graph_questions.cpp."""
    done = subprocess.run([weft_command, "info", "--json", "-"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["result"]["graph_questions"]


def write(weft_command, folder):
    """Small files under the names that the text uses."""
    def weft(*words):
        subprocess.run([weft_command, *words], cwd=folder, check=True, capture_output=True)
    edges = "".join(f"{i} {i % 7 + 1}\n" for i in range(2, 20))
    for name in ("my_graph.txt", "votes.txt"):
        (folder / name).write_text(edges)
    (folder / "friends.txt.gz").write_bytes(gzip.compress(edges.encode()))
    frame = b"\x28\xb5\x2f\xfd\x20" + bytes([len(edges)]) + (len(edges) << 3 | 1).to_bytes(3, "little")  # one raw block
    (folder / "my_graph.txt.zst").write_bytes(frame + edges.encode())
    (folder / "my_graph.graph").write_text("3 2\n2\n1 3\n2\n")
    matrix = "%%MatrixMarket matrix coordinate real general\n4 4 5\n1 1 2\n1 4 -1\n3 2 1\n3 3 .5\n4 2 1\n"
    for name in ("my_graph.mtx", "matrix.mtx"):
        (folder / name).write_text(matrix)
    (folder / "flights.csv").write_text("to;from;hours\n1;0;1,5\n2;0;2,5\n")
    (folder / "engine.raw").write_bytes(bytes(256) * 256 * 128)
    (folder / "x.txt").write_text("1\n2\n3\n4\n")
    roads = "p sp 4 4\na 1 2 3\na 2 3 1\na 3 4 2\na 1 4 9\n"
    (folder / "roads.gr.xz").write_bytes(lzma.compress(roads.encode()))
    (folder / "book.txt").write_text("the cat and the dog\nand the end\n" * 20)
    (folder / "people.csv").write_text('name,city\nAda,London\nAlan,London\n"Curie, Marie",Paris\nEmmy,Erlangen\n')
    (folder / "cities.csv").write_text("name,country\nLondon,England\nParis,France\n")
    (folder / "events.ndjson").write_text('{"user": {"name": "ada"}, "tags": ["a", "b"]}\n{"user": {"name": "alan"}}\n' * 3)
    (folder / "users.ndjson").write_text('{"name": "ada", "born": 1815}\n')
    voxels = bytes(255 if 2 < i % 8 < 6 else 0 for i in range(512))
    head = struct.pack("<i36x8h14xhh2x8f", 348, 3, 8, 8, 8, 1, 1, 1, 1, 2, 8, *[1.0] * 8).ljust(108, b"\0")
    nifti = (head + struct.pack("<fff", 352, 1, 0)).ljust(344, b"\0") + b"n+1\0" + b"\0" * 4
    (folder / "brain.nii.gz").write_bytes(gzip.compress(nifti + voxels))
    vectors = "\n".join("1 0.1 0" for _ in range(64))
    (folder / "blood.vtk").write_text("# vtk DataFile Version 3.0\nflow\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 4 4 4\n"
                                      f"ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 64\nVECTORS v float\n{vectors}\n")
    (folder / "wind.nc").write_bytes(netcdf({"lat": 4, "lon": 5}, {
        "lat": ("f", ["lat"], {"units": "degrees_north"}, range(4)), "lon": ("f", ["lon"], {"units": "degrees_east"}, range(5)),
        "U": ("f", ["lat", "lon"], {}, [1] * 20), "V": ("f", ["lat", "lon"], {}, [0] * 20)}))
    points = " ".join(f"{i & 1} {i >> 1 & 1} {i >> 2}" for i in range(8))
    heat = "\n".join(str(290 + 10 * i) for i in range(8))
    (folder / "part.vtk").write_text("# vtk DataFile Version 3.0\npart\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                                     f"POINTS 8 double\n{points}\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\nPOINT_DATA 8\n"
                                     f"SCALARS temperature double\nLOOKUP_TABLE default\n{heat}\n"
                                     f"SCALARS pressure double\nLOOKUP_TABLE default\n{heat}\n")
    weft("generate", "plummer", "--particles", "100", "--out", "galaxy.dat", "-q")
    _write_frames(folder / "frames")


def _write_frames(folder):
    """Two frames of 8 by 8 pixels in colours, as uncompressed TIFF."""
    folder.mkdir()
    for frame in range(2):
        pixels = bytes(200 if 2 + frame < i % 8 < 6 and channel == 1 else 0 for i in range(64) for channel in range(3))
        tags = [(256, 3, 1, 8), (257, 3, 1, 8), (258, 3, 3, 8 + len(pixels)), (259, 3, 1, 1), (262, 3, 1, 2),
                (273, 4, 1, 8), (277, 3, 1, 3), (278, 3, 1, 8), (279, 4, 1, len(pixels))]
        bits = struct.pack("<3h", 8, 8, 8)
        directory = struct.pack("<h", len(tags)) + b"".join(
            struct.pack("<HHI", tag, kind, count) + (struct.pack("<HH", value, 0) if kind == 3 and count == 1
                                                     else struct.pack("<I", value)) for tag, kind, count, value in tags)
        start = 8 + len(pixels) + len(bits)
        (folder / f"frame{frame}.tif").write_bytes(b"II*\0" + struct.pack("<I", start) + pixels + bits + directory +
                                                   b"\0" * 4)
