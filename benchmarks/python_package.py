#!/usr/bin/env python3
"""The Python package beside mpi4py, in one run: mpirun -n 2 python3 benchmarks/python_package.py

Medians of interleaved rounds, as ratios; below 1 is faster than the other.
"""

import statistics
import time

import numpy as np
import weft
from mpi4py import MPI

ROUNDS = 15
ITEMS = 1_000_000


def by_alltoallv(destinations, items):
    """The best that numpy and mpi4py have for it."""
    world = MPI.COMM_WORLD
    order = np.argsort(destinations, kind="stable")
    counts = np.bincount(destinations, minlength=world.size)
    incoming = np.empty_like(counts)
    world.Alltoall(counts, incoming)
    received = np.empty(incoming.sum(), items.dtype)
    world.Alltoallv([items[order], counts], [received, incoming])
    return received


def by_pickles(destinations, items):
    world = MPI.COMM_WORLD
    return np.concatenate(world.alltoall([items[destinations == rank] for rank in range(world.size)]))


def by_exchange(destinations, items):
    return weft.exchange(None, destinations, items)


class Histogram:
    """Counts of items that other ranks have, by messages."""

    def __init__(self, comm, handler_of):
        self.comm = comm
        self.counts = np.zeros(2**16, np.int64)
        self.mail = weft.Mailbox(comm)
        self.channel = self.mail.channel(np.int64, handler_of(self.counts))

    def __call__(self, destinations, items):
        self.channel.send(destinations, items)
        self.mail.drain()


def compiled(counts):
    return weft.handlers.add_at(counts)


def in_numpy(counts):
    return lambda batch: np.add.at(counts, batch, 1)


def histogram_by_alltoallv(destinations, items):
    np.bincount(by_alltoallv(destinations, items), minlength=2**16)


def seconds(call, *arguments):
    MPI.COMM_WORLD.Barrier()
    begin = time.perf_counter()
    call(*arguments)
    MPI.COMM_WORLD.Barrier()
    return time.perf_counter() - begin


def compare(title, ways, *arguments):
    taken = {name: [] for name in ways}
    for _ in range(ROUNDS + 1):
        for name, call in ways.items():
            taken[name].append(seconds(call, *arguments))
    if MPI.COMM_WORLD.rank != 0:
        return
    print(title)
    first = next(iter(ways))
    for name, all_taken in taken.items():
        ratio = statistics.median(a / b for a, b in zip(taken[first][1:], all_taken[1:]))
        print(f"  {name:32s} {statistics.median(all_taken[1:]) * 1e3:8.2f} ms   {first} takes {ratio:.2f} of it")


def main():
    comm = weft.Communicator(MPI.COMM_WORLD)
    random = np.random.default_rng(comm.rank)
    destinations = random.integers(0, comm.size, ITEMS).astype(np.int32)
    compare(f"{ITEMS} float64 to random ranks, {comm.size} ranks",
            {"weft.exchange": by_exchange, "argsort and Alltoallv": by_alltoallv, "pickles by alltoall": by_pickles},
            destinations, random.random(ITEMS))
    compare(f"a histogram of {ITEMS} int64, {comm.size} ranks",
            {"channel, compiled handler": Histogram(comm, compiled), "channel, numpy.add.at": Histogram(comm, in_numpy),
             "argsort, Alltoallv, bincount": histogram_by_alltoallv},
            destinations, random.integers(0, 2**16, ITEMS))


if __name__ == "__main__":
    main()
