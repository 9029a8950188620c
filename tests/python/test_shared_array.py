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
    made.drain()
    assert made.gather().tolist() == [0] * 4
