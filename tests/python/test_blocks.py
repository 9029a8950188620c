import numpy as np
import pytest

import weft

BLOCKS = 7


def ring(blocks=BLOCKS):
    return [sorted({(b - 1) % blocks, (b + 1) % blocks}) for b in range(blocks)]


def owner(comm, block, blocks=BLOCKS):
    share, more = divmod(blocks, comm.size)
    return next(rank for rank in range(comm.size) if block < (rank + 1) * share + min(rank + 1, more))


def test_blocks_are_a_mapping(comm):
    blocks = weft.BlockSet(comm, BLOCKS, lambda id: [id])
    assert blocks.blocks == BLOCKS and list(blocks) == blocks.ids
    assert blocks.ranks.tolist() == [owner(comm, b) for b in range(BLOCKS)]
    assert [blocks[id] for id in blocks] == [[id] for id in blocks]
    for id in blocks:
        blocks[id] = {"now": id}
    assert [each["now"] for each in blocks.values()] == blocks.ids
    with pytest.raises(KeyError):
        blocks[BLOCKS]


@pytest.mark.parametrize("assignment", ["contiguous", "round_robin", "table"])
def test_rounds_among_neighbours(comm, assignment):
    table = [(3 * b + 1) % comm.size for b in range(BLOCKS)]
    blocks = weft.BlockSet(comm, ring(), lambda id: np.full(3, float(id)),
                           assignment=table if assignment == "table" else assignment)
    if assignment != "contiguous":
        assert blocks.ranks.tolist() == (table if assignment == "table" else [b % comm.size for b in range(BLOCKS)])

    def tell(block, port):
        for neighbor in port.link:
            port.send(neighbor, block)

    def average(block, port):
        block += sum(items for _, items in port.messages())
        assert port.received().shape == (0,)

    assert blocks.exchange(tell, float) == 2 * BLOCKS
    blocks.for_each_port(average, float)
    for id, block in blocks.items():
        assert block.tolist() == [float(id + (id - 1) % BLOCKS + (id + 1) % BLOCKS)] * 3
    assert blocks.exchange() == 0


def test_sources_and_shapes(comm):
    blocks = weft.BlockSet(comm, BLOCKS, lambda id: {})
    kind = (np.int32, (2,))

    def scatter(block, port):
        to = np.arange(2 * BLOCKS) % BLOCKS
        port.send(to, np.stack([to, np.full(len(to), port.id)], axis=1))

    def gather(block, port):
        for source, items in port.messages():
            block[source] = items  # may be kept

    blocks.exchange(scatter, kind)
    blocks.for_each_port(gather, kind)
    for id, block in blocks.items():
        assert list(block) == list(range(BLOCKS))
        assert all(items.tolist() == [[id, source]] * 2 and items.dtype == np.int32 for source, items in block.items())


def test_objects_travel(comm):
    blocks = weft.BlockSet(comm, BLOCKS, lambda id: None)
    heard = {}

    def hear(block, port):
        heard[port.id] = port.received()

    blocks.exchange(lambda block, port: port.send((port.id + 1) % BLOCKS, {"from": port.id}))
    blocks.for_each_port(hear)
    assert heard == {id: [{"from": (id - 1) % BLOCKS}] for id in blocks}


def test_rounds_until_nothing_is_left(comm):
    """A token goes around; the result of a round counts messages and blocks that are not done."""
    blocks = weft.BlockSet(comm, ring(), lambda id: [0])

    def pass_on(block, port):
        tokens = port.received()
        if port.id == 0 and block[0] == 0:
            tokens = np.array([0])
        for hops in tokens.tolist():
            block[0] += 1
            if hops < 20:
                port.send((port.id + 1) % BLOCKS, [hops + 1])

    rounds = 0
    while blocks.exchange(pass_on, np.int64) > 0:
        rounds += 1
    assert rounds == 20 and blocks.all_reduce(lambda block, id: block[0]) == 21


