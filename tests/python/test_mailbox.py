import gc
import weakref

import numpy as np
import pytest

import weft

PAIR = np.dtype([("key", np.int64), ("value", np.float64)])


@pytest.mark.parametrize("termination", ["counted_waves", "four_counters", "barrier_consensus"])
def test_batches_are_handled(comm, termination):
    degree = np.zeros(comm.size, np.int64)
    with weft.Mailbox(comm, termination=termination) as mail:
        channel = mail.channel(np.int32, lambda batch: np.add.at(degree, batch, 1))
        channel.send(np.arange(30000) % comm.size, np.arange(30000) % comm.size)
        mail.drain()
        assert degree[comm.rank] == comm.size * len(range(comm.rank, 30000, comm.size))
        assert degree.sum() == degree[comm.rank]
        assert weft.all_reduce(comm, mail.sent) == weft.all_reduce(comm, mail.handled) == 30000 * comm.size


def test_sources_and_order(comm):
    heard = {}

    def handler(batch, source):
        heard.setdefault(source, []).append(batch)  # batches may be kept

    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.float64, handler)
        channel.send((comm.rank + 1) % comm.size, np.arange(5000.0))
        channel.send(comm.rank, -1.0)
        mail.drain()
    left = (comm.rank - 1) % comm.size
    all_items = {source: np.concatenate(batches).tolist() for source, batches in heard.items()}
    expected = {left: np.arange(5000.0).tolist()}
    expected[comm.rank] = expected.get(comm.rank, []) + [-1.0]
    assert all_items == expected


@pytest.mark.parametrize("dtype", ["i1", "u2", "f4", "f8", "c16", "S3", "S5", "S256", [("a", "i4"), ("b", "f8")]])
def test_dtypes(comm, dtype):
    received = []
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(dtype, lambda batch: received.append(batch))
        items = np.zeros(300, channel.dtype)
        items.view(np.uint8)[:] = np.arange(items.nbytes) % 100 + 1
        channel.send(np.full(300, comm.rank), items)
        mail.drain()
    assert np.concatenate(received).tobytes() == items.tobytes()
    assert received[0].dtype == channel.dtype


def test_handlers_send(comm):
    hops = []
    with weft.Mailbox(comm) as mail:
        def hop(batch):
            hops.extend(batch.tolist())
            left = batch[batch > 0] - 1
            channel.send(np.full(len(left), (comm.rank + 1) % comm.size), left)

        channel = mail.channel(np.int64, hop)
        channel.send(comm.rank, [10])
        mail.drain()
    assert weft.all_reduce(comm, len(hops)) == 11 * comm.size


def test_broadcast(comm):
    heard = []
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, lambda batch, source: heard.extend((source, x) for x in batch.tolist()))
        channel.broadcast([comm.rank, 100 + comm.rank])
        mail.drain()
    assert sorted(heard) == sorted((r, x) for r in range(comm.size) for x in (r, 100 + r))


@pytest.mark.parametrize("index", [np.int32, np.uint32, np.int64, np.uint64])
def test_counting_without_python(comm, index):
    counts = np.zeros(50, np.int32)
    items = np.arange(1000) % 50
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(index, weft.handlers.add_at(counts, first=100))
        channel.send(np.zeros(1000, int), (items + 100).astype(index))
        mail.drain()
    assert counts.tolist() == [20 * comm.size if comm.rank == 0 else 0] * 50


@pytest.mark.parametrize("value", ["i4", "u8", "f4", "f8"])
@pytest.mark.parametrize("how", ["add", "minimum", "maximum"])
def test_updates_of_values(comm, value, how):
    dtype = np.dtype([("index", np.int32), ("value", value)])
    items = np.zeros(200, dtype)
    items["index"] = np.arange(200) % 7
    items["value"] = (np.arange(200) * 37) % 11
    found = np.full(7, 5, value)
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(dtype, getattr(weft.handlers, how + "_at")(found))
        channel.send(np.full(200, comm.rank), items)
        mail.drain()
    expected = np.full(7, 5, value)
    getattr(np, how).at(expected, items["index"], items["value"])
    assert np.array_equal(found, expected)


