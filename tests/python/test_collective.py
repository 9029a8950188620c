import numpy as np
import pytest

import weft


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f4", "f8"])
@pytest.mark.parametrize("op", ["sum", "prod", "min", "max"])
def test_named_operators(comm, dtype, op):
    every = [np.array([r + 1, 3, (r * 7) % 5 + 1], dtype) for r in range(comm.size)]
    expected = getattr(np, op)(np.stack(every), axis=0, dtype=dtype) if op in ("sum", "prod") else getattr(np, op)(
        np.stack(every), axis=0)
    found = weft.all_reduce(comm, every[comm.rank], op)
    assert found.dtype == np.dtype(dtype) and np.allclose(found, expected)


def test_shapes_and_sizes(comm):
    mine = np.arange(300000.0).reshape(3, -1) + comm.rank
    before = mine.copy()
    total = weft.all_reduce(comm, mine)
    assert np.array_equal(total, before * comm.size - comm.rank * comm.size + sum(range(comm.size)))
    assert np.array_equal(mine, before)
    assert weft.all_reduce(comm, np.empty((0, 2))).shape == (0, 2)
    assert isinstance(weft.all_reduce(comm, 1.5), np.float64)


def test_functions_keep_the_order_of_ranks(comm):
    words = weft.all_reduce(comm, np.array([str(comm.rank), "x"], "U30"), np.char.add)
    assert words.tolist() == ["".join(map(str, range(comm.size))), "x" * comm.size]


def test_structured_elements(comm):
    pair = np.dtype([("value", float), ("rank", np.int64)])

    def larger(a, b):
        return np.where(a["value"] >= b["value"], a, b)

    mine = np.array([(comm.rank % 2, comm.rank)], pair)
    assert weft.all_reduce(comm, mine, larger).tolist() == [(min(comm.size - 1, 1), min(comm.size - 1, 1))]


def test_reduce_and_scan(comm):
    root = comm.size - 1
    total = weft.reduce(comm, np.array([comm.rank, 1]), root=root)
    assert (total is None) == (comm.rank != root)
    if total is not None:
        assert total.tolist() == [sum(range(comm.size)), comm.size]
    assert weft.scan(comm, np.array([comm.rank])).tolist() == [sum(range(comm.rank + 1))]
    assert weft.scan(comm, np.array(str(comm.rank), "U9"), np.char.add) == "".join(map(str, range(comm.rank + 1)))


def test_nan_wins(comm):
    mine = np.array([np.nan if comm.rank == comm.size - 1 else 1.0])
    assert np.isnan(weft.all_reduce(comm, mine, "min")).all() and np.isnan(weft.all_reduce(comm, mine, "max")).all()


def test_broadcast_and_gathers(comm):
    array = np.arange(5.0)
    assert np.array_equal(weft.broadcast(comm, array if comm.rank == comm.size - 1 else None, comm.size - 1), array)
    gathered = weft.gather(comm, np.full(comm.rank, comm.rank))
    assert (gathered is None) == (comm.rank != 0)
    if gathered is not None:
        assert [each.tolist() for each in gathered] == [[r] * r for r in range(comm.size)]
    assert weft.all_gather(comm, {"rank": comm.rank}) == [{"rank": r} for r in range(comm.size)]


def _raise(a, b):
    raise ZeroDivisionError("in the operator")


def test_an_operator_that_raises(comm):
    if comm.size == 1:
        pytest.skip("nothing to combine")
    with pytest.raises((ZeroDivisionError, weft.RemoteError), match="in the operator"):
        weft.all_reduce(comm, np.ones(3), _raise)
    assert int(weft.all_reduce(comm, 1)) == comm.size


def test_what_differs_between_ranks(comm):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    first = comm.rank == 0
    with pytest.raises(weft.UsageError, match="where rank 0 calls all_reduce of <f8"):
        weft.all_reduce(comm, np.ones(3 if first else 4))
    with pytest.raises(weft.UsageError, match="rank 1 calls all_reduce of <f4"):
        weft.all_reduce(comm, np.ones(3, np.float64 if first else np.float32))
    with pytest.raises(weft.UsageError, match="by sum"):
        weft.all_reduce(comm, 1.0, "sum" if first else "max")
    with pytest.raises(weft.UsageError, match="reduce"):
        weft.reduce(comm, 1.0) if first else weft.scan(comm, 1.0)


@pytest.mark.parametrize("values, op, text", [
    ([None], "sum", "values: its dtype object has Python objects"),
    (["a"], "sum", "'sum' takes integers, float32 and float64, not <U1"),
    ([1.0], "median", "op: 'median' is no operator"),
    ([1.0], 3, "op: expected a name or a function of two arrays, not int"),
    (np.ones(1, ">f8"), "sum", "another byte order"),
    (np.ones(1, np.float16), "sum", "not float16"),
])
def test_bad_arguments_of_one_rank_are_errors_of_all(comm, values, op, text):
    with pytest.raises(weft.UsageError, match=text):
        weft.all_reduce(comm, values if comm.rank == 0 else [1.0], op if comm.rank == 0 else "sum")


def test_bad_roots(comm):
    with pytest.raises(weft.UsageError, match="root: 9 is no rank"):
        weft.reduce(comm, 1.0, root=9)
    with pytest.raises(weft.UsageError):
        weft.broadcast(comm, 1, comm.size)


def test_values_that_do_not_pickle(comm):
    last = comm.size - 1
    for call in (weft.gather, weft.all_gather):
        with pytest.raises(Exception) as caught:
            call(comm, (lambda: 0) if comm.rank == last else 0)
        assert comm.rank == last or isinstance(caught.value, weft.RemoteError) and caught.value.rank == last
    with pytest.raises(Exception):
        weft.broadcast(comm, lambda: 0)
