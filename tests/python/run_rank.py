"""One rank of the tests: pytest, whose report only rank 0 prints. Under mpirun: run_rank.py FILE...

A failure on one rank fails the test on all; where ranks wait for each other in vain, each says where it is and the job
ends (conftest.py).
"""

import os
import sys

import pytest

if __name__ == "__main__":
    rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK") or "0"
    if rank != "0":
        sys.stdout = open(os.devnull, "w")
    sys.exit(pytest.main(["-q", "--no-header", *sys.argv[1:]]))
