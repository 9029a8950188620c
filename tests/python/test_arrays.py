"""What counts as an array, and that it is not copied where that is not needed."""

import array
import ctypes

import numpy as np
import pytest

import weft


class OnlyDlpack:
    """What a library without numpy gives."""

    def __init__(self, of):
        self._of = of

    def __dlpack__(self, *arguments, **options):
        return self._of.__dlpack__(*arguments, **options)

    def __dlpack_device__(self):
        return self._of.__dlpack_device__()


def kinds_of_arrays(numbers):
    yield numbers
    yield numbers.tolist()
    yield memoryview(numbers)
    yield array.array("d", numbers.tolist())
    yield (ctypes.c_double * len(numbers))(*numbers)
    yield OnlyDlpack(numbers)
    yield np.repeat(numbers, 2)[::2]


def test_every_kind_goes_in(comm):
    numbers = np.arange(6.0) + comm.rank
    for each in kinds_of_arrays(numbers):
        inbox = weft.exchange(comm, OnlyDlpack(np.full(6, comm.rank)), each)
        assert inbox.array.tolist() == numbers.tolist()
        assert weft.all_reduce(comm, each).tolist() == (np.arange(6.0) * comm.size + sum(range(comm.size))).tolist()
        assert weft.ExchangePlan(comm, [comm.rank], [6]).exchange(each).tolist() == numbers.tolist()


def test_every_kind_comes_out(comm):
    received = weft.exchange(comm, [comm.rank] * 3, [1.0, 2.0, 3.0])[comm.rank]
    assert memoryview(received).tolist() == [1.0, 2.0, 3.0]
    assert np.from_dlpack(received).ctypes.data == received.ctypes.data


def test_received_arrays_are_views(comm):
    inbox = weft.exchange(comm, {comm.rank: np.arange(1000.0)}, dtype=float)
    first, again = inbox[comm.rank], inbox[comm.rank]
    assert first.ctypes.data == again.ctypes.data and np.shares_memory(first, inbox.array)
    del inbox, again
    assert first.sum() == 499500.0  # which keep what they show


def test_results_go_where_they_are_asked_for(comm):
    """Into a buffer that is not numpy's, in place."""
    plan = weft.ExchangePlan(comm, [comm.rank], [4])
    into = array.array("d", [0.0] * 4)
    made = plan.exchange(np.arange(4.0), into)
    assert into.tolist() == [0.0, 1.0, 2.0, 3.0] and np.shares_memory(made, np.asarray(memoryview(into)))
    counts = array.array("q", [0] * 3)
    with weft.Mailbox(comm) as mail:
        count = mail.channel(np.int64, weft.handlers.add_at(counts))
        count.send(comm.rank, [1, 1, 2])
        mail.drain()
    assert counts.tolist() == [0, 2, 1]


def test_large_arrays_are_not_copied_on_their_way_in(comm):
    """What a dict sends to this rank itself is copied once, by the receiver."""
    import tracemalloc

    large = np.zeros(1_000_000)
    tracemalloc.start()
    inbox = weft.exchange(comm, {comm.rank: large}, dtype=float)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < large.nbytes // 2 and inbox[comm.rank].shape == large.shape


def test_what_is_no_array(comm):
    class Broken(OnlyDlpack):
        def __dlpack__(self, *arguments, **options):
            raise BufferError("on another device")

    for bad, text in [(Broken(np.ones(2)), "array: it is no array: on another device"), (object(), "array: its dtype object"),
                      ([[1], [1, 2]], "array: it is no array")]:
        with pytest.raises(weft.UsageError, match=text):
            weft.exchange(comm, [0, 0], bad if comm.rank == 0 else np.ones(2))


