import pickle

import numpy as np
import pytest
import scipy.ndimage

import weft


def volume_of(shape, dtype="f4", seed=1):
    return (np.random.default_rng(seed).random(shape) * 100).astype(dtype)


@pytest.mark.parametrize("shape", [(9, 7, 8), (1, 5, 6), (2, 3, 4), (13, 11), (40,)])
@pytest.mark.parametrize("neighbors", [6, 18, 26])
def test_labels_are_those_of_scipy(comm, shape, neighbors):
    volume = volume_of(shape)
    if neighbors == 18 and len(shape) != 3:
        return
    structure = scipy.ndimage.generate_binary_structure(len(shape), {6: 1, 18: 2, 26: len(shape)}[neighbors])
    expected, count = scipy.ndimage.label(volume >= 60, structure)
    found = weft.label(volume, 60, neighbors=neighbors, comm=comm)
    mine = slice(*found.offsets[comm.rank : comm.rank + 2])
    assert np.array_equal(found.labels, expected[mine]) and found.components == count
    assert found.foreground == (expected > 0).sum()
    assert found.largest == sorted(np.bincount(expected.ravel())[1:].tolist(), reverse=True)[:10]
    whole = found.gather()
    assert (whole is None) == (comm.rank != 0) and (whole is None or np.array_equal(whole, expected))


def test_a_mask_needs_no_threshold(comm):
    mask = volume_of((9, 7, 8)) >= 60
    expected, count = scipy.ndimage.label(mask)
    found = weft.label(mask, comm=comm)
    assert found.components == count and found.foreground == mask.sum()
    assert np.array_equal(found.labels, expected[slice(*found.offsets[comm.rank : comm.rank + 2])])
    with pytest.raises(weft.UsageError, match="only a mask"):
        weft.label(mask.astype("u1"), comm=comm)


@pytest.mark.parametrize("neighbors, corners", [(4, False), (8, True)])
def test_pixels_have_4_or_8_neighbors(comm, neighbors, corners):
    image = volume_of((13, 11))
    count = scipy.ndimage.label(image >= 60, np.ones((3, 3)) if corners else None)[1]
    assert weft.label(image, 60, neighbors=neighbors, comm=comm).components == count
    with pytest.raises(weft.UsageError, match="expected 6, 18 or 26 of an array of 3 dimensions"):
        weft.label(volume_of((4, 4, 4)), 60, neighbors=neighbors, comm=comm)
    with pytest.raises(weft.UsageError, match="expected 4 or 8 of an array of 2 dimensions"):
        weft.label(image, 60, neighbors=18, comm=comm)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f8", ">i2"])
def test_dtypes_and_rules(comm, dtype):
    volume = volume_of((6, 5, 4), "i1" if dtype != "?" else "i1").astype(dtype)
    expected, count = scipy.ndimage.label((volume >= 20) & (volume < 70) & (volume != 40)) if dtype != "?" else (
        scipy.ndimage.label(volume))
    found = weft.label(volume, 20, below=70, missing=40, comm=comm) if dtype != "?" else weft.label(volume, 1, comm=comm)
    assert found.components == count


def test_a_mapped_file_is_not_read_whole(comm, shared_folder):
    volume = volume_of((12, 6, 5))
    if comm.rank == 0:
        np.save(shared_folder / "volume.npy", volume)
    weft.all_gather(comm, None)
    mapped = np.load(shared_folder / "volume.npy", mmap_mode="r")
    assert weft.label(mapped, 50, comm=comm).components == scipy.ndimage.label(volume >= 50)[1]
    assert weft.histogram(mapped, comm=comm).finite == volume.size


def test_histograms_are_those_of_numpy(comm):
    volume = volume_of((10, 9, 8), "f8")
    volume[0, 0, :3] = np.nan, np.inf, -1
    found = weft.histogram(volume, 7, range=(10.0, 80.0), quantiles=[0, 0.25, 1], missing=-1, comm=comm)
    values = volume[np.isfinite(volume) & (volume != -1)]
    counts, edges = np.histogram(values, 7, (10, 80))
    assert found.counts.tolist() == counts.tolist() and np.allclose(found.edges, edges)
    assert (found.finite, found.missing, found.infinite) == (len(values), 2, 1)
    assert (found.below, found.above) == ((values < 10).sum(), (values > 80).sum())
    assert (found.minimum, found.maximum) == (values.min(), values.max()) and found.mean == pytest.approx(values.mean())
    assert np.allclose(found.quantiles, np.quantile(values, [0, 0.25, 1]))


