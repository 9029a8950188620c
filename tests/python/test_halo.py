import numpy as np
import pytest

import weft


def test_regular_grids():
    grid = weft.RegularGrid((10, 7), 6, ghosts=(1, 2))
    assert grid.blocks == 6 and np.prod(grid.divisions) == 6
    seen = np.zeros((10, 7), int)
    for block in range(6):
        seen[grid.slices(block)] += 1
        where = np.argwhere(np.ones(grid.shape(block))) + grid.bounds(block)[0]
        assert (grid.block_of(where) == block).all()
    assert (seen == 1).all()
    assert grid.block_of([[10, 0], [0, -1]]).tolist() == [-1, -1]
    space = weft.RegularGrid(([0.0, 0.0], [1.0, 2.0]), divisions=(1, 2))
    assert space.block_of([[0.5, 0.1], [0.5, 1.9]]).tolist() == [0, 1] and space.link_of(0) == [1]
    assert space.bounds(1)[0].tolist() == [0.0, 1.0] and space.place(1) == (0, 1)
    shifted = weft.RegularGrid(([-4], [4]), 2)
    assert shifted.slices(1) == (slice(4, 8),)


@pytest.mark.parametrize("arguments, text", [
    (dict(domain=(3, 3)), "blocks: give"), (dict(domain=(3, 3), blocks=0), "blocks: 0"), (dict(domain=(3, 3), blocks=100), "block"),
    (dict(domain=(1,) * 5, blocks=1), "domain"), (dict(domain=("a",), blocks=1), "domain"),
    (dict(domain=(3, 3), blocks=1, ghosts=(1, 2, 3)), "ghosts: expected one value, or one for each of 2"),
    (dict(domain=(3, 3), blocks=1, ghosts=0.5), "ghosts: its dtype is float64"),
    (dict(domain=(3, 3), blocks=1, wrap=True, share_face=True), "share"),
])
def test_bad_grids(arguments, text):
    with pytest.raises(weft.UsageError, match=text):
        weft.RegularGrid(**arguments)


def test_trees(comm):
    points = np.random.default_rng(comm.rank).normal(size=(60, 3))
    tree = weft.KdTree(comm, points, 5)
    counts = weft.all_reduce(comm, np.bincount(tree.block_of(points), minlength=5))
    assert counts.sum() == 60 * comm.size and counts.max() - counts.min() <= 2
    assert tree.block_of(tree.domain[0] - 1) == -1
    for block in range(5):
        lo, hi = tree.bounds(block)
        assert (lo < hi).all() and all(block in tree.link_of(other) for other in tree.link_of(block))
    blocks = weft.BlockSet(comm, tree, lambda id: tree.bounds(id))
    assert blocks.exchange(lambda block, port: [port.send(n, [1]) for n in port.link] and None, int) == sum(
        len(tree.link_of(b)) for b in range(5))
    for bad, text in [(dict(points=[1.0]), "points: their shape"), (dict(split="no"), "split: 'no'"),
                      (dict(points=[[np.nan] * 3]), "finite"), (dict(domain=[[0]]), "domain")]:
        with pytest.raises(weft.UsageError, match=text):
            weft.KdTree(comm, **{"points": points, "blocks": 3, **(bad if comm.rank == 0 else {})})


def expected_ghosts(whole, grid, block):
    lo, hi = grid.bounds(block, ghosts=True)
    index = np.meshgrid(*(np.arange(a, b) % n for a, b, n in zip(lo, hi, whole.shape)), indexing="ij")
    return whole[tuple(index)]


