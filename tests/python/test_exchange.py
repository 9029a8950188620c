import gc

import numpy as np
import pytest

import weft

POINT = np.dtype([("id", np.int64), ("x", np.float32, 3), ("name", "S5")])


def test_items_go_to_their_destinations(comm):
    to = np.arange(100) % comm.size
    inbox = weft.exchange(comm, to, np.arange(100) + 1000 * comm.rank)
    assert inbox.sources.tolist() == list(range(comm.size))
    for source, items in inbox.items():
        assert items.tolist() == [1000 * source + i for i in range(100) if i % comm.size == comm.rank]
    assert inbox.counts.sum() == len(inbox.array)
    assert inbox.array.tolist() == [x for items in inbox.values() for x in items.tolist()]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.float64, np.complex128, bool, "M8[s]", "S3", POINT,
                                   ">i4"])
def test_dtypes(comm, dtype):
    items = np.zeros(10, dtype)
    items.view(np.uint8)[:] = (np.arange(items.nbytes) % 2 + 0) if dtype is bool else np.arange(items.nbytes) % 100 + 1
    inbox = weft.exchange(comm, np.full(10, (comm.rank + 1) % comm.size), items)
    assert inbox.array.dtype == items.dtype
    assert inbox.array.tobytes() == items.tobytes()


@pytest.mark.parametrize("ranks", [np.int8, np.uint16, np.int64, np.uint64])
def test_dtypes_of_destinations(comm, ranks):
    inbox = weft.exchange(comm, np.full(3, comm.rank, ranks), [1.0, 2.0, 3.0])
    assert inbox.array.tolist() == [1, 2, 3]


def test_trailing_shapes(comm):
    items = np.arange(24.0).reshape(4, 3, 2)
    inbox = weft.exchange(comm, np.full(4, comm.rank), items)
    assert np.array_equal(inbox.array, items)
    assert inbox.counts.tolist() == [4]


def test_items_of_few_and_of_strided_arrays(comm):
    items = np.arange(20)[::2]
    assert weft.exchange(comm, np.full(10, comm.rank), items).array.tolist() == items.tolist()
    assert len(weft.exchange(comm, [], np.empty(0))) == 0
    assert weft.exchange(comm, [], np.empty((0, 2), np.int8)).array.shape == (0, 2)


def test_a_dict_of_arrays(comm):
    right = (comm.rank + 1) % comm.size
    inbox = weft.exchange(comm, {right: np.arange(comm.rank + 1, dtype=np.int16), comm.rank: [0.5]}
                          if right != comm.rank else {right: np.arange(1, dtype=np.int16)})
    left = (comm.rank - 1) % comm.size
    assert inbox[left].tolist() == list(range(left + 1))
    assert inbox[left].dtype == np.int16
    if comm.size > 1:
        assert inbox[comm.rank].tolist() == [0.5]
        with pytest.raises(weft.UsageError, match="different dtypes"):
            inbox.array


def test_a_rank_with_an_empty_dict_receives(comm):
    inbox = weft.exchange(comm, {comm.size - 1: np.ones((2, 3))} if comm.rank == 0 else {})
    assert [items.shape for items in inbox.values()] == ([(2, 3)] if comm.rank == comm.size - 1 else [])
    assert weft.exchange(comm, {}).array.size == 0


def test_a_dict_with_a_dtype(comm):
    big = np.arange(3 * 50000.0).reshape(-1, 3) + comm.rank
    inbox = weft.exchange(comm, {rank: big for rank in range(comm.size)}, dtype=(float, 3))
    for source, items in inbox.items():
        assert np.array_equal(items, big - comm.rank + source)
    inbox[comm.rank][:] = 0
    assert big.sum() != 0  # what a rank sends to itself is a copy


def test_empty_messages_arrive(comm):
    inbox = weft.exchange(comm, {comm.rank: np.empty((0, 2), np.int8)})
    assert inbox.sources.tolist() == [comm.rank] and inbox.counts.tolist() == [0]
    assert inbox[comm.rank].shape == (0, 2)


