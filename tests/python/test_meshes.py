import locale

import numpy as np
import pytest

import weft

pytestmark = pytest.mark.usefixtures("meshes_are_read")

N = 6  # cells along an axis


def bricks(folder, comm, name="bricks.vtu"):
    """Cubes between 0 and N on each axis, with the height as a field of points."""
    height = np.broadcast_to(np.arange(N + 1.0)[:, None, None], (N + 1,) * 3)
    weft.threshold(np.ascontiguousarray(height), least=-1, name="height", comm=comm).write(folder / name)
    weft.barrier(comm)
    return folder / name


MIXED = """# vtk DataFile Version 3.0
a tetrahedron on a hexahedron
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 9 double
0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 2
CELLS 2 14
8 0 1 2 3 4 5 6 7
4 4 5 6 8
CELL_TYPES 2
12 10
POINT_DATA 9
SCALARS heat double
LOOKUP_TABLE default
0 0 0 0 1 1 1 1 2
VECTORS wind double
0 0 1 1 0 1 2 0 1 3 0 1 4 0 1 5 0 1 6 0 1 7 0 1 8 0 1
CELL_DATA 2
SCALARS part double
LOOKUP_TABLE default
10 20
"""


@pytest.fixture
def mixed_file(comm, shared_folder):
    if comm.rank == 0:
        (shared_folder / "mixed.vtk").write_text(MIXED)
    weft.barrier(comm)
    return shared_folder / "mixed.vtk"


@pytest.fixture
def mixed(comm, mixed_file):
    return weft.read_mesh(mixed_file, comm=comm)


def together(comm, array):
    return np.concatenate(weft.all_gather(comm, array))


def test_reading_leaves_the_locale(comm, mixed_file):
    before = locale.setlocale(locale.LC_CTYPE)
    weft.read_mesh(mixed_file, comm=comm)
    assert locale.setlocale(locale.LC_CTYPE) == before


def test_a_mesh_has_what_its_file_has(comm, mixed):
    assert mixed.cells == 2 and mixed.names == ["heat", "wind", "part"] and (mixed.left_out, mixed.straightened) == (0, 0)
    assert together(comm, mixed.points).tolist()[8] == [0.5, 0.5, 2.0]
    assert together(comm, mixed.kinds).tolist() == [3, 0] and together(comm, mixed.corners).tolist() == [*range(8), 4, 5, 6, 8]
    assert together(comm, np.diff(mixed.corner_offsets)).tolist() == [8, 4]
    assert together(comm, mixed.fields["heat"]).tolist() == [0] * 4 + [1] * 4 + [2]
    assert together(comm, mixed.fields["wind"]).tolist() == [[i, 0, 1] for i in range(9)] and mixed.fields["wind"].shape[1:] == (3,)
    assert together(comm, mixed.cell_fields["part"]).tolist() == [10, 20]
    mine = mixed.point_offsets[comm.rank : comm.rank + 2]
    assert len(mixed.points) == mine[1] - mine[0] and mixed.point_offsets[-1] == 9 and mixed.cell_offsets[-1] == 2


def test_surfaces_of_a_mesh(comm, mixed):
    found = mixed.contour([0.5, 1.5])
    assert np.allclose(found.areas, [1.0, 0.125]) and found.components.tolist() == [1, 1] and found.values == [0.5, 1.5]
    assert found.fields["wind"].shape == (len(found.points), 3)
    cut = mixed.slice("z=0.5").gather()
    if comm.rank == 0:
        assert np.allclose(cut.areas, [1.0]) and np.allclose(cut.fields["heat"], 0.5)
        assert set(cut.triangle_fields["part"].tolist()) == {10.0} and len(cut.triangle_fields["part"]) == len(cut.triangles)
    # Of cells: 10 at the corners of one, 20 of the other, 15 where they meet: it cuts three edges that rise and two at the top.
    bent = mixed.contour(12.5, field="part")
    assert bent.point_offsets[-1] == 5 and 1 < bent.areas[0] < 1.2


def test_thresholds_of_a_mesh(comm, mixed):
    kept = mixed.threshold(least=1)
    assert kept.cells == 1 and np.isclose(kept.volume, 1 / 6) and kept.components == 1 and kept.names == mixed.names
    assert together(comm, kept.kinds).tolist() == [0] and together(comm, kept.cell_fields["part"]).tolist() == [20]
    assert mixed.threshold(most=15, field="part").cells == 1 and mixed.threshold(least=1, corners="any").cells == 2


def test_a_mesh_is_written_and_read_again(comm, shared_folder, mixed):
    mixed.write(shared_folder / "again.vtu")
    again = weft.read_mesh(shared_folder / "again.vtu", comm=comm)
    assert again.names == mixed.names and (together(comm, again.points) == together(comm, mixed.points)).all()
    assert (together(comm, again.corners) == together(comm, mixed.corners)).all()
    mixed.slice("z=0.5").write(shared_folder / "cut.vtp")


def test_a_mesh_of_cubes(comm, shared_folder):
    mesh = weft.read_mesh(bricks(shared_folder, comm), comm=comm)
    assert mesh.cells == N**3 and np.allclose(mesh.contour(2.5, field="height").areas, [N * N])
    assert mesh.threshold(least=3, field="height").volume == N * N * (N - 3)


@pytest.mark.parametrize("wrong, text", [
    (lambda mesh: mesh.contour(1.0, field="wind"), "field: 'wind'; the fields of single values are heat, part"),
    (lambda mesh: mesh.contour([]), "value"), (lambda mesh: mesh.slice("w=1"), "plane"), (lambda mesh: mesh.threshold(), "least: give it"),
    (lambda mesh: mesh.threshold(2, 1), "range|most|least"), (lambda mesh: mesh.write("a.txt"), "ends with .vtu"),
])
def test_mistakes_are_told(comm, mixed, wrong, text):
    with pytest.raises(weft.UsageError, match=text):
        wrong(mixed)


def test_what_is_no_mesh(comm, shared_folder):
    with pytest.raises(weft.Error):
        weft.read_mesh(shared_folder / "nothing.vtu", comm=comm)