@pytest.mark.parametrize("shape, blocks, ghosts, wrap", [
    ((11,), 5, 1, False), ((11,), 5, 1, True), ((6, 9), 4, (1, 2), (True, False)), ((5, 4, 6), 8, 1, True),
    ((7,), 7, 3, True), ((3, 4), 2, 3, True),
])
def test_ghosts_are_those_of_the_whole(comm, shape, blocks, ghosts, wrap):
    whole = np.random.default_rng(5).integers(0, 1000, shape)
    grid = weft.RegularGrid(shape, blocks, ghosts=ghosts, wrap=wrap)
    ranks = np.arange(blocks) * 3 % comm.size
    halo = weft.Halo(comm, grid, ranks)
    arrays = {}
    for block in halo.ids:
        lo, hi = grid.bounds(block)
        first = grid.bounds(block, ghosts=True)[0]
        arrays[block] = np.full((*grid.shape(block, ghosts=True), 2), -1)
        core = tuple(slice(a - f, b - f) for a, b, f in zip(lo, hi, first))
        arrays[block][core] = np.stack([whole[grid.slices(block)]] * 2, axis=-1)
    for _ in range(2):
        halo.fill(arrays)
    for block, array in arrays.items():
        assert np.array_equal(array[..., 1], expected_ghosts(whole, grid, block))


def test_one_call(comm):
    grid = weft.RegularGrid((4 * comm.size, 3), divisions=(comm.size, 1), ghosts=(1, 0), wrap=True)
    plate = np.zeros(grid.shape(comm.rank, ghosts=True), [("a", "f4"), ("b", "i8")])[:, ::-1]  # any strides
    for turn in range(3):
        plate["b"][1:-1] = comm.rank + turn
        weft.halo(plate, grid if turn < 2 or comm.rank else weft.RegularGrid(
            (4 * comm.size, 3), divisions=(comm.size, 1), ghosts=(1, 0), wrap=True), comm=comm)
        assert (plate["b"][0] == (comm.rank - 1) % comm.size + turn).all()
        assert (plate["b"][-1] == (comm.rank + 1) % comm.size + turn).all()


@pytest.mark.parametrize("fill, text", [
    (lambda halo, bad: halo.fill(np.zeros(5 if bad else 4)), r"arrays\[0\]: its shape is \(5,\); expected \(4,\)"),
    (lambda halo, bad: halo.fill([0] * 4 if bad else np.zeros(4)), r"arrays\[0\]: expected an array"),
    (lambda halo, bad: halo.fill({} if bad else np.zeros(4)), r"arrays: of blocks \[\]; this rank has \[0\]"),
])
def test_bad_arrays_of_one_rank_are_errors_of_all(comm, fill, text):
    halo = weft.Halo(comm, weft.RegularGrid((2 * comm.size,), comm.size, ghosts=1, wrap=True))
    with pytest.raises(weft.UsageError, match=text):
        fill(halo, comm.rank == 0)
    if comm.size > 1:
        with pytest.raises(weft.UsageError, match="rank 1 calls halo of <f4"):
            halo.fill(np.zeros(4, "f4" if comm.rank == 1 else "f8"))


@pytest.mark.parametrize("make, text", [
    (lambda bad: dict(grid=3 if bad else weft.RegularGrid((8,), 2, ghosts=1)), "grid: expected a RegularGrid of cells"),
    (lambda bad: dict(grid=weft.RegularGrid((8.0,), 2)), "grid: expected a RegularGrid of cells"),
    (lambda bad: dict(grid=weft.RegularGrid((8,), 2, share_face=True)), "share"),
    (lambda bad: dict(grid=weft.RegularGrid((8,), 2)), "grid: it has no ghosts"),
    (lambda bad: dict(grid=weft.RegularGrid((8,), 2, ghosts=1), ranks=[0] * (3 if bad else 2)), "ranks: int64 of shape"),
    (lambda bad: dict(grid=weft.RegularGrid((8,), 2, ghosts=1), ranks=[99 if bad else 0] * 2), "ranks: ranks are 0"),
])
def test_bad_halos(comm, make, text):
    with pytest.raises(weft.UsageError, match=text):
        weft.Halo(comm, **make(comm.rank == 0))
