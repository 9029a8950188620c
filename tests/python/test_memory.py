"""Operations that are repeated leave memory as it is, and so do objects in cycles."""

import gc

import numpy as np
import pytest

import weft

WARM, REPEATS = 500, 10_000


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def operations(comm, folder):
    x = np.arange(8.0)
    volume = np.random.default_rng(1).random((4, 4, 4))
    blocks = weft.BlockSet(comm, 4, lambda id: id)
    plan = weft.ExchangePlan(comm, [0], [8])
    to_part, to_block = weft.BlockToPart(comm, 8, [0, 3]), weft.PartToBlock(comm, 8, [0, 3])
    mail = weft.Mailbox(comm)
    channel = mail.channel(np.int64, lambda batch: None)
    service = mail.service(np.int64, np.int64, lambda asked: asked)
    grid = weft.RegularGrid((8,), 2, ghosts=1)
    halo = weft.Halo(comm, grid)
    np.save(folder / "volume.npy", volume)
    opened = weft.open_volume(folder / "volume.npy")
    graph = weft.Graph("grid:3x3")
    matrix = weft.SparseMatrix(([0], [0], [1.0]), shape=(1, 1))
    arrays = {id: np.zeros(grid.shape(id, ghosts=True)) for id in halo.ids}

    def send():
        channel.send(0, [1])
        mail.drain()

    def fail():
        with pytest.raises(weft.UsageError):
            weft.all_reduce(comm, object())

    return {"exchange": lambda: weft.exchange(comm, [0], [1]), "exchange of pieces": lambda: weft.exchange(comm, {0: x}),
            "exchange_objects": lambda: weft.exchange_objects(comm, {0: 1}), "all_reduce": lambda: weft.all_reduce(comm, x),
            "all_reduce by a function": lambda: weft.all_reduce(comm, x, np.add), "broadcast": lambda: weft.broadcast(comm, x),
            "gather": lambda: weft.gather(comm, x), "all_gather": lambda: weft.all_gather(comm, {"x": x}),
            "scatter": lambda: weft.scatter(comm, [x] * comm.size), "exscan": lambda: weft.exscan(comm, 1), "argmin": lambda: weft.argmin(comm, [1.0]),
            "blocks": lambda: blocks.exchange(lambda block, port: (port.received(), port.send(0, [1.0])), float),
            "plan": lambda: plan.exchange(x), "block_to_part": lambda: to_part.exchange(x[: to_part.block_items]),
            "part_to_block": lambda: to_block.reduce(x[:2]), "send": send, "ask": lambda: service.ask(0, [1]),
            "halo": lambda: halo.fill(arrays), "label": lambda: weft.label(volume, 0.5), "errors": fail,
            "array of an inbox": lambda: weft.exchange(comm, {0: x}).array, "route": lambda: weft.Route(comm, [0]).send([1.0]),
            "part of a file": lambda: opened[1:3], "label of a file": lambda: weft.label(opened, 0.5),
            "surfaces": lambda: (weft.contour(opened, 0.5), weft.slice(volume, "x=1.5"), weft.threshold(volume, 0.5)),
            "surfaces of files that are opened": lambda: weft.contour(weft.open_volume(folder / "volume.npy"), 0.5),
            "graph": lambda: graph.bfs(0), "matrix": lambda: matrix @ np.ones(1)}


def one_mailbox(comm):
    mail = weft.Mailbox(comm)

    def hop(batch):
        channel.send(0, batch[batch > 0] - 1)

    channel = mail.channel(np.int64, hop)
    channel.send(0, [3])
    mail.drain()


def one_set(comm):
    blocks = weft.BlockSet(comm, 2, lambda id: {"id": id})
    for block in blocks.values():
        block["set"] = blocks


@pytest.mark.parametrize("quarter", range(4))
def test_memory_stays_flat(comm, tmp_path, quarter):
    if comm.size > 1:
        pytest.skip("on one rank, where nobody else takes memory")
    every = {**operations(comm, tmp_path), "mailboxes in cycles": lambda: one_mailbox(comm), "sets in cycles": lambda: one_set(comm)}
    for name, call in list(every.items())[quarter::4]:
        few = "cycles" in name or "surfaces" in name  # which take a millisecond each
        warm, repeats = (200, 200) if few else (WARM, REPEATS)
        for _ in range(warm):
            call()
        gc.collect()
        before = resident_bytes()
        for _ in range(repeats):
            call()
        gc.collect()
        assert resident_bytes() - before < 2**20, name
