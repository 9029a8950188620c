#!/usr/bin/env python3
"""Sums of the groups of a data frame: `weft.group_by(...).sum()` on all ranks against pandas on one core, which has the rows of all ranks.

mpirun -n 2 group_by_vs_pandas.py [--rows N] [--groups N] [--repeats N] [--text]

Keys are drawn uniformly from --groups numbers, or with --text from as many texts; values are float64. Both start from data frames in memory.
pandas runs on rank 0 while the others wait. Times are medians in ms, of the slowest rank; the sums of all groups are compared.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import weft


def seconds_of(call: Callable[[], pd.DataFrame], repeats: int) -> tuple[float, pd.DataFrame]:
    """The median of some runs, after one that does not count."""
    times = []
    for _ in range(repeats + 1):
        begin = time.perf_counter()
        found = call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:]), found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000, help="of all ranks (default %(default)s)")
    parser.add_argument("--groups", type=int, default=1_000_000, help="(default %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="(default %(default)s)")
    parser.add_argument("--text", action="store_true", help="keys are texts")
    given = parser.parse_args()

    comm = weft.Communicator()
    chance = np.random.default_rng(1)
    keys = chance.integers(0, given.groups, given.rows)
    rows = pd.DataFrame({"key": np.char.add("key-", keys.astype("U12")) if given.text else keys, "value": chance.random(given.rows)})
    mine = rows.iloc[comm.rank::comm.size].reset_index(drop=True)

    one_core = expected = None
    if comm.rank == 0:
        one_core, expected = seconds_of(lambda: rows.groupby("key", as_index=False).sum(), given.repeats)
    weft.barrier(comm)
    seconds, part = seconds_of(lambda: weft.group_by(comm, mine, "key").sum(), given.repeats)
    slowest = max(weft.all_gather(comm, seconds))
    groups = sum(weft.all_gather(comm, len(part)))
    squares = sum(weft.all_gather(comm, float((part["value"] ** 2).sum())))
    if comm.rank == 0:
        if groups != len(expected) or not np.isclose(squares, float((expected["value"] ** 2).sum()), rtol=1e-9):
            raise SystemExit("the sums differ")
        print(f"{comm.size} ranks, {given.rows} rows, {groups} groups: pandas {1000 * one_core:.0f} ms, "
              f"weft {1000 * slowest:.0f} ms, {one_core / slowest:.2f} times faster")


if __name__ == "__main__":
    main()
