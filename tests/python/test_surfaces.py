import numpy as np
import pytest

import weft


def ball(shape=(20, 21, 22), dtype="f4"):
    """Largest in the middle; 10 less for each unit of distance, down to 0."""
    places = np.indices(shape) - (np.array(shape) - 1).reshape(3, 1, 1, 1) / 2
    return np.maximum(100 - 10 * np.sqrt((places**2).sum(axis=0)), 0).astype(dtype)


def crossed_edges(volume, value):
    inside = volume >= value
    return sum(int((np.diff(inside.astype(np.int8), axis=axis) != 0).sum()) for axis in range(3))


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", ">f4"])
def test_a_point_for_each_crossed_edge_of_a_closed_surface(comm, dtype):
    volume = ball(dtype=dtype)
    found = weft.contour(volume, 29.5, comm=comm)
    assert found.point_offsets[-1] == crossed_edges(volume, 29.5)
    mine = slice(*found.point_offsets[comm.rank : comm.rank + 2])
    assert len(found.points) == mine.stop - mine.start == len(found.normals) == len(found.levels)
    whole = found.gather()
    assert (whole is None) == (comm.rank != 0)
    if whole is None:
        return
    corners = whole.triangles
    assert corners.shape == (found.triangle_offsets[-1], 3)
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    # Closed, and all to one side: each edge has a triangle on both sides, which walk it in opposite directions.
    assert len(np.unique(edges, axis=0)) == len(edges)
    assert {tuple(each) for each in edges} == {tuple(each) for each in edges[:, ::-1]}
    at = whole.points[corners]
    area = np.linalg.norm(np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0]), axis=1).sum() / 2
    assert found.areas[0] == pytest.approx(area, rel=1e-6) and found.components.tolist() == [1]
    middle = (np.array(volume.shape[::-1]) - 1) / 2
    assert ((whole.normals * (whole.points - middle)).sum(axis=1) > 0).all()


def test_the_whole_does_not_depend_on_ranks(comm):
    volume = np.random.default_rng(3).random((9, 8, 7))
    many = weft.contour(volume, [0.3, 0.8], spacing=(0.5, 1, 2), comm=comm).gather()
    alone = weft.contour(volume, [0.3, 0.8], spacing=np.array([0.5, 1, 2]), comm=comm.split(comm.rank))
    if many is not None:
        for name in ("points", "normals", "levels", "triangles", "areas", "components"):
            assert np.array_equal(getattr(many, name), getattr(alone, name)), name
        assert set(np.unique(alone.levels)) == {0, 1}
        assert alone.points[:, 2].max() > 2 * 7 and alone.points[:, 0].max() <= 0.5 * 6


def test_nothing_crosses_a_value(comm):
    found = weft.contour(np.zeros((3, 3, 3), "i4"), 5, comm=comm)
    assert found.points.shape == (0, 3) and found.triangles.shape == (0, 3)
    assert found.areas.tolist() == [0] and found.components.tolist() == [0]


@pytest.mark.parametrize("given, words", [
    (lambda rank: (np.zeros((3, 3)), 1), "3 dimensions"),
    (lambda rank: (np.zeros((3, 3, 3)), np.nan), "values"),
    (lambda rank: (np.zeros((3, 3, 3)), []), "values"),
    (lambda rank: (np.zeros((3, 3, 3)), "many"), "values"),
    (lambda rank: (np.zeros((3, 3, 3), complex), 1), "dtype"),
])
def test_bad_arguments_are_errors_on_all_ranks(comm, given, words):
    with pytest.raises(weft.UsageError, match=words):
        weft.contour(*given(comm.rank), comm=comm)


def test_arguments_that_differ(comm):
    if comm.size > 1:
        with pytest.raises(weft.UsageError):
            weft.contour(np.zeros((3, 3, 3)), float(comm.rank), comm=comm)
