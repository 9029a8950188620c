"""Ratios of the Python package to numpy and mpi4py, interleaved in one run, medians: mpirun -n 2 python3 benchmarks/python_ratios.py

Each line has a bar that the ratio is to stay below. One rank runs those that need one. It needs mpi4py; the machine should be quiet.
"""

import statistics
import sys
import time

import numpy as np
from mpi4py import MPI

import weft

WORLD = MPI.COMM_WORLD
comm = weft.Communicator(WORLD)
TURNS = int(sys.argv[1]) if len(sys.argv) > 1 else 9


def exchange(rng):
    items = rng.random(1_000_000)
    to = rng.integers(0, comm.size, len(items))

    def ours():
        return weft.exchange(comm, to, items).array

    def theirs():
        order = np.argsort(to, kind="stable")
        counts = np.bincount(to, minlength=comm.size)
        incoming = np.empty(comm.size, np.int64)
        WORLD.Alltoall(counts, incoming)
        made = np.empty(incoming.sum())
        WORLD.Alltoallv([items[order], (counts, None)], [made, (incoming, None)])
        return made

    return ours, theirs


def routed(rng):
    items = rng.random(1_000_000)
    to = rng.integers(0, comm.size, len(items))
    route = weft.Route(comm, to)
    out = np.empty(route.incoming)
    return lambda: route.send(items, out=out), lambda: weft.exchange(comm, to, items).array


def large_message(rng):
    items = rng.random(10_000_000)
    other = (comm.rank + 1) % comm.size

    def ours():
        return weft.exchange(comm, {other: items} if comm.rank == 0 else {}, dtype=float)

    def theirs():
        if comm.rank == 0:
            return WORLD.Send(items, other)
        made = np.empty(len(items)) if comm.rank == 1 else None
        return WORLD.Recv(made, 0) if comm.rank == 1 else None

    return ours, theirs


def broadcast(rng):
    items = rng.random(1_000_000)
    return (lambda: weft.broadcast(comm, items if comm.rank == 0 else None),
            lambda: WORLD.Bcast(items.copy() if comm.rank == 0 else np.empty(len(items)), 0))


def gather(rng):
    items = rng.random(1_000_000)
    return (lambda: weft.gather(comm, items),
            lambda: WORLD.Gather(items, np.empty((comm.size, len(items))) if comm.rank == 0 else None, 0))


def histogram(rng):
    volume = rng.integers(0, 256, (200, 200, 200), np.uint8)
    return lambda: weft.histogram(volume, 256, range=(0, 256), comm=comm), lambda: np.histogram(volume, 256, (0, 256))


def gathered_labels(rng):
    volume = np.random.default_rng(1).random((160, 160, 160))
    return lambda: weft.label(volume, 0.7, comm=comm).gather(), lambda: weft.label(volume, 0.7, comm=comm)


# Name, what is timed, its bar, the least and the most ranks.
ROWS = [
    ("exchange of 10^6 float64 to argsort and Alltoallv", exchange, 0.3, 2, None),
    ("send of a Route to exchange", routed, 1.0, 2, None),
    ("a message of 80 MB to Send and Recv into new memory", large_message, 1.3, 2, None),
    ("broadcast of 8 MB to Bcast into new memory", broadcast, 1.0, 2, None),
    ("gather of 8 MB a rank to Gather into new memory", gather, 1.0, 2, None),
    ("label(...).gather() to label(...)", gathered_labels, 3.0, 1, None),
    ("histogram of uint8 to numpy.histogram", histogram, 1.0, 1, 1),
]


def seconds(call):
    WORLD.Barrier()
    began = time.perf_counter()
    call()
    return WORLD.allreduce(time.perf_counter() - began, MPI.MAX)


def main():
    for name, make, bar, least, most in ROWS:
        if comm.size < least or most is not None and comm.size > most:
            continue
        ours, theirs = make(np.random.default_rng(comm.rank))
        ours(), theirs()
        pairs = [(seconds(ours), seconds(theirs)) for _ in range(TURNS)]
        ratios = sorted(mine / other for mine, other in pairs)
        if comm.rank == 0:
            own, base = (1000 * statistics.median(column) for column in zip(*pairs))
            print(f"{statistics.median(ratios):6.2f}  ({ratios[0]:.2f} to {ratios[-1]:.2f}, bar {bar})  {own:.1f} and {base:.1f} ms  {name}", flush=True)


if __name__ == "__main__":
    main()