def test_an_index_out_of_range(comm):
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, weft.handlers.add_at(np.zeros(10)))
        channel.send(comm.size - 1, [comm.rank, 10])
        with pytest.raises(weft.UsageError, match=r"handlers.add_at: index 10 is not in 0..9"):
            mail.drain()


@pytest.mark.parametrize("combine", ["sum", "min", "max"])
def test_combining(comm, combine):
    found = {}

    def handler(batch):
        for key, value in batch.tolist():
            found.setdefault(key, []).append(value)

    items = np.zeros(5000, PAIR)
    items["key"] = np.arange(5000) % 10
    items["value"] = np.arange(5000) + comm.rank
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(PAIR, handler, combine=combine)
        channel.send(items["key"] % comm.size, items)
        mail.drain()
    op = {"sum": sum, "min": min, "max": max}[combine]
    expected = {key: op(float(i + r) for r in range(comm.size) for i in range(key, 5000, 10))
                for key in range(10) if key % comm.size == comm.rank}
    assert {key: op(values) for key, values in found.items()} == expected
    assert sum(map(len, found.values())) < 5000


def test_combining_without_python(comm):
    sums = np.zeros(10)
    items = np.zeros(1000, PAIR)
    items["key"] = np.arange(1000) % 10
    items["value"] = 0.5
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(PAIR, weft.handlers.add_at(sums), combine="sum", key="key")
        channel.send(np.zeros(1000, int), items)
        mail.drain()
        with pytest.raises(weft.UsageError, match="no broadcasts"):
            channel.broadcast(items[:1])
    assert sums.tolist() == [50.0 * comm.size if comm.rank == 0 else 0.0] * 10


def test_services(comm):
    table = np.arange(100.0) * (comm.rank + 1)
    with weft.Mailbox(comm) as mail:
        look_up = mail.service(np.int32, np.float64, lambda asked: table[asked])
        to = np.arange(500) % comm.size
        answers = look_up.ask(to, np.arange(500, dtype=np.int32) % 100)
        assert answers.tolist() == ((np.arange(500) % 100) * (to + 1.0)).tolist()
        mail.drain()


def test_services_that_raise(comm):
    with weft.Mailbox(comm) as mail:
        look_up = mail.service(np.int64, np.int64, lambda asked: asked[:0])
        assert look_up.ask([0], [5]).tolist() == [0]
        with pytest.raises(weft.UsageError if comm.rank == 0 else weft.RemoteError, match="returned an array of shape"):
            mail.drain()


def test_a_handler_that_raises(comm):
    def handler(batch):
        raise ZeroDivisionError("in the handler")

    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, handler)
        if comm.rank == 0:
            channel.send(comm.size - 1, [1])
        failed = comm.rank == comm.size - 1
        with pytest.raises(ZeroDivisionError if failed else weft.RemoteError, match="in the handler") as caught:
            mail.drain()
        if failed:
            assert [entry.name for entry in caught.traceback][-1] == "handler"
        else:
            assert caught.value.rank == comm.size - 1 and "ZeroDivisionError" in str(caught.value)
        mail.drain()  # it can be used again


def test_test_empty_and_poll(comm):
    heard = []
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, heard.extend)
        channel.send(comm.rank, [1])
        while not mail.test_empty():
            pass
        assert mail.poll() in (False, True)
        assert mail.route in ("direct", "node_local", "node_remote", "nlnr")
        assert mail.shares_memory in (False, True)
    assert heard == [1]


