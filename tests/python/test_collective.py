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


def test_logical_operators(comm):
    first = comm.rank == 0
    assert weft.all_reduce(comm, first, "or") and weft.all_reduce(comm, first, "and") == (comm.size == 1)
    assert weft.all_reduce(comm, np.array([first, True]), "xor").tolist() == [True, comm.size % 2 == 1]
    assert weft.all_reduce(comm, np.array([1 << comm.rank, 7], np.int16), "or").tolist() == [(1 << comm.size) - 1, 7]
    with pytest.raises(weft.UsageError, match="'and' takes truth values and integers"):
        weft.all_reduce(comm, 1.5, "and")
    blocks = weft.BlockSet(comm, 3, lambda id: id)
    assert blocks.all_reduce(lambda block, id: id < 2, "and") is False and blocks.all_reduce(lambda block, id: 1 << id, "or") == 7
    of_ids = weft.PartToBlock(comm, 1, [0]).reduce([1 << comm.rank], "or")
    assert sum(weft.all_gather(comm, of_ids.tolist()), []) == [(1 << comm.size) - 1]


def test_exscan(comm):
    assert weft.exscan(comm, np.array([comm.rank, 1])).tolist() == [sum(range(comm.rank)), comm.rank]
    assert weft.exscan(comm, 2.0, "prod") == 2.0**comm.rank
    assert weft.exscan(comm, comm.rank, "max", initial=-1) == comm.rank - 1
    assert weft.exscan(comm, np.array(str(comm.rank), "U9"), np.char.add, initial="") == "".join(map(str, range(comm.rank)))
    weft.barrier(comm)


@pytest.mark.parametrize("make", [
    lambda r: np.arange(r * 3.0).reshape(r, 3), lambda r: np.array(r), lambda r: np.zeros((0, r), "i2"), lambda r: {"rank": [r]},
    lambda r: np.array([(r, 0.5)], [("a", "i4"), ("b", "f8")]), lambda r: np.array([r, None]), lambda r: np.ma.array([1, r], mask=[True, False]),
    lambda r: np.asfortranarray(np.arange(6 * r).reshape(2, -1)), lambda r: np.float32(r), lambda r: np.array(["ab"] * r), lambda r: b"a" * r,
])
def test_values_of_any_kind_go_to_and_from_any_root(comm, make):
    def check(found, expected):
        assert type(found) is type(expected) and getattr(found, "dtype", None) == getattr(expected, "dtype", None)
        assert np.shape(found) == np.shape(expected) and repr(found) == repr(expected)

    for root in {0, comm.size - 1}:
        check(weft.broadcast(comm, make(root) if comm.rank == root else None, root), make(root))
        gathered = weft.gather(comm, make(comm.rank), root)
        assert (gathered is None) == (comm.rank != root)
        for rank, found in enumerate(gathered or []):
            check(found, make(rank))
        check(weft.scatter(comm, [make(r) for r in range(comm.size)] if comm.rank == root else None, root), make(comm.rank))
    for rank, found in enumerate(weft.all_gather(comm, make(comm.rank))):
        check(found, make(rank))
        if isinstance(found, np.ndarray):
            found[...] = found  # it is the caller's own


def test_bad_scatters(comm):
    for values in ([1] * (comm.size + 1), 5, None):
        with pytest.raises(weft.UsageError, match="values: expected a sequence of"):
            weft.scatter(comm, values)
    with pytest.raises((weft.RemoteError, AttributeError, TypeError, Exception), match="ickle|lambda"):
        weft.scatter(comm, [lambda: 0] * comm.size)


@pytest.mark.parametrize("make", [
    lambda r: np.arange(40000.0).reshape(4, -1) + r, lambda r: np.full(300001 if r % 2 else 0, r, "u1"), lambda r: [r] * 200000,
    lambda r: np.full((100000, 3), r, ">i4") if r % 2 == 0 else "small", lambda r: np.zeros(40000, [("a", "i4"), ("b", "f8")]),
])
def test_large_values_go_straight_into_their_arrays(comm, make):
    def same(found, expected):
        if isinstance(expected, np.ndarray):
            return found.dtype == expected.dtype and np.array_equal(found, expected) and found.flags.writeable
        return found == expected

    for root in range(comm.size):
        given = make(root) if comm.rank == root else None
        found = weft.broadcast(comm, given, root)
        assert same(found, make(root)) and (not isinstance(found, np.ndarray) or not np.shares_memory(found, given))
        gathered = weft.gather(comm, make(comm.rank), root)
        assert (gathered is None) == (comm.rank != root)
        assert all(same(each, make(rank)) for rank, each in enumerate(gathered or []))


@pytest.mark.parametrize("dtype", ["i2", "u8", "f4", "f8", "?"])
def test_places_of_extremes_are_those_of_numpy(comm, dtype):
    every = [np.random.default_rng(r).integers(0, 4, (2, 3)).astype(dtype) if r % 2 == 0 else np.empty(0, dtype) for r in range(comm.size)]
    joined = np.concatenate([each.reshape(-1) for each in every])
    starts = np.cumsum([0] + [each.size for each in every])
    for find in ("argmin", "argmax"):
        place = getattr(weft, find)(comm, every[comm.rank])
        at = int(getattr(joined, find)())
        assert starts[place.rank] + place.position == at and place.value == joined[at] and place.value.dtype == np.dtype(dtype)


def test_places_of_nan_and_of_nothing(comm):
    last = comm.size - 1
    assert weft.argmax(comm, [1.0, np.nan] if comm.rank == last else [9.0])[1:] == (last, 1)
    with pytest.raises(weft.UsageError, match="no rank has any"):
        weft.argmin(comm, np.empty(0))
    with pytest.raises(weft.UsageError, match="argmin takes truth values, integers and floats"):
        weft.argmin(comm, ["a"] if comm.rank == last else [1.0])
