"""One rank of the tests: pytest, whose report only rank 0 prints. Under mpirun: run_rank.py FILE...

A failure on one rank fails the test on all; where ranks wait for each other in vain, each says where it is and the job
ends (conftest.py).
"""

import os
import sys

import pytest

import weft

if __name__ == "__main__":
    rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK") or "0"
    if rank != "0":
        sys.stdout = open(os.devnull, "w")
    os.environ["WEFT_TEST_STDERR"] = str(os.dup(2))  # what pytest does not capture
    status = pytest.main(["-q", "--no-header", *sys.argv[1:]])
    weft.all_gather(None, int(status))  # the first rank that leaves with a failure ends the others, and with them the report
    sys.exit(status)
