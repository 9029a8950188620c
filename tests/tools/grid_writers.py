"""Writes a small grid of one field in every format that can hold it, for tests of the command."""
import base64
import struct
import zlib

import numpy as np
from scipy.io import netcdf_file

KINDS = {"i1": "Int8", "u1": "UInt8", "i2": "Int16", "i4": "Int32", "f4": "Float32", "f8": "Float64"}
LEGACY = {"i1": "char", "u1": "unsigned_char", "i2": "short", "i4": "int", "f4": "float", "f8": "double"}


class Grid:
    """Coordinates of points along x, y and z; a field at points or cells, indexed z, y, x; vectors at the same places
    with a last index; marks of vtkGhostType at cells, 0 where they are visible. `turn`: a matrix at right angles from
    coordinates along the axes to those of the world, which may mirror."""

    def __init__(self, axes, field, vectors, marks, at_cells, turn=np.eye(3)):
        self.axes, self.field, self.vectors, self.marks, self.at_cells = axes, field, vectors, marks, at_cells
        self.turn = turn
        self.dims = [len(axis) for axis in axes]
        self.cells = [n - 1 for n in self.dims]

    @property
    def hidden(self):
        return self.marks.any()

    def is_even(self):
        return all(np.allclose(np.diff(axis), axis[1] - axis[0]) for axis in self.axes)

    def is_turned(self):
        return not np.array_equal(self.turn, np.eye(3))

    def points(self):
        x, y, z = self.axes
        return np.array([(a, b, c) for c in z for b in y for a in x]) @ self.turn.T

    def origin(self):
        return self.turn @ [axis[0] for axis in self.axes]

    def steps(self):
        """From a point to the next, a column an axis."""
        return self.turn * [axis[1] - axis[0] for axis in self.axes]

    def corners(self):
        """Of visible cells, as hexahedra have them, and the numbers of these cells."""
        nx, ny, _ = self.dims
        made, numbers = [], []
        for number, (z, y, x) in enumerate(np.ndindex(*self.cells[::-1])):
            if self.marks[z, y, x]:
                continue
            low = (z * ny + y) * nx + x
            square = [low, low + 1, low + nx + 1, low + nx]
            ends = [square, [each + nx * ny for each in square]]
            made.append(sum(ends if np.linalg.det(self.turn) > 0 else ends[::-1], []))
            numbers.append(number)
        return np.array(made), numbers

    def arrays(self):
        """Name, values (one row a place) and whether they are at cells, marks first: nobody means these."""
        found = []
        if self.hidden:
            found.append(("vtkGhostType", self.marks.reshape(-1, 1).astype("u1"), True))
        found.append(("f", self.field.reshape(-1, 1), self.at_cells))
        found.append(("v", self.vectors.reshape(-1, 3), self.at_cells))
        return found


def kind_of(values):
    return values.dtype.str[1:]


def xml_array(name, values, how, appended):
    components = values.shape[1]
    tag = f'<DataArray type="{KINDS[kind_of(values)]}" Name="{name}" NumberOfComponents="{components}"'
    data = values.astype(values.dtype.newbyteorder("<")).tobytes()
    if how == "ascii":
        return f'{tag} format="ascii">{" ".join(repr(each) for each in values.ravel().tolist())}</DataArray>'
    if how == "binary":
        return f'{tag} format="binary">{base64.b64encode(struct.pack("<I", len(data)) + data).decode()}</DataArray>'
    if how == "zlib":
        packed = zlib.compress(data)
        head = struct.pack("<4I", 1, len(data), 0, len(packed))
        return f'{tag} format="binary">{(base64.b64encode(head) + base64.b64encode(packed)).decode()}</DataArray>'
    offset = len(appended)
    appended += struct.pack("<I", len(data)) + data
    return f'{tag} format="appended" offset="{offset}"/>'