def test_a_rank_that_leaves_is_told_to_the_others(comm):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    with pytest.raises(KeyError if comm.rank == 0 else weft.RemoteError):
        with weft.Mailbox(comm) as mail:
            channel = mail.channel(np.int64, lambda batch: None)
            channel.send(comm.rank, [1])
            if comm.rank == 0:
                raise KeyError("leaves")
            mail.drain()


def test_handlers_are_let_go_of(comm):
    class Thing:
        pass

    thing = Thing()
    gone = weakref.ref(thing)
    with weft.Mailbox(comm) as mail:
        mail.channel(np.int64, lambda batch, kept=thing: None)
        del thing
        mail.drain()
    del mail
    gc.collect()
    assert gone() is None


def test_closed_mailboxes(comm):
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, lambda batch: None)
    mail.close()
    for call in (mail.drain, lambda: channel.send(0, [1])):
        with pytest.raises(weft.UsageError, match="it is closed"):
            call()


def test_bad_sends_are_refused_where_they_are(comm):
    with weft.Mailbox(comm) as mail:
        heard = []
        channel = mail.channel(np.int32, heard.extend)
        for to, items, text in [
            ([0, comm.size], [1, 2], "is no rank"),
            (comm.size, [1], "rank"),
            ([0], [1, 2], "destinations: 1 of them for 2 items"),
            ([0], [0.5], "items: expected items of int32"),
            ([0], [2**40], "out of range"),
            ([0.5], [1], "destinations: its dtype is float64"),
        ]:
            with pytest.raises(weft.UsageError, match=text):
                channel.send(to, items)
        mail.drain()
        assert heard == []


@pytest.mark.parametrize("dtype, handler, options, text", [
    (object, print, {}, "dtype: its dtype object has Python objects"),
    ("S257", print, {}, "items of 257 bytes; at most 256"),
    ("what", print, {}, "dtype: data type 'what' not understood"),
    (("i4", 3), print, {}, "has a shape; name it as a field"),
    ("i4", 3, {}, "handler: expected a function"),
    (PAIR, print, {"combine": "median"}, "combine: 'median' is no operator"),
    (PAIR, print, {"combine": "sum", "key": "no"}, "key: the dtype has no field 'no'"),
    ("i4", print, {"combine": "sum"}, "a key and other fields"),
    (PAIR, lambda batch, source: None, {"combine": "sum"}, "handler: it takes a source"),
    ("f8", weft.handlers.add_at(np.zeros(3)), {}, "the index is float64"),
    ("i4", weft.handlers.minimum_at(np.zeros(3)), {}, "a structured dtype of an index and a value"),
    ("i4", weft.handlers.add_at(np.zeros((4, 4))[:, 1]), {}, "it is not contiguous"),
    ("i4", weft.handlers.add_at(np.zeros(3, np.int8)), {}, "its dtype is int8"),
    ("i4", weft.handlers.add_at([1]), {}, "expected an array to write to, not list"),
])
def test_bad_channels_of_one_rank_are_errors_of_all(comm, dtype, handler, options, text):
    with weft.Mailbox(comm) as mail:
        with pytest.raises(weft.UsageError, match=text):
            if comm.rank == 0:
                mail.channel(dtype, handler, **options)
            else:
                mail.channel(np.int32, lambda batch: None)
        mail.drain()


def test_bad_mailboxes(comm):
    with pytest.raises(weft.UsageError, match="route: 'fast' is not known"):
        weft.Mailbox(comm, route="fast" if comm.rank == 0 else "direct")
    with pytest.raises(weft.UsageError, match="buffer_bytes: -1"):
        weft.Mailbox(comm, buffer_bytes=-1 if comm.rank == 0 else None)


def test_channels_that_differ(comm):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    with weft.Mailbox(comm) as mail:
        with pytest.raises(weft.UsageError, match="rank 1 calls channel of <f4 where rank 0 calls channel of <i4"):
            mail.channel(np.int32 if comm.rank == 0 else np.float32, lambda batch: None)


