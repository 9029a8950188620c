"""Volumes by name, in parts of a grid, and what is written of them."""

import numpy as np
import pytest

import weft

VOLUME = np.random.default_rng(3).random((7, 9, 11)).astype("f4")


@pytest.fixture
def volume(comm, shared_folder):
    if comm.rank == 0:
        np.save(shared_folder / "volume.npy", VOLUME)
    weft.barrier(comm)
    return weft.open_volume(shared_folder / "volume.npy")


def grids(comm):
    """A block for each rank, cut along each axis, without and with ghosts."""
    divisions = [(comm.size, 1, 1), (1, comm.size, 1), (1, 1, comm.size)] + ([(1, 2, 2)] if comm.size == 4 else [])
    return [weft.RegularGrid(VOLUME.shape, divisions=each, ghosts=ghosts) for each in divisions for ghosts in (0, 1)]


def part_of(grid, rank):
    lower, upper = grid.bounds(rank, ghosts=True)
    return VOLUME[tuple(slice(a, b) for a, b in zip(lower, upper))]


def test_a_file_is_known_before_its_values(volume):
    assert (volume.shape, volume.ndim, volume.size, len(volume)) == (VOLUME.shape, 3, VOLUME.size, 7)
    assert (volume.dtype, volume.spacing, volume.missing, volume.units, volume.steps) == (np.float32, (1, 1, 1), None, "", 0)
    assert "volume.npy, float32 of shape (7, 9, 11)" in repr(volume)


@pytest.mark.parametrize("key", [np.s_[2], np.s_[-1], np.s_[2:5], np.s_[..., 3], np.s_[1:6:2, ::-2, 4], np.s_[3, 4, 5], np.s_[:], np.s_[3:3],
                                 np.s_[6:2:-1, 8:100, -3:]])
def test_indices_read_as_those_of_an_array(volume, key):
    assert volume[key].shape == VOLUME[key].shape and np.array_equal(volume[key], VOLUME[key])


@pytest.mark.parametrize("key, words", [(np.s_[7], "at most 6"), (np.s_[1, 2, 3, 4], "4 indices"), (np.s_["a"], "expected an integer")])
def test_other_indices_are_refused(volume, key, words):
    with pytest.raises(weft.UsageError, match=words):
        volume[key]


def test_a_file_is_as_good_as_an_array(comm, volume):
    assert np.array_equal(np.asarray(volume), VOLUME)
    of_file, of_array = weft.label(volume, 0.6), weft.label(VOLUME, 0.6)
    assert np.array_equal(of_file.labels, of_array.labels) and of_file.largest == of_array.largest
    assert np.array_equal(weft.histogram(volume).counts, weft.histogram(VOLUME).counts)
    assert np.array_equal(weft.contour(volume, 0.5).points, weft.contour(VOLUME, 0.5).points)
    pictures = weft.render(volume, width=8, height=8), weft.render(VOLUME, width=8, height=8)
    assert comm.rank > 0 or np.array_equal(*pictures)
    with pytest.raises(weft.UsageError, match="spacing: the file says"):
        weft.contour(volume, 0.5, spacing=2.0)
    with pytest.raises(weft.UsageError, match="open it first"):
        weft.label(volume.path, 0.5)


def test_raw_files_have_what_is_said_of_them(comm, shared_folder):
    file, swapped = shared_folder / "volume.raw", VOLUME.astype(">f8")
    if comm.rank == 0:
        file.write_bytes(b"head" + swapped.tobytes())
    weft.barrier(comm)
    for how in (dict(dtype=">f8"), dict(dtype="f8", byte_order="big")):
        found = weft.open_volume(file, dims=VOLUME.shape[::-1], header_bytes=4, **how)
        assert np.array_equal(found[...], swapped)
    with pytest.raises(weft.UsageError, match="`dims` is for"):
        weft.open_volume(__file__ + ".npy", dims=(1, 2, 3))
    with pytest.raises(weft.InputError):
        weft.open_volume(shared_folder / "nothing.npy")
    with pytest.raises(weft.UsageError, match="cannot tell the format"):
        weft.open_volume(shared_folder / "volume.unknown")


def test_fields_of_vectors(comm, shared_folder):
    field = np.random.default_rng(5).random((4, 5, 6, 3))
    field[..., 0] += 1
    if comm.rank == 0:
        np.save(shared_folder / "field.npy", field)
    weft.barrier(comm)
    found = weft.open_volume(shared_folder / "field.npy", components=3)
    assert found.shape == field.shape and np.array_equal(found[1:3, ..., 2:0:-1], field[1:3, ..., 2:0:-1])
    for given in (found, [found]):
        traced = weft.trace(given, [[0.5, 2.0, 2.0]], step=0.1, max_steps=9)
        assert np.array_equal(traced.ends, weft.trace(field, [[0.5, 2.0, 2.0]], step=0.1, max_steps=9).ends)
    with pytest.raises(weft.UsageError, match="shape"):
        weft.label(found, 0.5)


