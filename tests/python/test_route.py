"""Routes, and replies to the items of an inbox."""

import pickle

import numpy as np
import pytest

import weft


def destinations_of(rank, size, items):
    return np.random.default_rng(100 + rank).integers(0, size, items)


def test_a_route_sends_what_exchange_sends(comm):
    to = destinations_of(comm.rank, comm.size, 1000)
    route = weft.Route(comm, to)
    for dtype, shape in ((np.float64, ()), (np.int16, (3,)), ([("a", "i4"), ("b", "f8")], ())):
        items = np.zeros((1000, *shape), dtype)
        items.reshape(-1).view(np.uint8)[:] = np.random.default_rng(comm.rank).integers(0, 100, items.nbytes)
        inbox = weft.exchange(comm, to, items)
        there = route.send(items)
        assert there.dtype == items.dtype and there.tobytes() == inbox.array.tobytes()
        assert route.source_of_items.tolist() == inbox.source_of_items.tolist()
        assert route.incoming == len(there)
        assert route.reply(there).tobytes() == items.tobytes()


def test_a_route_writes_into_arrays_of_the_caller(comm):
    to = destinations_of(comm.rank, comm.size, 50)
    route = weft.Route(comm, to)
    there, back = np.empty(route.incoming), np.empty(50)
    for run in range(3):
        items = np.arange(50.0) + 1000 * comm.rank + run
        assert route.send(items, out=there) is there
        there *= 2
        assert route.reply(there, out=back) is back
        assert (back == 2 * items).all()


def test_a_route_whose_destinations_ascend_and_one_of_nothing(comm):
    route = weft.Route(comm, np.sort(destinations_of(comm.rank, comm.size, 20)))
    items = np.arange(20)
    assert (route.reply(route.send(items)) == items).all()
    nothing = weft.Route(comm, [])
    assert nothing.send(np.empty(0)).shape == (0,)
    assert nothing.incoming == 0


def test_errors_of_a_route(comm):
    with pytest.raises(weft.Error, match=f"{comm.size} is no rank"):
        weft.Route(comm, [comm.size] if comm.rank == 0 else [0])
    route = weft.Route(comm, np.arange(4)[::-1] % comm.size)
    with pytest.raises(weft.UsageError):
        route.send(np.zeros(3))  # on all: each is a neighbour of each
    there = route.send(np.arange(4))
    with pytest.raises(weft.UsageError):
        route.reply(np.zeros(len(there) + 1))
    out = np.empty(3)
    with pytest.raises(weft.UsageError, match="out"):
        route.reply(there, out=out)
    assert (route.reply(there) == np.arange(4)).all()


def test_one_wrong_length_is_told_to_the_neighbors(comm):
    route = weft.Route(comm, np.arange(comm.size))
    with pytest.raises(weft.Error):
        route.send(np.zeros(comm.size + (comm.rank == 0)))
    assert weft.all_gather(comm, comm.rank) == list(range(comm.size))


def test_replies_come_back_in_the_order_of_the_items(comm):
    to = destinations_of(comm.rank, comm.size, 300)
    items = np.arange(300) + 1000 * comm.rank
    inbox = weft.exchange(comm, to, items)
    assert (inbox.source_of_items == inbox.array // 1000).all()
    answers = inbox.reply(np.stack([inbox.array, np.full(len(inbox.array), comm.rank)], axis=1))
    assert (answers[:, 0] == items).all()
    assert (answers[:, 1] == to).all()


def test_replies_to_a_dict_are_a_dict(comm):
    last = comm.size - 1
    inbox = weft.start_exchange(comm, {last: np.arange(comm.rank + 2), 0: np.empty(0, int)} if last else {0: np.arange(2)}).get()
    answers = inbox.reply(inbox.array * 3) if len(inbox) else inbox.reply(np.empty(0, int))
    assert answers[last].tolist() == [3 * each for each in range(comm.rank + 2)]
    assert sorted(answers) == sorted({0, last})


def test_an_inbox_that_was_pickled_takes_no_reply(comm):
    inbox = pickle.loads(pickle.dumps(weft.exchange(comm, [comm.rank], [1])))
    with pytest.raises(weft.UsageError, match="unpickled"):
        inbox.reply([1])


def test_one_destination_is_that_of_all_items(comm):
    inbox = weft.exchange(comm, 0, np.arange(3))
    assert inbox.array.tolist() == ([0, 1, 2] * comm.size if comm.rank == 0 else [])
    with pytest.raises(weft.UsageError, match="no rank"):
        weft.exchange(comm, comm.size, np.arange(3))
    with pytest.raises(weft.UsageError, match="integers"):
        weft.exchange(comm, None, [])