@pytest.mark.parametrize("termination", ["counted_waves", "four_counters", "barrier_consensus"])
def test_iexchange_walks_until_quiet(comm, termination):
    blocks = weft.BlockSet(comm, ring(), lambda id: {"seen": 0, "first": True}, termination=termination)

    def walk(block, port):
        left = port.received()
        if block["first"]:
            left, block["first"] = np.append(left, 30 + port.id), False
        block["seen"] += len(left)
        left = left[left > 0] - 1
        port.send(np.full(len(left), (port.id + 1) % BLOCKS), left)
        return True

    blocks.iexchange(walk, np.int64)
    assert blocks.all_reduce(lambda block, id: block["seen"]) == sum(31 + b for b in range(BLOCKS))
    calls = {id: 0 for id in blocks}

    def not_done(block, port):
        calls[port.id] += 1
        return np.bool_(calls[port.id] == 3)

    blocks.iexchange(not_done)
    assert set(calls.values()) <= {3}


def test_neighbours_alone(comm):
    blocks = weft.BlockSet(comm, ring(), lambda id: [id, 0])

    def step(block, port):
        block[1] += int(port.received().sum())
        for neighbor in port.link:
            port.send(neighbor, [block[0]])

    for _ in range(3):
        blocks.exchange_neighbors(step, np.int64)
    blocks.exchange()
    blocks.for_each_port(lambda block, port: block.__setitem__(1, block[1] + int(port.received().sum())), np.int64)
    assert [block[1] for block in blocks.values()] == [3 * sum(ring()[id]) for id in blocks]
    blocks.exchange_neighbors(step if comm.rank else 3, np.int64)
    with pytest.raises(weft.UsageError if comm.rank == 0 else weft.RemoteError, match="callback: expected a function, not int"):
        blocks.exchange()


def test_reductions(comm):
    blocks = weft.BlockSet(comm, BLOCKS, lambda id: np.array([id, 1.0]), assignment="round_robin")
    total = sum(range(BLOCKS))
    assert blocks.all_reduce(lambda block, id: block).tolist() == [total, BLOCKS]
    assert blocks.all_reduce(lambda block, id: id, "max") == BLOCKS - 1
    assert blocks.all_reduce(lambda block, id: str(id), lambda a, b: a + b) == "".join(map(str, range(BLOCKS)))
    kept = blocks.merge_reduce(lambda block, id: [id], lambda a, b: a + b, k=2, root=3)
    assert kept == ({3: list(range(BLOCKS))} if 3 in blocks else {})
    partial = blocks.merge_reduce(lambda block, id: 1, k=[3])
    assert sum(weft.all_gather(comm, sum(partial.values()))) == BLOCKS
    assert sum(weft.all_gather(comm, len(partial))) == 3
    assert blocks.scan(lambda block, id: id) == {id: sum(range(id + 1)) for id in blocks}
    assert blocks.broadcast(2, lambda block, id: (id, block[0])) == (2, 2.0)


def test_reductions_of_arrays(comm):
    blocks = weft.BlockSet(comm, 6, lambda id: np.arange(24.0).reshape(4, 6) * (id + 1))
    expected = np.arange(24.0) * 21
    shares = blocks.swap_reduce(lambda block, id: block, k=3)
    assert list(shares) == blocks.ids
    for first, share in shares.values():
        assert np.array_equal(share, expected[first : first + 4])
    firsts = sorted(first for of in weft.all_gather(comm, [first for first, _ in shares.values()]) for first in of)
    assert firsts == [0, 4, 8, 12, 16, 20]
    blocks = weft.BlockSet(comm, 6, lambda id: np.full((2, 2), id))
    blocks.all_reduce_arrays(lambda block, id: block, np.maximum)
    assert all((block == 5).all() for block in blocks.values())


