#!/usr/bin/env python3
"""Checks that the library blocks in MPI only behind the door (src/core/door.hpp): a call that blocks stands in a
function or lambda that was handed `all_ranks_here`, or on a line that says why it need not.

check_door.py [root of the source tree]
"""

import re
import sys
from pathlib import Path

from source_tree import code_files, finish

# Of MPI 3.1, what may wait for another rank.
BLOCKING = re.compile(
    r"\bMPI_(Barrier|Bcast|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|Reduce(?:_scatter(?:_block)?)?|Allreduce|Scan|"
    r"Exscan|Neighbor_\w+|Comm_(?:dup|dup_with_info|create|create_group|split|split_type|free|disconnect|accept|connect|"
    r"spawn\w*)|Intercomm_\w+|Cart_\w+|Graph_create|Dist_graph_create\w*|Win_(?!set_|get_|sync|shared_query)\w+|File_\w+|"
    r"Wait\w*|S?Send|Bsend|Rsend|Recv|Mrecv|Sendrecv\w*|Probe|Mprobe)\s*\(")
TOKEN = "all_ranks_here"


def complaints_of(name: str, text: str) -> list[str]:
    result = []
    top = 0  # the first line of the function that a line belongs to
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"\S", line) and not re.match(r"[{}#/)]|namespace|public:|private:|protected:", line):
            top = number
        call = BLOCKING.search(line.split("//")[0])
        if call and TOKEN not in "\n".join(lines[top:number + 1]):
            result.append(f"{name}:{number + 1}: MPI_{call[1]} may block while others wait for steps of this rank; call "
                          f"it behind the door, in a function that takes {TOKEN} (src/core/door.hpp)")
    return result


def complaints(root: Path) -> list[str]:
    result = []
    for file in code_files(root):
        if file.parts[0] in ("src", "include"):
            result += complaints_of(str(file), (root / file).read_text(encoding="utf-8"))
    return result


if __name__ == "__main__":
    sys.exit(finish("door", complaints(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