def test_pictures(comm):
    volume = volume_of((6, 7, 8))
    seen = weft.render(volume, "z", maximum=True, comm=comm)
    assert (seen is None) == (comm.rank != 0)
    if seen is not None:  # pixels of x and y, the greatest along z
        top = (volume - volume.min()) / (volume.max() - volume.min())
        found = {tuple(row) for row in np.round(np.sort(seen[..., 0], axis=None).reshape(1, -1), 4)}
        assert seen.shape == (7, 8, 4) and found == {tuple(np.round(np.sort(top.max(axis=0), axis=None), 4))}
    light = weft.render(volume, preset="heat", width=40, height=30, shaded=True, perspective=True, spacing=(1, 1, 2), comm=comm)
    if light is not None:
        assert light.shape == (30, 40, 4) and light.dtype == np.float32
        assert 0 < light[..., 3].max() <= 1 and (light[..., :3] <= light[..., 3:] + 1e-5).all()


def rotation(n):
    """Around the middle of a plane: a turn in 2 pi."""
    y, x = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    field = np.zeros((1, n, n, 3))
    field[..., 0], field[..., 1] = -y, x
    return field


@pytest.mark.parametrize("adaptive", [False, True])
def test_particles_turn(comm, adaptive):
    n = 33
    seeds = np.array([[0.5, 0.1 * (comm.rank + 1), 0.0], [0.2, 0.0, 0.0], [9.0, 0.0, 0.0]])[: 2 + comm.rank % 2]
    found = weft.trace(rotation(n), seeds, spacing=(2 / (n - 1),) * 3, origin=(-1, -1, 0), adaptive=adaptive,
                       step=np.pi / 50, max_steps=100 if not adaptive else 100000, duration=2 * np.pi if adaptive else None,
                       tolerance=1e-9, lines=True, comm=comm)
    assert np.allclose(found.ends[:2], seeds[:2], atol=1e-4)  # home again
    assert np.allclose(found.lengths[:2], 2 * np.pi * np.hypot(seeds[:2, 0], seeds[:2, 1]), rtol=1e-3)
    assert found.inside.tolist() == [True, True, False][: len(seeds)]
    assert len(found.lines) == len(seeds)
    for seed, line in zip(seeds[:2], found.lines):
        assert np.allclose(line[0, :3], seed, atol=1e-6) and np.allclose(line[:, 3], np.hypot(seed[0], seed[1]), rtol=1e-3)
    if not adaptive:
        assert found.steps[:2].tolist() == [100, 100] and len(found.lines[0]) == 101


def test_steps_in_time(comm):
    field = np.zeros((2, 3, 3, 9, 3), np.float32)
    field[0, ..., 0], field[1, ..., 0] = 1, 3
    found = weft.trace(field, [[0, 1, 1]] if comm.rank == comm.size - 1 else [], times=[0.0, 2.0], step=0.25, max_steps=8, comm=comm)
    assert found.ends.tolist() == ([[4.0, 1.0, 1.0]] if comm.rank == comm.size - 1 else [])
    back = weft.trace(field, found.ends, times=[0.0, 2.0], step=0.25, max_steps=8, backward=True, comm=comm)
    assert np.allclose(back.ends, [[0, 1, 1]] if comm.rank == comm.size - 1 else np.empty((0, 3)))


GOOD = np.ones((3, 3, 3))