def write_xml(path, grid, kind, how):
    """kind: ImageData, RectilinearGrid, StructuredGrid or UnstructuredGrid."""
    appended = bytearray()

    def put(name, values):
        return xml_array(name, np.ascontiguousarray(values), how, appended)

    whole = " ".join(f"0 {n - 1}" for n in grid.dims)
    arrays = grid.arrays()
    geometry, head, piece = "", "", f'Extent="{whole}"'
    if kind == "ImageData":
        head = 'Origin="{} {} {}" Spacing="{} {} {}" Direction="{} {} {} {} {} {} {} {} {}"'.format(
            *grid.origin(), *(axis[1] - axis[0] for axis in grid.axes), *grid.turn.ravel())
    elif kind == "RectilinearGrid":
        geometry = "<Coordinates>" + "".join(
            put("xyz"[d], grid.axes[d].reshape(-1, 1)) for d in range(3)) + "</Coordinates>"
    else:
        geometry = f"<Points>{put('Points', grid.points())}</Points>"
    if kind == "UnstructuredGrid":
        corners, numbers = grid.corners()
        arrays = [(name, values[numbers] if at_cells else values, at_cells) for name, values, at_cells in arrays]
        piece = f'NumberOfPoints="{len(grid.points())}" NumberOfCells="{len(numbers)}"'
        geometry += "<Cells>" + put("connectivity", corners.reshape(-1, 1).astype("i4")) + \
            put("offsets", 8 * (1 + np.arange(len(numbers), dtype="i4")).reshape(-1, 1)) + \
            put("types", np.full((len(numbers), 1), 12, "u1")) + "</Cells>"
    else:
        head += f' WholeExtent="{whole}"'
    of = [f"<{tag}>" + "".join(put(name, values) for name, values, at_cells in arrays if at_cells == cells) + f"</{tag}>"
          for tag, cells in (("PointData", False), ("CellData", True))]
    packed = ' compressor="vtkZLibDataCompressor"' if how == "zlib" else ""
    text = (f'<?xml version="1.0"?>\n<VTKFile type="{kind}" version="0.1" byte_order="LittleEndian"{packed}>\n<{kind} {head}>'
            f"<Piece {piece}>{''.join(of)}{geometry}</Piece></{kind}>\n").encode()
    if appended:
        text += b'<AppendedData encoding="raw">_' + bytes(appended) + b"</AppendedData>\n"
    path.write_bytes(text + b"</VTKFile>\n")


def write_legacy(path, grid, kind, binary):
    """kind: STRUCTURED_POINTS, RECTILINEAR_GRID, STRUCTURED_GRID or UNSTRUCTURED_GRID. With the notes that VTK writes
    where the range of an array was asked for."""
    made = bytearray(f"# vtk DataFile Version 4.2\ngrid\n{'BINARY' if binary else 'ASCII'}\nDATASET {kind}\n".encode())

    def put(values):
        nonlocal made
        if binary:
            made += values.astype(values.dtype.newbyteorder(">")).tobytes() + b"\n"
        else:
            made += (" ".join(repr(each) for each in values.ravel().tolist()) + "\n").encode()

    def note(values):
        nonlocal made
        made += (f"METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 {float(values.min())!r} "
                 f"{float(values.max())!r} \n\n").encode()

    arrays = grid.arrays()
    counts = {False: int(np.prod(grid.dims)), True: int(np.prod(grid.cells))}
    if kind != "UNSTRUCTURED_GRID":
        made += "DIMENSIONS {} {} {}\n".format(*grid.dims).encode()
    if kind == "STRUCTURED_POINTS":
        made += "SPACING {!r} {!r} {!r}\nORIGIN {!r} {!r} {!r}\n".format(
            *(float(axis[1] - axis[0]) for axis in grid.axes), *(float(axis[0]) for axis in grid.axes)).encode()
    elif kind == "RECTILINEAR_GRID":
        for name, axis in zip("XYZ", grid.axes):
            made += f"{name}_COORDINATES {len(axis)} double\n".encode()
            put(axis)
    else:
        made += f"POINTS {counts[False]} double\n".encode()
        put(grid.points())
        note(grid.points())
    if kind == "UNSTRUCTURED_GRID":
        corners, numbers = grid.corners()
        counts[True] = len(numbers)
        arrays = [(name, values[numbers] if at_cells else values, at_cells) for name, values, at_cells in arrays]
        made += f"CELLS {len(numbers)} {9 * len(numbers)}\n".encode()
        put(np.hstack([np.full((len(numbers), 1), 8), corners]).astype("i4"))
        made += f"CELL_TYPES {len(numbers)}\n".encode()
        put(np.full(len(numbers), 12, "i4"))
    for at_cells in (False, True):
        mine = [(name, values) for name, values, where in arrays if where == at_cells]
        if not mine:
            continue
        made += f"{'CELL' if at_cells else 'POINT'}_DATA {counts[at_cells]}\nFIELD FieldData {len(mine)}\n".encode()
        for name, values in mine:
            made += f"{name} {values.shape[1]} {len(values)} {LEGACY[kind_of(values)]}\n".encode()
            put(values)
            note(values)
    path.write_bytes(bytes(made))