def test_blocks_move(comm, shared_folder):
    blocks = weft.BlockSet(comm, ring(), lambda id: {"id": id})
    blocks.exchange(lambda block, port: port.send(port.link[0], [port.id]), np.int64)
    last = comm.size - 1
    blocks.move({id: last for id in blocks})  # with the messages that wait
    assert blocks.ids == (list(range(BLOCKS)) if comm.rank == last else [])
    heard = []
    blocks.for_each_port(lambda block, port: heard.append((block["id"], port.received().tolist())), np.int64)
    if comm.rank == last:
        told = {b: [source for source in range(BLOCKS) if ring()[source][0] == b] for b in range(BLOCKS)}
        assert heard == list(told.items())
    before, after, moved = blocks.balance(lambda block, id: 1.0)
    assert before == comm.size and after < 2 and (moved > 0) == (comm.size > 1)
    blocks.save(shared_folder / "saved")
    again = weft.BlockSet.load(comm, shared_folder / "saved")
    assert [block["id"] for block in again.values()] == again.ids and again.blocks == BLOCKS


def test_what_a_callback_raises_is_raised_on_all_ranks(comm):
    blocks = weft.BlockSet(comm, BLOCKS, lambda id: id)

    def bad(block, port):
        if block == BLOCKS - 1:
            raise ZeroDivisionError("in block 6")

    here = owner(comm, BLOCKS - 1) == comm.rank
    for call in (blocks.exchange, blocks.iexchange):
        with pytest.raises(ZeroDivisionError if here else weft.RemoteError, match="in block 6") as caught:
            call(bad, float)
        assert not here or caught.traceback[-1].name == "bad"
    with pytest.raises(ZeroDivisionError if here else weft.RemoteError):
        blocks.for_each(lambda block, id: 1 // (id - BLOCKS + 1))
    with pytest.raises(ZeroDivisionError if here else weft.RemoteError):
        weft.BlockSet(comm, BLOCKS, lambda id: 1 // (id - BLOCKS + 1))
    assert blocks.exchange(lambda block, port: None, float) == 0


def test_ports_end_with_their_callbacks(comm):
    blocks = weft.BlockSet(comm, comm.size, lambda id: id)
    ports = []
    blocks.for_each_port(lambda block, port: ports.append(port), float)
    with pytest.raises(weft.UsageError, match="port: its callback is over"):
        ports[0].send(0, [1.0])


def test_messages_of_another_dtype(comm):
    blocks = weft.BlockSet(comm, comm.size, lambda id: id)
    blocks.exchange(lambda block, port: port.send(port.id, [1.0]), float)
    with pytest.raises((weft.WireError, weft.RemoteError), match="items of another dtype; this callback takes <i8"):
        blocks.exchange(lambda block, port: port.received(), np.int64)


@pytest.mark.parametrize("make, text", [
    (lambda comm, bad: weft.BlockSet(comm, "six" if bad else 6, int), "decomposition: expected .* not str"),
    (lambda comm, bad: weft.BlockSet(comm, object() if bad else 6, int), "decomposition: expected RegularGrid"),
    (lambda comm, bad: weft.BlockSet(comm, 6, 3 if bad else int), "make: expected a function, not int"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int, assignment="mine" if bad else "contiguous"), "assignment: 'mine'"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int, assignment=[0] * (5 if bad else 6)), "assignment: of 5 blocks"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int, assignment=[comm.size if bad else 0] * 6), "assignment: ranks are"),
    (lambda comm, bad: weft.BlockSet(comm, [[1], []], int), "block 0 names block 1"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).exchange(7 if bad else print, float), "callback: expected a function"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).exchange(lambda b, p: None, object if bad else float), "dtype: its dtype object"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).iexchange(lambda b, p: None, "nothing" if bad else float), "dtype"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).all_reduce(lambda b, i: b, "mean" if bad else "sum"), "op: 'mean'"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).merge_reduce(lambda b, i: b, k="2" if bad else 2), "k: '2'; expected an integer"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).merge_reduce(lambda b, i: b, k=[2, 1]), "k: 1; expected at least 2"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).broadcast(6, lambda b, i: b), "root: there is no block 6"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).swap_reduce(lambda b, i: [1] if bad else np.ones(6)), "array of block 0"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).swap_reduce(lambda b, i: np.ones(5 + (i == 0))), "array: blocks have"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).all_reduce_arrays(
        lambda b, i: np.ones(6, "c16" if bad else "f8")), "op: 'sum' takes integers"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).move({0: comm.size} if bad else {}), "rank"),
    (lambda comm, bad: weft.BlockSet(comm, 6, int).balance(lambda b, i: -1.0), "cost"),
])
def test_bad_arguments_of_one_rank_are_errors_of_all(comm, make, text):
    with pytest.raises(weft.UsageError, match=text):
        make(comm, comm.rank == 0)