def test_collectives_in_handlers_are_refused(comm):
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, lambda batch: mail.drain())
        channel.send(comm.rank, [1])
        with pytest.raises(weft.UsageError, match="in a handler"):
            mail.drain()


def test_an_array_in_use_is_not_resized(comm):
    counts = np.zeros(10)
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, weft.handlers.add_at(counts))
        with pytest.raises(ValueError):
            counts.resize(10**6)
        channel.send(comm.rank, [1])
        mail.drain()
    assert counts[1] == 1


def test_leaving_drains(comm):
    heard = []
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, heard.extend)
        channel.send((comm.rank + 1) % comm.size, [1, 2, 3])
    assert heard == [1, 2, 3]
    with pytest.raises(ZeroDivisionError if comm.rank == 0 else weft.RemoteError, match="by zero"):
        with weft.Mailbox(comm) as mail:
            mail.channel(np.int64, lambda batch: 1 // 0).send(0, [1])


@pytest.mark.parametrize("call", [
    lambda comm, mail: mail.channel(np.int64, print), lambda comm, mail: mail.service(np.int64, np.int64, abs),
    lambda comm, mail: weft.all_reduce(comm, 1), lambda comm, mail: weft.exchange(comm, [0], [1]),
    lambda comm, mail: weft.start_exchange(comm, [0], [1]), lambda comm, mail: weft.gather(comm, 1),
    lambda comm, mail: weft.BlockSet(comm, 2, int), lambda comm, mail: comm.split(0),
    lambda comm, mail: weft.Mailbox(comm), lambda comm, mail: mail.test_empty(),
])
@pytest.mark.parametrize("of_service", [False, True])
def test_collective_calls_in_a_handler_of_one_rank(comm, call, of_service):
    with weft.Mailbox(comm) as mail:
        channel = mail.channel(np.int64, lambda batch: call(comm, mail))
        service = mail.service(np.int64, np.int64, lambda asked: call(comm, mail))
        if comm.rank == comm.size - 1:
            service.ask(0, [1]) if of_service else channel.send(0, [1])
        with pytest.raises(weft.UsageError if comm.rank == 0 else weft.RemoteError, match="in a handler"):
            mail.drain()
    assert weft.all_gather(comm, 1) == [1] * comm.size


def test_handlers_that_refer_to_their_mailbox_are_let_go_of(comm):
    gone = []
    for _ in range(20):
        mail = weft.Mailbox(comm)

        def hop(batch, mail=mail):
            channel.send(comm.rank, batch[batch > 0] - 1)

        channel = mail.channel(np.int64, hop)
        service = mail.service(np.int64, np.int64, lambda asked, mail=mail: asked)
        channel.send(comm.rank, [3])
        mail.drain()
        gone.append(weakref.ref(mail))
    del mail, channel, service, hop
    gc.collect()
    assert [each() for each in gone] == [None] * 20


def test_answers_that_do_not_fit(comm):
    with weft.Mailbox(comm) as mail:
        large = mail.service(np.int64, np.int32, lambda asked: asked + 2**40)
        assert large.ask([0], [1]).tolist() == [0]
        with pytest.raises(weft.UsageError if comm.rank == 0 else weft.RemoteError, match="answers: expected items of int32"):
            mail.drain()


REORDERED = np.dtype({"names": ["a", "b"], "formats": ["i4", "f8"], "offsets": [8, 0], "itemsize": 16})


def test_fields_in_another_order(comm):
    heard = []
    items = np.zeros(2, REORDERED)
    items["a"], items["b"] = [1, 2], [0.5, 1.5]
    with weft.Mailbox(comm) as mail:
        mail.channel(REORDERED, heard.append).send(comm.rank, items)
    assert np.concatenate(heard).tolist() == [(1, 0.5), (2, 1.5)]
    got = weft.exchange(comm, [comm.rank] * 2, items).array
    assert got.dtype == REORDERED and got.tolist() == items.tolist()