def test_labels_of_parts_are_those_of_the_whole(comm, shared_folder):
    expected = weft.label(VOLUME, 0.6, neighbors=26).gather()
    for grid in grids(comm):
        found = weft.label(part_of(grid, comm.rank), 0.6, neighbors=26, grid=grid)
        assert found.labels.shape == grid.shape(comm.rank)
        whole = found.gather()
        assert comm.rank > 0 or np.array_equal(whole, expected)
        found.write(shared_folder / "labels.npy")
        assert comm.rank > 0 or np.array_equal(np.load(shared_folder / "labels.npy"), expected)
        weft.barrier(comm)


def test_images_in_parts(comm):
    image = VOLUME[0]
    grid = weft.RegularGrid(image.shape, divisions=(1, comm.size))
    whole = weft.label(image[grid.slices(comm.rank)], 0.5, neighbors=8, held="parts", grid=grid).gather()
    expected = weft.label(image, 0.5, neighbors=8).gather()
    assert comm.rank > 0 or np.array_equal(whole, expected)


def test_surfaces_of_parts_are_those_of_the_whole(comm):
    """Triangles are in the order of cells on ranks: the sets are the same."""
    expected = weft.contour(VOLUME, [0.4, 0.6], spacing=(1, 2, 3))
    cut = weft.slice(VOLUME, (1, 2, 3, 20.0))
    kept = weft.threshold(VOLUME, 0.3, 0.9, corners="any")
    for grid in grids(comm):
        part = part_of(grid, comm.rank)
        found = weft.contour(part, [0.4, 0.6], spacing=(1, 2, 3), grid=grid)
        assert found.components.tolist() == expected.components.tolist() and np.allclose(found.areas, expected.areas, rtol=1e-9)
        assert found.triangle_offsets[-1] == expected.triangle_offsets[-1]
        wholes = [each.gather() for each in (found, expected)]
        if comm.rank == 0:
            assert np.array_equal(*(np.unique(each.points, axis=0) for each in wholes))
        assert np.allclose(weft.slice(part, (1, 2, 3, 20.0), grid=grid).areas, cut.areas, rtol=1e-9)
        again = weft.threshold(part, 0.3, 0.9, corners="any", grid=grid)
        assert (again.cells, again.components) == (kept.cells, kept.components)


@pytest.mark.parametrize("how", [dict(), dict(view="y", maximum=True), dict(view="-100,20", shaded=True, perspective=True), dict(view="-x", shaded=True), dict(spacing=(1, 2, 3), missing=0.5)])
def test_pictures_of_parts_are_those_of_the_whole(comm, how):
    """To the last bit, also of values of the other order of bytes and of a grid that begins elsewhere."""
    volume = np.where(VOLUME > 0.8, np.float32(0.5), VOLUME)
    expected = weft.render(volume, width=20, height=15, **how)
    for grid in grids(comm):
        lower, upper = grid.bounds(comm.rank, ghosts=True)
        part = volume[tuple(slice(a, b) for a, b in zip(lower, upper))]
        for given in (part, part.astype(">f4"), np.asfortranarray(part)):
            found = weft.render(given, width=20, height=15, grid=grid, **how)
            assert comm.rank > 0 or np.array_equal(found, expected)
    moved = weft.RegularGrid(((5, -3, 2), tuple(np.add((5, -3, 2), VOLUME.shape))), comm.size)
    part = volume[tuple(slice(a - low, b - low) for a, b, low in zip(*moved.bounds(comm.rank), (5, -3, 2)))]
    found = weft.render(part, width=20, height=15, grid=moved, **how)
    assert comm.rank > 0 or (np.array_equal(found, expected) and found.max() > 0)


@pytest.mark.parametrize("given, words", [
    (lambda c: dict(grid=weft.RegularGrid(VOLUME.shape, c.size + 1)), "blocks; expected one for each"),
    (lambda c: dict(grid=weft.RegularGrid(VOLUME.shape, c.size, wrap=True)), "it wraps"),
    (lambda c: dict(grid=weft.RegularGrid(VOLUME.shape[:2], c.size)), "2 dimensions, and the volume 3"),
    (lambda c: dict(grid=weft.RegularGrid((9, 9, 9), c.size)), "its block of the grid has"),
    (lambda c: dict(grid=3), "expected a RegularGrid of cells"), (lambda c: dict(held="parts"), "grid: needed for parts"),
    (lambda c: dict(held="whole", grid=weft.RegularGrid(VOLUME.shape, c.size)), "grid: it is for parts"),
    (lambda c: dict(held="all"), "held: 'all' is not known")])