def test_bad_arguments_in_callbacks(comm):
    blocks = weft.BlockSet(comm, comm.size, lambda id: id)
    for to, items, text in [(comm.size, [1.0], "block"), (0, ["a"], "items: expected items of float64"), (0, [[1.0]], "items: their shape"),
                            ([0], [1.0, 2.0], "to: int64 of shape"), ([0.5], [1.0], "to: float64")]:
        with pytest.raises(weft.UsageError if comm.rank == 0 else weft.RemoteError, match=text):
            blocks.exchange(lambda block, port: port.send(to, items) if comm.rank == 0 else None, float)


def test_items_of_ports_lose_nothing(comm):
    blocks = weft.BlockSet(comm, comm.size, lambda id: id)
    for dtype, items in (("i4", np.array([2**40 + 7])), ("i1", np.array([300])), ("S4", [b"abcdefgh"]), ("M8[D]", np.array(["2020-01-01T12"], "M8[h]"))):
        with pytest.raises(weft.UsageError if comm.rank == 0 else weft.RemoteError, match="out of range or would be cut"):
            blocks.exchange(lambda block, port: port.send(0, items) if comm.rank == 0 else None, dtype)


def test_loading_what_is_no_set(comm, shared_folder):
    with pytest.raises(weft.InputError, match="none"):
        weft.BlockSet.load(comm, shared_folder / "none")


def test_blocks_are_let_go_of(comm):
    import gc
    import weakref

    class Block:
        pass

    blocks = weft.BlockSet(comm, comm.size, lambda id: Block())
    seen = [weakref.ref(each) for each in blocks.values()]
    for _ in range(50):
        blocks.exchange(lambda block, port: port.send(port.id, [block.__class__.__name__]))
    blocks.close()
    gc.collect()
    assert [each() for each in seen] == [None]
    with pytest.raises(weft.UsageError, match="blocks: the set was closed"):
        blocks.ids


IN_CALLBACKS = {
    "close": lambda blocks: blocks.close(),
    "exchange": lambda blocks: blocks.exchange(),
    "all_reduce": lambda blocks: blocks.all_reduce(lambda b, i: 1),
    "a collective call of the communicator": lambda blocks: weft.all_gather(blocks.comm, 1),
    "another set": lambda blocks: weft.BlockSet(blocks.comm, 2, int),
}


@pytest.mark.parametrize("what", IN_CALLBACKS)
@pytest.mark.parametrize("how", ["exchange", "for_each", "for_each_port", "iexchange", "all_reduce", "swap_reduce", "balance"])
def test_calls_in_callbacks_are_refused(comm, how, what):
    """In the callback of one block of one rank: the others would wait for ever."""
    blocks = weft.BlockSet(comm, 3, lambda id: id)

    def callback(block, port_or_id):
        if block == 0:
            IN_CALLBACKS[what](blocks)
        return np.ones(4) if how == "swap_reduce" else 1.0

    here = owner(comm, 0, 3) == comm.rank
    with pytest.raises(weft.UsageError if here else weft.RemoteError if how != "swap_reduce" else weft.Error, match="in a "):
        getattr(blocks, how)(callback)
        blocks.exchange()  # of for_each_port, this raises
    assert blocks.exchange() == 0


def test_another_communicator_in_a_callback(comm):
    alone = comm.split(comm.rank)
    blocks = weft.BlockSet(comm, comm.size, lambda id: id)
    blocks.for_each(lambda block, id: weft.all_reduce(alone, 1))


def test_blocks_that_refer_to_their_set_are_let_go_of(comm):
    import gc
    import weakref

    gone = []
    for _ in range(20):
        blocks = weft.BlockSet(comm, comm.size, lambda id: {"id": id})
        for block in blocks.values():
            block["set"] = blocks
        gone.append(weakref.ref(blocks))
    del blocks, block
    gc.collect()
    assert [each() for each in gone] == [None] * 20
