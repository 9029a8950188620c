"""A first look at the package on two ranks or more: each kind of call once, with answers known by heart. mpirun -n 2 python3 smoke.py

It takes seconds and needs numpy alone, so it runs with the first tier of tests; the tests beside it go deeper.
"""

import numpy as np

import weft

comm = weft.Communicator()
ranks = np.arange(comm.size)


def exchanges():
    inbox = weft.exchange(comm, ranks, np.full(comm.size, comm.rank))
    assert inbox.array.tolist() == ranks.tolist() and inbox.reply(inbox.array * 2).tolist() == [2 * comm.rank] * comm.size
    assert weft.Route(comm, [0]).send([comm.rank]).tolist() == (ranks.tolist() if comm.rank == 0 else [])
    table = weft.exchange(comm, 0, {"id": [comm.rank], "name": ["x" * comm.rank]}).table
    assert comm.rank > 0 or table["name"].tolist() == ["x" * rank for rank in ranks]


def collectives():
    assert weft.all_reduce(comm, 2.5) == 2.5 * comm.size and weft.scan(comm, 1) == comm.rank + 1
    big = np.arange(100_000.0)
    assert (weft.broadcast(comm, big if comm.rank == 0 else None) == big).all()
    parts = weft.gather(comm, big + comm.rank)
    assert comm.rank > 0 or all((part == big + rank).all() for rank, part in enumerate(parts))


def mailboxes():
    seen = []
    with weft.Mailbox(comm) as mail:
        squares = mail.service(np.int64, np.int64, lambda asked: asked * asked)
        hops = mail.channel(np.int64, lambda batch: [hops.send((comm.rank + 1) % comm.size, [left - 1]) if left else seen.append(1) for left in batch])
        hops.send(comm.rank, [5])
        answers = squares.ask(0, [3, 4])
        mail.drain()
    assert answers.tolist() == [9, 16] and weft.all_reduce(comm, len(seen)) == comm.size


def blocks():
    owned = weft.BlockSet(comm, 4, lambda id: {"id": id})
    owned.exchange(lambda block, port: port.send((block["id"] + 1) % 4, [block["id"]]), int)
    received = {}
    owned.exchange(lambda block, port: received.update({block["id"]: port.received().tolist()}), int)
    assert received == {id: [(id - 1) % 4] for id in owned.ids}


def frames_and_graphs():
    assert weft.number_ids(comm, [30, 10])[0].tolist() == [1, 0]
    assert weft.components("grid:3x3", comm=comm).components == 1
    assert weft.bfs([[0, 1], [1, 2]] if comm.rank == 0 else [], 0, vertices=3, comm=comm).levels == [1, 1, 1]


def volumes():
    volume = np.zeros((6, 5, 4))
    volume[0], volume[3:5] = 1, 2
    found = weft.label(volume, 1, comm=comm)
    whole = found.gather()
    assert found.components == 2 and (comm.rank > 0 or np.unique(whole).tolist() == [0, 1, 2])
    assert weft.histogram(volume, 3, comm=comm).counts.tolist() == [60, 20, 40]


def errors():
    """What is wrong on one rank is an exception on all."""
    try:
        weft.exchange(comm, [comm.size if comm.rank == 0 else 0], [1])
    except weft.UsageError as error:
        assert f"is {comm.size}, which is no rank" in str(error)
    else:
        raise AssertionError("a destination that is no rank")


for each in (exchanges, collectives, mailboxes, blocks, frames_and_graphs, volumes, errors):
    each()
    weft.barrier(comm)
if comm.rank == 0:
    print(f"all of it is right on {comm.size} ranks of weft {weft.__version__} with numpy {np.__version__}")
