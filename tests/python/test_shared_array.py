"""Arrays of all ranks against arrays of numpy."""

import numpy as np
import pytest

import weft


@pytest.mark.parametrize("dtype", ["i8", "u2", "f8", "c16"])
def test_an_array_is_numpy_s(comm, dtype):
    size = 37
    made = weft.Array(comm, size, dtype=dtype)
    expected = np.zeros(size, dtype)
    for round in range(3):
        draw = np.random.default_rng(round)
        for rank in range(comm.size):
            many = draw.integers(0, size, 200)
            values = draw.integers(0, 20, 200).astype(dtype)
            mask = draw.integers(0, 2, size).astype(bool)
            for array in (expected, *([made] if rank == comm.rank else [])):
                if array is expected:
                    np.add.at(array, many, values)
                    array[many[::-1]] = values
                else:
                    array[many] += values
                    array[many[::-1]] = values
                array[mask] += 3
                array[2:30:3] += np.ones(10, dtype)
                array[5] += 2
                array[-1] -= 1
        made.drain()
        assert made.gather().tolist() == expected.tolist()
    asked = np.random.default_rng(comm.rank).integers(-size, size, 50)
    assert made.get(asked).tolist() == expected[asked].tolist()
    assert made.get([]).tolist() == []
    assert made.local.tolist() == expected[made.begin : made.begin + len(made.local)].tolist()
    if dtype != "c16":
        values, counts = made.unique()
        known, of_known = np.unique(expected, return_counts=True)
        assert (values.tolist(), counts.tolist()) == (known.tolist(), of_known.tolist())


@pytest.mark.parametrize("dtype", ["i8", "u2", "f8", "f4", "i1"])
@pytest.mark.parametrize("size", [0, 1, 2, 40, 5000])
def test_sorting_is_numpy_s(comm, dtype, size):
    for kind in ("random", "equal", "ascending", "descending", "one rank"):
        values = {"random": np.random.default_rng(size).integers(0, 100, size), "equal": np.full(size, 7), "ascending": np.arange(size) % 128,
                  "descending": np.arange(size)[::-1] // 64, "one rank": np.where(np.arange(size) < size // 3, np.arange(size) % 97, 5)}[kind].astype(dtype)
        if dtype.startswith("f"):
            values[::7] = np.nan
            values[3::11] = -0.0
        made = weft.Array(comm, size, dtype=dtype)
        made.local[:] = values[made.begin : made.begin + len(made.local)]
        order = made.argsort()
        assert order.dtype == np.int64 and order.gather().tolist() == np.argsort(values, kind="stable").tolist(), kind
        assert made.get(order.local).tobytes() == values[order.local].tobytes()
        made.sort()
        assert made.gather().tobytes() == np.sort(values, kind="stable").tobytes(), kind


def test_fewer_items_than_ranks(comm):
    for size in (0, 1):
        made = weft.Array(comm, size, dtype="i4")
        made[:] += comm.rank + 1
        made.drain()
        assert made.gather().tolist() == [comm.size * (comm.size + 1) // 2] * size
        assert len(made) == size


def test_mistakes_are_told(comm):
    made = weft.Array(comm, 4, dtype="i4")
    for index in (4, -5, 1.5, [[0]], [True], "a"):
        with pytest.raises(weft.UsageError):
            made[index] += 1
    for values in ([1, 2], 0.5, 2**40):
        with pytest.raises(weft.UsageError):
            made[[0, 1, 2]] = values
    with pytest.raises(weft.UsageError):
        made.get([9] if comm.rank == 0 else [])
    for wrong in (dict(size=-1), dict(size=4, dtype="S3"), dict(size=4 if comm.rank == 0 and comm.size > 1 else 2.5)):
        with pytest.raises(weft.UsageError):
            weft.Array(comm, **wrong)
    for call in (weft.Array(comm, 4, dtype="c16").sort, weft.Array(comm, 4, dtype="c16").argsort):
        with pytest.raises(weft.UsageError, match="no order"):
            call()
    made.drain()
    assert made.gather().tolist() == [0] * 4