def test_masks_are_heeded_or_refused(comm):
    masked = np.ma.array([1.0, 9.0], mask=[False, True])
    volume = np.ma.array(np.ones((3, 3)), mask=np.eye(3))
    for call in (lambda: weft.exchange(comm, [comm.rank] * 2, masked), lambda: weft.all_reduce(comm, masked),
                 lambda: weft.label(volume.astype(int), 1, comm=comm)):
        with pytest.raises(weft.UsageError, match="masked"):
            call()
    assert weft.all_reduce(comm, np.ma.array([1.0], mask=[False])).tolist() == [comm.size]
    assert weft.label(volume, 1, comm=comm).foreground == 6 and weft.histogram(volume, 3, comm=comm).missing == 3


def test_ranks_are_kept_for_replies(comm):
    """An array of 32-bit ranks is used where it is; answers come back as it was."""
    for dtype in (np.int32, np.int64):
        ranks = (np.arange(64) * 7 % comm.size).astype(dtype)
        inbox = weft.exchange(comm, ranks, np.arange(64))
        ranks[:] = 0
        assert inbox.reply(inbox.array).tolist() == list(range(64))


def test_nothing_piles_up(comm):
    """References, and buffers by the memory of the process, over 10^4 operations."""
    import gc
    import resource
    import sys

    items, to = np.arange(64.0), np.full(64, comm.rank)
    blocks = weft.BlockSet(comm, comm.size, lambda id: [0])
    plan = weft.ExchangePlan(comm, [comm.rank], [64])
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.float64, lambda batch: None)

        def some(times):
            for _ in range(times):
                weft.exchange(comm, to, items)
                plan.exchange(items)
                channel.send(to, items)
                mail.drain()
                blocks.exchange(lambda block, port: port.send(port.id, port.received()), np.float64)
                weft.all_reduce(comm, items)

        some(200)
        gc.collect()
        before = sys.getrefcount(items), sys.getrefcount(to), len(gc.get_objects())
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        some(1800)
        gc.collect()
        after = sys.getrefcount(items), sys.getrefcount(to), len(gc.get_objects())
    assert before[:2] == after[:2] and abs(after[2] - before[2]) < 50
    # A buffer of 512 bytes lost in each of 9,000 operations would be more.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 3000


STRUCT = np.dtype([("a", "i4"), ("b", "f8", 2)])


@pytest.mark.parametrize("given, dtype, wanted", [
    ([1, 2], "i1", [1, 2]), (np.array([255], "u8"), "u1", [255]), ([True], "f4", [1.0]), ([3], "f8", [3.0]), ([0.1], "f4", None),
    (["ab"], "U3", ["ab"]), ([b"ab"], "S3", [b"ab"]), ([], STRUCT, []), ([(1, (2, 3))], STRUCT, None),
    (np.array(["NaT", "2020-01-01"], "M8[s]"), "M8[D]", None), ([np.inf], "f4", [np.inf]), (1.5, "f4", 1.5),
])
def test_conversions_that_lose_nothing(given, dtype, wanted):
    made = weft._arrays.converted("x", given, np.dtype(dtype))
    assert made.dtype == np.dtype(dtype) and (wanted is None or made.tolist() == wanted)


@pytest.mark.parametrize("given, dtype", [
    ([300], "i1"), (np.array([2**63], "u8"), "i8"), ([-1], "u8"), ([1.0], "i4"), ([2**53 + 1], "f8"), ([2**24 + 1], "f4"), ([1e300], "f4"),
    (["abc"], "U2"), ([b"abcd"], "S3"), ([5], "S4"), (["5"], "i4"), ([1], bool), ([1j], "f8"), ([1], "M8[s]"),
    (np.array(["2020-01-01T12"], "M8[h]"), "M8[D]"), (np.array([1500], "m8[ms]"), "m8[s]"), ([object()], "f8"), ([2**70], "i8"),
    ([(1.7, (0, 0))], STRUCT), ([(1, 2)], [("a", "i4")]), (np.zeros(1, [("b", "i4")]), [("a", "i4")]),
    (np.array([(2**40,)], [("a", "i8")]), [("a", "i4")]),
])
def test_conversions_that_lose_something(given, dtype):
    with pytest.raises(weft.UsageError, match="x"):
        weft._arrays.converted("x", given, np.dtype(dtype))