@pytest.mark.parametrize("call, text", [
    (lambda bad: weft.label(GOOD, None if bad else 1), "threshold: give it, or below"),
    (lambda bad: weft.label(GOOD, np.nan if bad else 1), "threshold: nan is not finite"),
    (lambda bad: weft.label(GOOD, 1, below=0 if bad else 2), "below: 0 is not more than threshold"),
    (lambda bad: weft.label(GOOD, 1, neighbors=8 if bad else 6), "neighbors: 8"),
    (lambda bad: weft.label(GOOD[None] if bad else GOOD, 1), r"volume: its shape is \(1, 3, 3, 3\)"),
    (lambda bad: weft.label(GOOD[:0] if bad else GOOD, 1), "there are no values"),
    (lambda bad: weft.label(GOOD.astype("c16") if bad else GOOD, 1), "volume: its dtype is complex128"),
    (lambda bad: weft.histogram(GOOD, "a" if bad else 3), "bins: 'a'"), (lambda bad: weft.histogram(GOOD, 0), "bins"),
    (lambda bad: weft.histogram(GOOD, range="ab" if bad else (0, 1)), "range: 'ab'; expected 2 numbers"),
    (lambda bad: weft.histogram(GOOD, quantiles=[2]), "quantile"),
    (lambda bad: weft.render(GOOD, "up"), "up"), (lambda bad: weft.render(GOOD, preset="blue"), "blue"),
    (lambda bad: weft.render(GOOD, width="a" if bad else 9), "width: 'a'"),
    (lambda bad: weft.render(GOOD[0] if bad else GOOD), r"volume: its shape is \(3, 3\); expected 3"),
    (lambda bad: weft.render(GOOD, spacing=(1,) if bad else (1, 1, 1)), r"spacing: \(1,\)"),
    (lambda bad: weft.trace(GOOD if bad else GOOD[None], []), r"field: its shape is \(3, 3, 3\); expected 4 or 5 dimensions"),
    (lambda bad: weft.trace(np.ones((2, 2, 2, 2 if bad else 3)), []), "field: .*; expected three values"),
    (lambda bad: weft.trace(np.ones((2, 2, 2, 3)), [[1, 2]] if bad else []), r"seeds: of shape \(1, 2\)"),
    (lambda bad: weft.trace(np.ones((2, 2, 2, 3)), [], times=[0, 1] if bad else [0]), r"times: \[0.0, 1.0\]; expected 1"),
    (lambda bad: weft.trace(np.ones((2, 2, 2, 3)), [], step=-1 if bad else 1), "step: -1"),
    (lambda bad: weft.trace(np.ones((2, 2, 2, 3)), [], max_steps=0.5 if bad else 1), "max_steps: 0.5"),
])
def test_bad_arguments_of_one_rank_are_errors_of_all(comm, call, text):
    with pytest.raises(weft.UsageError, match=text):
        call(comm.rank == 0)


def test_volumes_that_differ(comm):
    if comm.size > 1:
        with pytest.raises(weft.UsageError, match=r"rank 1 calls label .* of shape \(3, 3, 4\)"):
            weft.label(np.ones((3, 3, 4 if comm.rank == 1 else 3)), 1)


def test_every_seed_has_a_line(comm):
    field = np.ones((3, 3, 3, 3))
    for seeds in ([[9.0, 9, 9], [8, 8, 8]], [[9.0, 9, 9], [0.5, 0.5, 0.5]], []):
        found = weft.trace(field, seeds if comm.rank == 0 else [], lines=True, max_steps=3, step=0.1, comm=comm)
        assert len(found.lines) == len(found.ends) == (len(seeds) if comm.rank == 0 else 0)
        assert [len(line) > 1 for line in found.lines] == [min(seed) < 2 for seed in (seeds if comm.rank == 0 else [])]
    assert weft.trace(field, [[1.0, 1, 1]], max_steps=3, step=0.1, comm=comm).lines == []


def test_axes_and_bytes_in_any_order(comm):
    volume = np.random.default_rng(5).random((6, 5, 4))
    field = np.random.default_rng(6).random((2, 4, 5, 6, 3)) - 0.5
    for other in (np.asfortranarray(volume), volume.astype(">f8"), volume[::-1, :, ::-1].copy()[::-1, :, ::-1]):
        assert np.array_equal(weft.label(other, 0.5, comm=comm).labels, weft.label(volume, 0.5, comm=comm).labels)
        assert np.array_equal(weft.histogram(other, 5, comm=comm).counts, weft.histogram(volume, 5, comm=comm).counts)
        assert np.array_equal(weft.contour(other, 0.5, comm=comm).points, weft.contour(volume, 0.5, comm=comm).points)
        pictures = [weft.render(each, width=9, height=8, comm=comm) for each in (other, volume)]
        assert comm.rank != 0 or np.array_equal(*pictures)
    for other in (np.asfortranarray(field), field.astype(">f8"), np.moveaxis(np.moveaxis(field, -1, 0).copy(), 0, -1)):
        assert np.array_equal(*(weft.trace(each, [[1.0, 1, 1]], times=(0, 1), step=0.1, max_steps=9, comm=comm).ends
                                for each in (other, field)))