def test_views_keep_the_inbox_alive(comm):
    view = weft.exchange(comm, np.full(1000, comm.rank), np.arange(1000))[comm.rank]
    gc.collect()
    weft.exchange(comm, np.full(1000, comm.rank), np.zeros(1000))
    assert view.sum() == 499500
    view[:] = 1


def test_an_inbox_is_a_mapping(comm):
    inbox = weft.exchange(comm, [0], [comm.rank])
    assert (comm.size + 1) not in inbox
    with pytest.raises(KeyError):
        inbox[comm.size]
    assert list(inbox) == (list(range(comm.size)) if comm.rank == 0 else [])
    assert repr(inbox) == f"<weft.Inbox: {len(inbox)} items from {len(inbox)} ranks>"


@pytest.mark.parametrize("protocol", weft._exchange.PROTOCOLS)
def test_protocols(comm, protocol):
    inbox = weft.exchange(comm, [(comm.rank + 1) % comm.size], [comm.rank], protocol=protocol)
    assert inbox.array.tolist() == [(comm.rank - 1) % comm.size]


def test_handles_in_another_order(comm):
    array = np.arange(5)
    first = weft.start_exchange(comm, {comm.rank: array})
    second = weft.start_exchange(comm, np.full(5, comm.rank), array)
    array[:] = -1  # it was copied
    handles = [first, second] if comm.rank % 2 else [second, first]
    for each in handles:
        assert each.get()[comm.rank].tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(weft.UsageError, match="is over"):
        first.get()
    with pytest.raises(weft.UsageError, match="is over"):
        first.test()


def test_a_handle_that_is_tested(comm):
    handle = weft.start_exchange(comm, [0], [1])
    while not handle.test():
        pass
    assert handle.get().array.sum() == (comm.size if comm.rank == 0 else 0)


def test_handles_that_are_dropped(comm):
    weft.start_exchange(comm, [0], [1]).close()
    weft.start_exchange(comm, [0], [1])
    assert weft.exchange(comm, [comm.rank], [1]).array.tolist() == [1]


def test_objects(comm):
    received = weft.exchange_objects(comm, {0: ("from", comm.rank), comm.rank: ("from", comm.rank)})
    assert received == {r: ("from", r) for r in (range(comm.size) if comm.rank == 0 else [comm.rank])}


class _NoReturn:
    def __reduce__(self):
        return (int, ("no number",))


def test_objects_that_do_not_pickle(comm):
    with pytest.raises(Exception) as caught:
        weft.exchange_objects(comm, {0: (lambda: 0) if comm.rank == comm.size - 1 else 0})
    assert comm.rank == comm.size - 1 or isinstance(caught.value, weft.RemoteError)
    with pytest.raises(ValueError if comm.rank == 0 else weft.RemoteError, match="no number"):
        weft.exchange_objects(comm, {0: _NoReturn()})


