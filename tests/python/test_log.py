"""The logger `weft` tells calls and their times to who listens."""

import logging

import numpy as np
import pytest

import weft


@pytest.fixture
def told(caplog):
    with caplog.at_level(logging.DEBUG, "weft"):
        yield caplog


def test_calls_are_told_with_their_times(comm, told):
    weft.exchange(comm, [comm.rank], [1])
    graph = weft.Graph("grid:3x3", comm=comm)
    graph.bfs(0)
    with weft.Mailbox(comm) as mail:
        mail.drain()
    names = [record.call for record in told.records]
    assert names == ["exchange", "Graph", "Graph.bfs", "Mailbox", "Mailbox.drain", "Mailbox.drain"]  # no calls within calls
    assert all(record.seconds >= 0 and f"{record.seconds:.6f} s" in record.getMessage() for record in told.records)


def test_errors_are_told(comm, told):
    with pytest.raises(weft.UsageError):
        weft.exchange(comm, [comm.size], [1])
    assert told.records[-1].getMessage().startswith("exchange raised UsageError after ")
    weft.barrier(comm)
    assert told.records[-1].call == "barrier"


def test_nobody_listens(comm, caplog):
    with caplog.at_level(logging.INFO, "weft"):
        weft.barrier(comm)
    assert caplog.records == []


class Bar:
    """What tqdm has."""

    total = None
    done = 0

    def update(self, n=1):
        self.done += n


@pytest.mark.parametrize("everywhere", [True, False])
def test_progress_is_told(comm, everywhere):
    place = np.array([[comm.rank, 0.5, 0.0]])
    seen = []
    bar = Bar()
    here = everywhere or comm.rank == comm.size - 1
    plain = weft.nbody(place, place * 0, 1.0, steps=4, softening=0.1, comm=comm)
    found = weft.nbody(place, place * 0, 1.0, steps=4, softening=0.1, comm=comm, progress=(lambda *told: seen.append(told)) if here else None)
    weft.nbody(place, place * 0, 1.0, steps=4, softening=0.1, comm=comm, progress=bar if here else None)
    assert seen == ([(1, 4), (2, 4), (3, 4), (4, 4)] if here else []) and (bar.total, bar.done) == ((4, 4) if here else (None, 0))
    assert found.positions.tolist() == plain.positions.tolist()

    def stop(done, steps):
        if done == 2 and comm.rank == 0:
            raise KeyError("enough")

    with pytest.raises(KeyError if comm.rank == 0 else weft.RemoteError, match="enough"):
        weft.nbody(place, place * 0, 1.0, steps=4, softening=0.1, comm=comm, progress=stop)


LONG = {
    "contour": lambda volume, **given: weft.contour(volume, 0.5, **given), "slice": lambda volume, **given: weft.slice(volume, "z=1.5", **given),
    "threshold": lambda volume, **given: weft.threshold(volume, 0.5, **given), "histogram": lambda volume, **given: weft.histogram(volume, 4, **given),
    "render": lambda volume, **given: weft.render(volume, width=8, height=8, **given),
    "trace": lambda volume, **given: weft.trace(np.stack([volume] * 3, axis=3), [[1.0, 1, 1]], max_steps=3, **given),
}


@pytest.mark.parametrize("name", LONG)
def test_phases_are_told(comm, name):
    volume = np.random.default_rng(1).random((5, 6, 7))
    here = comm.rank == comm.size - 1
    seen, bar = [], Bar()
    LONG[name](volume, comm=comm, progress=(lambda *told: seen.append(told)) if here else None)
    phases = 4 if name in ("contour", "slice") else 3
    assert seen == ([(done, phases) for done in range(1, phases + 1)] if here else [])
    LONG[name](volume, comm=comm, progress=bar)
    assert (bar.total, bar.done) == (phases, phases)

    def stop(done, phases):
        if done == 2:
            raise KeyError("enough")

    with pytest.raises(KeyError if here else weft.RemoteError, match="enough"):
        LONG[name](volume, comm=comm, progress=stop if here else None)
    weft.barrier(comm)


ROUNDS = {
    "bfs": lambda **given: weft.bfs("grid:9x9", 0, **given), "pagerank": lambda **given: weft.pagerank("er:300:4", **given),
    "sssp": lambda **given: weft.sssp("grid:9x9", 0, **given), "cores": lambda **given: weft.cores("er:300:4", **given),
    "communities": lambda **given: weft.communities("er:300:4", **given), "betweenness": lambda **given: weft.betweenness("grid:9x9", **given),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds_are_told(comm, name):
    here = comm.rank == comm.size - 1
    seen, bar = [], Bar()
    ROUNDS[name](comm=comm, progress=(lambda *told: seen.append(told)) if here else None)
    if not here:
        assert seen == []
    elif name == "betweenness":
        assert seen == [(done, len(seen)) for done in range(1, len(seen) + 1)] and len(seen) > 1
    else:
        assert seen[:-1] == [(done, 0) for done in range(1, len(seen))] and seen[-1] == (len(seen) - 1,) * 2 and len(seen) > 2
    ROUNDS[name](comm=comm, progress=bar if here else None)
    assert not here or bar.total == bar.done == seen[-1][0]

    def stop(done, rounds):
        raise KeyError("enough")

    with pytest.raises(KeyError if here else weft.RemoteError, match="enough"):
        ROUNDS[name](comm=comm, progress=stop if here else None)
    with pytest.raises(weft.UsageError, match="expected a function of"):
        ROUNDS[name](comm=comm, progress="no" if here else None)
    weft.barrier(comm)
