import sys
import threading

import numpy as np
import pytest

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
        weft.exchange(3, {})
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