BAD = {
    "no rank": (lambda size: ([size], [1]), r"destinations\[0\] of rank 0 is"),
    "a negative rank": (lambda size: ([-1], [1]), r"destinations\[0\] of rank 0 is -1, which is no rank"),
    "a huge rank": (lambda size: (np.array([2**40]), [1]), "which is no rank"),
    "floats": (lambda size: ([0.5], [1]), "destinations: its dtype is float64; expected integers"),
    "two dimensions": (lambda size: ([[0]], [1]), r"destinations: its shape is \(1, 1\)"),
    "lengths": (lambda size: ([0, 0], [1]), "destinations: 2 of them for 1 items of array"),
    "objects": (lambda size: ([0], [None]), "array: its dtype object has Python objects"),
    "no bytes": (lambda size: ([0], np.empty((1, 0))), "array: its items have no bytes"),
    "no dict": (lambda size: ([0], None), "array: it is missing"),
    "a ragged list": (lambda size: ([0, 0], [[1], [1, 2]]), "array: it is no array"),
    "a dict to no rank": (lambda size: ({size: [1]}, None), "is not a rank"),
    "a dict of objects": (lambda size: ({0: [None]}, None), r"destinations\[0\]: its dtype object"),
    "a dict of words": (lambda size: ({"a": [1]}, None), "destinations: its dtype is <U1; expected integers"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_of_one_rank_are_errors_of_all(comm, case):
    make, text = BAD[case]
    is_dict = isinstance(make(comm.size)[0], dict)
    bad = make(comm.size) if comm.rank == 0 else ({0: [1]}, None) if is_dict else ([0], [1])
    with pytest.raises(weft.UsageError, match=text) as caught:
        weft.exchange(comm, *bad)
    assert isinstance(caught.value, ValueError)
    handle = weft.start_exchange(comm, *bad)
    with pytest.raises(weft.UsageError, match=text):
        handle.get()
    assert weft.exchange(comm, [comm.rank], [7]).array.tolist() == [7]


def test_dtypes_that_differ_between_ranks(comm):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    with pytest.raises(weft.UsageError, match="different sizes"):
        weft.exchange(comm, [0], np.ones(1, np.float32 if comm.rank == 0 else np.float64))
    with pytest.raises(weft.UsageError, match="different types.*<f4.*<i4|different types.*<i4.*<f4"):
        weft.exchange(comm, [0], np.ones(1, np.float32 if comm.rank == 0 else np.int32))
    with pytest.raises(weft.UsageError, match="different"):
        weft.exchange(comm, {0: [1]}, dtype=np.int8 if comm.rank == 0 else np.int64)


def test_an_exception_of_the_caller_is_an_exception_of_all(comm):
    class Bad:
        def __array__(self, *_, **__):
            raise ZeroDivisionError("in __array__")

    with pytest.raises(weft.UsageError, match="array: it is no array: in __array__"):
        weft.exchange(comm, [0], Bad() if comm.rank == 0 else [1])


def test_an_unknown_protocol(comm):
    with pytest.raises(weft.UsageError, match="protocol: 'fast' is not known; expected one of automatic, nbx"):
        weft.exchange(comm, [0], [1], protocol="fast")


def test_plans_and_their_inverse(comm):
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    plan = weft.ExchangePlan(comm, [right], [comm.rank + 1])
    assert plan.destinations.tolist() == [right] and plan.sources.tolist() == [left]
    assert plan.incoming_offsets.tolist() == [0, left + 1]
    for dtype in (np.float64, POINT, (np.int16, 3)):
        items = np.zeros(comm.rank + 1, dtype)
        items.view(np.uint8)[...] = comm.rank + 1
        there = plan.exchange(items)
        assert there.shape[0] == left + 1 and set(there.tobytes()) == {left + 1}
        assert plan.inverse().exchange(there).tobytes() == items.tobytes()
    into = np.empty(left + 1)
    assert plan.exchange(np.ones(comm.rank + 1), into) is into


def test_bad_arguments_of_plans(comm):
    with pytest.raises(weft.UsageError):
        weft.ExchangePlan(comm, [comm.size] if comm.rank == 0 else [0], [1])
    with pytest.raises(weft.UsageError, match="counts: its dtype is float64"):
        weft.ExchangePlan(comm, [0], [0.5] if comm.rank == 0 else [1])
    plan = weft.ExchangePlan(comm, [0], [1])
    with pytest.raises(weft.UsageError):
        plan.exchange(np.ones(2))
    if comm.size == 1:
        with pytest.raises(weft.UsageError, match="into: it is not contiguous"):
            plan.exchange(np.ones(1), np.ones((4, 4))[:, 1])
        with pytest.raises(weft.UsageError, match="into: it is float32"):
            plan.exchange(np.ones(1), np.ones(1, np.float32))
        read_only = np.ones(1)
        read_only.flags.writeable = False
        with pytest.raises(weft.UsageError, match="into: it is read-only"):
            plan.exchange(np.ones(1), read_only)
    assert plan.exchange(np.ones(1)).sum() == (comm.size if comm.rank == 0 else 0)


@pytest.mark.parametrize("bad, text", [
    ([None] * 50, "array: its dtype object"), (np.ones(3), "3 outgoing items"), (np.ones(50)[:, None, None], "into: it is"),
])
def test_a_bad_run_of_a_plan_is_an_error_of_its_neighbours(comm, bad, text):
    """And the next run finds nothing of it."""
    plan = weft.ExchangePlan(comm, [(comm.rank + 1) % comm.size], [50])
    for _ in range(3):
        if comm.rank < 2:
            with pytest.raises(weft.UsageError, match=text if comm.rank == 0 else "on rank 0"):
                plan.exchange(bad if comm.rank == 0 else np.ones(50), np.empty(50))
        else:
            plan.exchange(np.ones(50))
        assert (plan.exchange(np.full(50, comm.rank)) == (comm.rank - 1) % comm.size).all()


def test_numpy_sees_the_items_of_an_inbox(comm):
    inbox = weft.exchange(comm, np.arange(6) % comm.size, np.arange(6) * 10 + 100)
    for function in (np.asarray, np.sort, np.unique, np.mean, np.max, np.sum):
        assert np.array_equal(function(inbox), function(inbox.array))
    assert np.asarray(inbox, np.float32).dtype == np.float32
    described = weft.exchange(comm, {comm.rank: [1, 2]})
    assert np.asarray(described).tolist() == [1, 2]


@pytest.mark.parametrize("given", [[1], np.array([1], np.int64), np.array([1], np.uint8)])
def test_dtype_of_an_array(comm, given):
    assert weft.exchange(comm, [comm.rank], given, dtype=np.int8).array.dtype == np.int8
    assert weft.exchange(comm, {comm.rank: given}, dtype=np.int8).array.dtype == np.int8
    with pytest.raises(weft.UsageError, match="array: expected items of int8; 300 is out of range"):
        weft.exchange(comm, [comm.rank], [300] if comm.rank == 0 else [1], dtype=np.int8)


@pytest.mark.parametrize("dtype", [np.int64, np.int8, "S3", (np.float32, 2)])
def test_an_empty_list_takes_the_dtype_of_the_others(comm, dtype):
    items = np.ones(1, dtype) if comm.rank == 0 else []
    to = [comm.size - 1] if comm.rank == 0 else []
    inbox = weft.exchange(comm, to, items)
    assert inbox.array.tolist() == (np.ones(1, dtype).tolist() if comm.rank == comm.size - 1 else [])
    assert weft.exchange(comm, to, items).array.dtype == np.dtype(dtype).base
    if comm.size > 2:
        with pytest.raises(weft.UsageError, match="different"):
            weft.exchange(comm, to, np.ones(0, np.int16) if comm.rank == 1 else items)


def test_inboxes_pickle(comm):
    import pickle

    for inbox in (weft.exchange(comm, np.arange(4) % comm.size, np.ones((4, 2))), weft.exchange(comm, {0: [1], comm.rank: "a"}),
                  weft.exchange(comm, [], [])):
        again = pickle.loads(pickle.dumps(inbox))
        assert list(again) == list(inbox) and again.counts.tolist() == inbox.counts.tolist()
        assert all(np.array_equal(again[source], inbox[source]) for source in inbox)
    assert pickle.loads(pickle.dumps(weft.exchange(comm, [0] * 2, [1, 2]))).array.tolist() == [1, 2] * (comm.size if comm.rank == 0 else 0)


def test_a_handle_that_a_coroutine_awaits(comm):
    import asyncio

    turns = []

    async def other():
        while len(turns) < 3:
            turns.append(0)
            await asyncio.sleep(0)

    async def both():
        first, second = (weft.start_exchange(comm, {comm.rank: [value]}) for value in (1, 2))
        found, _, last = await asyncio.gather(first, other(), second)
        return [found[comm.rank].tolist(), last[comm.rank].tolist()]

    assert asyncio.run(both()) == [[1], [2]] and len(turns) == 3


def test_a_handle_ends_with_its_block(comm):
    with weft.start_exchange(comm, [0], [1]) as handle:
        assert handle.get().array.sum() == (comm.size if comm.rank == 0 else 0)
    with pytest.raises(weft.UsageError, match="is over"):
        handle.get()
    with weft.start_exchange(comm, {comm.rank: [1]}) as handle:
        assert repr(handle) == "<weft.PendingExchange>"
    weft.barrier(comm)
