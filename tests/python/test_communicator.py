import inspect
import sys
import threading

import numpy as np
import pytest
from conftest import reads_meshes
from test_agreement import GOOD

import weft


def test_ranks_are_numbered(comm):
    assert 0 <= comm.rank < comm.size
    assert weft.all_gather(comm, comm.rank) == list(range(comm.size))
    assert repr(comm) == f"<weft.Communicator: rank {comm.rank} of {comm.size}>"


def test_split_orders_by_key(comm):
    part = comm.split(comm.rank % 2, -comm.rank)
    members = weft.all_gather(part, comm.rank)
    assert members == sorted((r for r in range(comm.size) if r % 2 == comm.rank % 2), reverse=True)


def test_a_negative_color_is_refused_on_all_ranks(comm):
    with pytest.raises(weft.UsageError):
        comm.split(-1 if comm.rank == 0 else 0)


def test_communicators_of_mpi4py(comm):
    from mpi4py import MPI as mpi

    world = weft.Communicator(mpi.COMM_WORLD)
    assert (world.rank, world.size) == (mpi.COMM_WORLD.rank, mpi.COMM_WORLD.size)
    half = mpi.COMM_WORLD.Split(comm.rank % 2, comm.rank)
    assert weft.Communicator(half).size == half.size
    assert weft.exchange(half, [0], [comm.rank]).array.sum() == (
        sum(range(comm.rank % 2, comm.size, 2)) if half.rank == 0 else 0)
    half.Free()


def test_what_is_no_communicator_is_refused(comm):
    with pytest.raises(weft.UsageError, match="comm: expected a communicator of mpi4py or None, not int"):
        weft.exchange(3, [0], [1])
    from mpi4py import MPI as mpi

    with pytest.raises(weft.UsageError, match="COMM_NULL"):
        weft.Communicator(mpi.COMM_NULL)


def test_calls_of_threads_follow_each_other(comm):
    parts = [comm.split(0) for _ in range(1)]
    sums = []

    def work():
        sums.append(int(weft.all_reduce(parts[0], 1)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert sums == [comm.size]


def test_references_do_not_pile_up(comm):
    array = np.arange(8)
    to = np.full(8, comm.rank)
    for _ in range(20):
        weft.exchange(comm, to, array)
    before = sys.getrefcount(array), sys.getrefcount(to)
    for _ in range(1000):
        weft.exchange(comm, to, array)
        weft.exchange(comm, {comm.rank: array})
    assert (sys.getrefcount(array), sys.getrefcount(to)) == before


def _with_comm(comm):
    """Names in `GOOD` and the functions and classes of the package that take a communicator."""
    for name in GOOD:
        if name.startswith(("Mesh", "read_mesh")) and not reads_meshes():
            continue
        call, given = GOOD[name](comm)
        if "comm" in given and call is getattr(weft, name, None):
            yield name, call


def test_a_communicator_is_first_or_named_or_left_out(comm):
    tried = 0
    for name, call in _with_comm(comm):
        assert list(inspect.signature(call).parameters)[-1] == "comm", name
        for first in ((comm,), (None,), ()):
            _, given = GOOD[name](comm)  # anew: some write a folder that may not be there
            del given["comm"]
            made = call(*first, **given)
            if hasattr(made, "close"):
                made.close()
            weft.barrier()
        tried += 1
    assert tried > 40
    assert weft.all_gather(comm.rank) == weft.all_gather(comm, comm.rank) == weft.all_gather(comm.rank, comm=comm) == list(range(comm.size))
    assert weft.all_gather(None) == weft.all_gather(comm, None) == [None] * comm.size
    assert weft.broadcast([comm.rank], comm.size - 1) == [comm.size - 1]


def test_the_communicator_that_is_first_is_used(comm):
    half = comm.split(comm.rank % 2)
    assert len(weft.all_gather(half, 1)) == len(weft.all_gather(1, comm=half)) == half.size
    assert weft.exchange(half, [half.rank], [comm.rank]).array.tolist() == [comm.rank]
    assert weft.label(half, np.ones((3, 3)), 1).components == 1
    assert weft.Graph(half, [[0, 1]] if half.rank == 0 else []).vertex_count == 2
    from mpi4py import MPI as mpi

    assert weft.all_gather(mpi.COMM_SELF, comm.rank) == weft.all_gather(comm.rank, comm=mpi.COMM_SELF) == [comm.rank]