def write_xdmf(path, grid):
    corners, numbers = grid.corners()
    where = "Cell" if grid.at_cells else "Node"
    values = grid.field.reshape(-1)[numbers] if grid.at_cells else grid.field.reshape(-1)

    def item(data, number="Float"):
        dims = " ".join(map(str, data.shape))
        text = " ".join(repr(each) for each in data.ravel().tolist())
        return f'<DataItem Dimensions="{dims}" NumberType="{number}" Precision="8" Format="XML">{text}</DataItem>'

    path.write_text(
        '<?xml version="1.0"?><Xdmf Version="3.0"><Domain><Grid GridType="Uniform">'
        f'<Geometry GeometryType="XYZ">{item(grid.points())}</Geometry>'
        f'<Topology TopologyType="Hexahedron" NumberOfElements="{len(numbers)}">{item(corners, "Int")}</Topology>'
        f'<Attribute Name="f" AttributeType="Scalar" Center="{where}">{item(values.astype(float))}</Attribute>'
        "</Grid></Domain></Xdmf>")


def write_netcdf(path, grid):
    with netcdf_file(path, "w") as file:
        for name, axis in zip("xyz", grid.axes):
            file.createDimension(name, len(axis))
            file.createVariable(name, "f8", (name,))[:] = axis
        file.createVariable("f", grid.field.dtype.newbyteorder(">"), ("z", "y", "x"))[:] = grid.field
        for d, name in enumerate("uvw"):
            file.createVariable(name, "f8", ("z", "y", "x"))[:] = grid.vectors[..., d]


def write_nrrd(path, grid):
    types = {"i1": "int8", "u1": "uint8", "i2": "int16", "i4": "int32", "f4": "float", "f8": "double"}
    def triple(values):
        return "(" + ",".join(repr(float(each)) for each in values) + ")"

    directions = " ".join(triple(column) for column in grid.steps().T)
    origin = triple(grid.origin())
    head = (f"NRRD0004\ntype: {types[kind_of(grid.field)]}\ndimension: 3\nspace dimension: 3\n"
            f"sizes: {' '.join(map(str, grid.dims))}\nspace directions: {directions}\nspace origin: {origin}\n"
            "endian: little\nencoding: raw\n\n")
    path.write_bytes(head.encode() + grid.field.astype(grid.field.dtype.newbyteorder("<")).tobytes())


def write_nifti(path, grid):
    codes = {"u1": (2, 8), "i1": (256, 8), "i2": (4, 16), "i4": (8, 32), "f4": (16, 32), "f8": (64, 64)}
    code, bits = codes[kind_of(grid.field)]
    lengths = [float(axis[1] - axis[0]) for axis in grid.axes]
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 3, *grid.dims, 1, 1, 1, 1)
    struct.pack_into("<2h", head, 70, code, bits)
    struct.pack_into("<8f", head, 76, 1, *lengths, 1, 1, 1, 1)
    struct.pack_into("<3f", head, 108, 352, 1, 0)
    struct.pack_into("<2h", head, 252, 0, 1)  # the sform says where
    for d in range(3):
        struct.pack_into("<4f", head, 280 + 16 * d, *grid.steps()[d], grid.origin()[d])
    head[344:348] = b"n+1\0"
    path.write_bytes(bytes(head) + grid.field.astype(grid.field.dtype.newbyteorder("<")).tobytes())


def write_all(folder, grid, random):
    """Returns the files, and which of these are meshes."""
    ways = ["ascii", "binary", "zlib", "appended"]
    volumes, meshes = [], []

    def made(name, write, *arguments, of=volumes):
        write(folder / name, grid, *arguments)
        of.append(folder / name)

    even, turned = grid.is_even(), grid.is_turned()
    if even:
        made("image.vti", write_xml, "ImageData", random.choice(ways))
    if even and not turned:
        made("image-text.vtk", write_legacy, "STRUCTURED_POINTS", False)
        made("image-binary.vtk", write_legacy, "STRUCTURED_POINTS", True)
    if not turned:
        made("straight.vtr", write_xml, "RectilinearGrid", random.choice(ways))
        made("straight.vtk", write_legacy, "RECTILINEAR_GRID", random.choice([False, True]))
        made("structured.vts", write_xml, "StructuredGrid", random.choice(ways))
        made("structured.vtk", write_legacy, "STRUCTURED_GRID", random.choice([False, True]))
    if not grid.at_cells and not grid.hidden:
        if not turned:
            made("classic.nc", write_netcdf)
        if even:
            made("even.nrrd", write_nrrd)
            made("even.nii", write_nifti)
    made("mesh.vtu", write_xml, "UnstructuredGrid", random.choice(ways), of=meshes)
    made("mesh.vtk", write_legacy, "UNSTRUCTURED_GRID", random.choice([False, True]), of=meshes)
    made("mesh.xdmf", write_xdmf, of=meshes)
    return volumes, meshes
