#!/usr/bin/env python3
"""`weft components`, `degrees`, `scc`, `bfs`, `sssp`, `spmv`, `pagerank`, `triangles`, `label`, `contour`, `trace` and `nbody` on real
data, against answers that other tools have computed.

DATA has reference.json and the graphs. Every answer is compared at every number of ranks, and what is written must not
differ by a byte between them.
"""
import argparse
import sys
import unittest
from pathlib import Path

from reference_case import given
from reference_fields import Fields
from reference_graphs import Graphs

__all__ = ["Fields", "Graphs"]  # their tests are found here


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compares results of weft on real data with those of other tools.")
    parser.add_argument("weft", help="the command")
    parser.add_argument("data", type=Path, help="folder with reference.json and the files that it names")
    parser.add_argument("ranks", type=int, nargs="*", default=[1, 2, 3, 4, 7])
    parser.add_argument("--share", type=int, default=1, metavar="N", help="run each command on one in N of its inputs")
    vars(given).update(vars(parser.parse_intermixed_args()))
    if not (given.data / "reference.json").exists():
        print(f"skipped: there is no {given.data / 'reference.json'}; put the data there or set WEFT_TEST_DATA")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
