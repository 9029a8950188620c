#!/usr/bin/env python3
"""The Python package beside C++ and mpi4py.

mpirun -n 2 python3 benchmarks/python_package.py: beside mpi4py, in one run.
python3 benchmarks/python_package.py --prefix FOLDER [-n 2]: that, and python_package.cpp in turn with it, built with the Weft
that is installed in FOLDER; and how long `import weft` takes beyond numpy.

Medians of interleaved rounds, as ratios; below 1 is faster than the other.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
LAUNCHES = 5
ITEMS = 1_000_000
VERTICES = 2**20


# The driver starts ranks, and is none.
if "--prefix" not in sys.argv:
    import numpy as np
    import weft
    from mpi4py import MPI


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
    # All items in one array, as in the others.
    return weft.exchange(None, destinations, items).array


def by_exchange_as_views(destinations, items):
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
    print(title, file=sys.stderr)
    first = next(iter(ways))
    for name, all_taken in taken.items():
        ratio = statistics.median(a / b for a, b in zip(taken[first][1:], all_taken[1:]))
        print(f"  {name:32s} {statistics.median(all_taken[1:]) * 1e3:8.2f} ms   {first} takes {ratio:.2f} of it",
              file=sys.stderr)
    print(json.dumps({name: statistics.median(all_taken[1:]) for name, all_taken in taken.items()}), flush=True)


def measure():
    comm = weft.Communicator(MPI.COMM_WORLD)
    random = np.random.default_rng(comm.rank)
    destinations = random.integers(0, comm.size, ITEMS).astype(np.int32)
    compare(f"{ITEMS} float64 to random ranks, {comm.size} ranks",
            {"weft.exchange": by_exchange_as_views, "weft.exchange, one array": by_exchange,
             "argsort and Alltoallv": by_alltoallv, "pickles by alltoall": by_pickles},
            destinations, random.random(ITEMS))
    compare(f"a histogram of {ITEMS} int64, {comm.size} ranks",
            {"channel, compiled handler": Histogram(comm, compiled), "channel, numpy.add.at": Histogram(comm, in_numpy),
             "argsort, Alltoallv, bincount": histogram_by_alltoallv},
            destinations, random.integers(0, 2**16, ITEMS))
    compare(f"components of {ITEMS} random edges a rank between {VERTICES} vertices, {comm.size} ranks",
            {"weft.components": lambda edges: weft.components(edges, vertices=VERTICES, comm=comm)},
            random.integers(0, VERTICES, (ITEMS, 2)))


def build(prefix, folder):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "weft-graph"], check=True, capture_output=True, text=True,
                           env={**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}).stdout.split()
    program = folder / "python_package"
    subprocess.run(["c++", "-std=c++20", "-O3", str(Path(__file__).with_suffix(".cpp")), "-o", str(program), *flags], check=True)
    return program


def drive(prefix, ranks):
    launch = ["mpirun", "-n", str(ranks)]

    def lines_of(*command):
        return subprocess.run([*launch, *command], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()

    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        program = build(prefix, Path(folder))
        for _ in range(LAUNCHES):
            in_cpp = {name: float(seconds) for name, seconds in map(str.split, lines_of(str(program)))}
            exchanges, histograms, components = map(json.loads, lines_of(sys.executable, __file__))
            for of, found in (("exchange", exchanges), ("histogram", histograms), ("components", components)):
                for name, seconds in found.items():
                    ratios.setdefault(f"{of}: {name}", []).append(seconds / in_cpp[of])
    print(f"seconds beside C++, {ranks} ranks, medians of {LAUNCHES} launches")
    for name, values in ratios.items():
        print(f"  {name:44s} {statistics.median(values):6.2f}   ({min(values):.2f} to {max(values):.2f})")
    code = "import numpy, time; begin = time.perf_counter(); import weft; print(time.perf_counter() - begin)"
    taken = [float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
             for _ in range(ROUNDS)]
    print(f"import weft beyond numpy: {statistics.median(taken):.3f} s")


def main():
    if "--prefix" not in sys.argv:
        return measure()
    parser = argparse.ArgumentParser()
    parser.add_argument("--prefix", type=Path, required=True)
    parser.add_argument("-n", type=int, default=2)
    options = parser.parse_args()
    drive(options.prefix, options.n)


if __name__ == "__main__":
    main()