def test_mapped_files_are_read_where_they_are(tmp_path):
    np.zeros((8, 9, 10), np.float32).tofile(tmp_path / "volume.raw")
    for order, dtype in (("C", "<f4"), ("F", "<f4"), ("C", ">f4")):
        volume = np.memmap(tmp_path / "volume.raw", dtype, "r", shape=(8, 9, 10), order=order)
        assert np.shares_memory(weft._volume_input.numbers_of("volume", volume, (3,)), volume)


@pytest.mark.parametrize("call, text", [
    (lambda: weft.contour(GOOD, 1, spacing=np.array([1.0, 2])), "spacing: array"), (lambda: weft.render(GOOD, spacing=0), "spacing: 0;"),
    (lambda: weft.trace(np.ones((3, 3, 3, 3)), [], spacing="a"), "spacing: 'a'"), (lambda: weft.histogram(GOOD, quantiles="a"), "quantiles: 'a'"),
    (lambda: weft.trace(np.ones((3, 3, 3, 3)), [], times=[0, 1]), "times: "), (lambda: weft.trace(np.ones((3, 3, 3, 3)), [], origin=1), "origin: 1"),
])
def test_errors_name_the_argument(comm, call, text):
    with pytest.raises(weft.UsageError, match=text):
        call()


def test_spacing_is_along_x_y_and_z(comm):
    for spacing in (2, 2.0, [2, 2, 2], np.array([2, 2, 2])):
        assert weft.render(GOOD, spacing=spacing, width=8, height=8, comm=comm) is None or comm.rank == 0
    z = np.arange(4.0)[:, None, None] + np.zeros((4, 3, 3))
    places = weft.contour(z, 1.5, spacing=np.array([1.0, 1, 10]), comm=comm).points
    assert (places[:, 2] == 15).all()


def test_results_pickle(comm):
    import pickle

    edges = [[0, 1]] if comm.rank == 0 else []
    for found in (weft.label(GOOD, 1, comm=comm), weft.components(edges, vertices=2, comm=comm), weft.bfs(edges, 0, vertices=2, comm=comm),
                  weft.contour(GOOD + np.arange(3), 1.5, comm=comm), weft.histogram(GOOD, comm=comm)):
        again = pickle.loads(pickle.dumps(found))
        assert all(np.array_equal(value, getattr(again, name)) for name, value in vars(found).items() if name != "_comm")
        if hasattr(again, "gather"):
            assert (again.gather() is None) == (comm.rank != 0)
    grid = pickle.loads(pickle.dumps(weft.RegularGrid((8, 6), 4, ghosts=(1, 2), wrap=True)))
    assert grid.blocks == 4 and grid.ghosts == (1, 2) and grid.shape(0, ghosts=True) == (6, 7)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_large_integers_are_compared_exactly(comm, dtype):
    volume = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3], dtype)
    assert weft.label(volume, 2**53 + 1, comm=comm).foreground == 3
    assert weft.label(volume, 2**53 + 1, below=2**53 + 3, comm=comm).foreground == 2
    assert weft.histogram(volume, 1, range=(2**53 + 1, 2**53 + 2), comm=comm).below == 1
    with pytest.raises(weft.UsageError, match="missing: 9007199254740993"):
        weft.label(volume, 1, missing=2**53 + 1, comm=comm)


@pytest.mark.parametrize("shape", [(7, 4, 5), (9, 6), (2, 3, 3)])
def test_labels_are_written_by_all_ranks(comm, shared_folder, shape):
    found = weft.label(np.random.default_rng(5).random(shape), 0.6, comm=comm)
    found.write(shared_folder / "labels.npy")
    whole = weft.broadcast(comm, found.gather())
    written = np.load(shared_folder / "labels.npy")
    assert written.dtype == whole.dtype and np.array_equal(written, whole)
    weft.barrier(comm)
    for file, error, text in [(shared_folder / "labels.txt", weft.UsageError, "ends with .npy"),
                              (shared_folder / "no folder" / "l.npy", weft.Error, "cannot be written"), (5, weft.UsageError, "path")]:
        with pytest.raises(error, match=text):
            found.write(file)
    if comm.size > 1:
        with pytest.raises(weft.UsageError):
            found.write(shared_folder / f"{comm.rank}.npy")
    with pytest.raises(weft.UsageError, match="unpickled"):
        pickle.loads(pickle.dumps(found)).write("l.npy")