def test_parts_that_are_none(comm, given, words):
    part = VOLUME[weft.RegularGrid(VOLUME.shape, comm.size).slices(comm.rank)]
    for call in (lambda **more: weft.label(part, 0.5, **more), lambda **more: weft.contour(part, 0.5, **more),
                 lambda **more: weft.render(part, **more)):
        with pytest.raises(weft.UsageError, match=words):
            call(**given(comm))


def test_slices_have_the_values_on_the_plane(comm):
    z, y, x = np.mgrid[0.0:6, 0:7, 0:8]
    found = weft.slice(x + 10 * y + 100 * z, (1, 1, 1, 6.5), name="sum").gather()
    if found is None:
        return
    assert np.allclose(found.points.sum(axis=1), 6.5) and np.allclose(found.fields["sum"], found.points @ (1, 10, 100))


@pytest.mark.parametrize("plane", ["w=1", "z=", "z=nan", (0, 0, 0, 1), (1, 2, 3), 5])
def test_what_is_no_plane(plane):
    with pytest.raises(weft.UsageError, match="plane"):
        weft.slice(VOLUME, plane)


def test_thresholds_keep_cells(comm):
    mask = VOLUME >= 0.3
    corners = np.stack([mask[a : 6 + a, b : 8 + b, c : 10 + c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    for rule, expected in (("all", corners.all(axis=0)), ("any", corners.any(axis=0))):
        found = weft.threshold(VOLUME, 0.3, corners=rule)
        assert found.cells == expected.sum() == found.volume
        mine = found.cell_offsets[comm.rank + 1] - found.cell_offsets[comm.rank]
        assert found.corners.shape == (mine, 8) and abs(mine - found.cells / comm.size) < 1
        assert len(found.fields["value"]) == len(found.points)
    for bad in (dict(), dict(least=2, most=1)):
        with pytest.raises(weft.UsageError, match="least"):
            weft.threshold(VOLUME, **bad)


def test_surfaces_and_cells_are_written(comm, shared_folder):
    surface = weft.contour(VOLUME, 0.5)
    for ending, begin in (("vtp", b"<?xml"), ("ply", b"ply"), ("stl", b"")):
        file = shared_folder / f"surface.{ending}"
        surface.write(file)
        weft.barrier(comm)
        assert file.read_bytes().startswith(begin)
    assert (shared_folder / "surface.stl").stat().st_size == 84 + 50 * surface.triangle_offsets[-1]
    weft.slice(VOLUME, "y=2.5", name="heat").write(shared_folder / "slice.vtp")
    weft.threshold(VOLUME, 0.5, name="heat").write(shared_folder / "cells.vtu")
    weft.barrier(comm)
    assert all(b'Name="heat"' in (shared_folder / name).read_bytes() for name in ("slice.vtp", "cells.vtu"))
    for what, name in ((surface, "s.obj"), (weft.threshold(VOLUME, 0.5), "c.vtp")):
        with pytest.raises(weft.UsageError, match="path"):
            what.write(shared_folder / name)
    with pytest.raises(weft.InputError):
        surface.write(shared_folder / "no such folder" / "s.vtp")


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4", ">f8"])
def test_histograms_of_parts_are_those_of_the_whole(comm, dtype):
    volume = np.random.default_rng(3).integers(0, 200, (7, 8, 9)).astype(dtype)
    grid = weft.RegularGrid(volume.shape, comm.size)
    given = dict(bins=11, quantiles=[0.1, 0.5, 0.99], missing=7, comm=comm)
    whole, parts = weft.histogram(volume, **given), weft.histogram(volume[grid.slices(comm.rank)], grid=grid, **given)
    for name in ("counts", "edges", "finite", "missing", "minimum", "maximum", "entropy", "quantiles"):
        assert np.array_equal(getattr(parts, name), getattr(whole, name)), name
    assert np.isclose(parts.mean, whole.mean, rtol=1e-14)


def test_a_part_with_whole_numbers_that_no_float_holds(comm):
    grid = weft.RegularGrid((comm.size,), comm.size)
    with pytest.raises(weft.UsageError, match="volume: expected items of float64"):
        weft.histogram(np.array([2**60 + 1]), grid=grid, comm=comm)
