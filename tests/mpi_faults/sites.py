#!/usr/bin/env python3
"""The calls of MPI in src/core and src/transport, found in the text of the sources.

sites.py ROOT                prints each: file, first and last line, function
sites.py ROOT --header FILE  writes the header that those sources are compiled with, which turns each call into one that may fail
"""
import pathlib
import re
import sys

FOLDERS = ("core", "transport")
# MPI_Wtime returns a time and no code; MPI_Abort is the end itself.
WITHOUT_CODE = {"MPI_Wtime", "MPI_Abort"}
# Calls that are more than themselves in the test: hook.hpp has them.
OWN = {"MPI_Issend", "MPI_Isend", "MPI_Irecv", "MPI_Imrecv", "MPI_Test", "MPI_Send_init", "MPI_Recv_init", "MPI_Start",
       "MPI_Request_free", "MPI_Ialltoall", "MPI_Ireduce_scatter_block", "MPI_Iallreduce", "MPI_Rget_accumulate", "MPI_Waitall",
       "MPI_Bcast", "MPI_Barrier", "MPI_Allreduce", "MPI_Allgather", "MPI_Comm_split", "MPI_Comm_split_type", "MPI_Comm_dup", "MPI_Comm_idup", "MPI_Ibarrier",
       "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Get_count"}
# Calls whose errors the library takes for an answer, that remote counters do not work here, or cannot answer: they are made, and
# tell an error.
TOLD_AFTERWARDS = {"MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Waitall", "MPI_Request_free"}
# Calls that are made again and again: hook.hpp asks before if they will find something.
POLLS = {"MPI_Test", "MPI_Iprobe", "MPI_Improbe"}


def without_comments(text):
    """The same lines and columns, with blanks for comments and the insides of strings."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found.group())
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def sites(root):
    """All calls: (file below src, first line, last line, function)."""
    found = []
    for folder in FOLDERS:
        for file in sorted((pathlib.Path(root) / "src" / folder).glob("*.?pp")):
            text = without_comments(file.read_text())
            for call in re.finditer(r"\b(MPI_[A-Z][a-z]\w*)\(", text):
                depth, end = 1, call.end()
                while depth:
                    depth += {"(": 1, ")": -1}.get(text[end], 0)
                    end += 1
                lines = (text.count("\n", 0, call.start()) + 1, text.count("\n", 0, end) + 1)
                if call.group(1) not in WITHOUT_CODE:
                    found.append((f"{folder}/{file.name}", *lines, call.group(1)))
    return found


def header(root):
    names = sorted({name for *_, name in sites(root)})
    lines = ["// Written by sites.py. Each call of MPI in the sources that are compiled with this may fail.", "#pragma once", "",
             "#include <mpi_faults/hook.hpp>", "", "namespace mpi_faults::real {"]
    lines += [f"using ::{name};" for name in names if name not in OWN]
    lines += ["} // namespace mpi_faults::real", ""]
    lines += [f'#define {name}(...) ::mpi_faults::unless(::mpi_faults::fails(__FILE__, __LINE__, "{name}"), '
              f"::mpi_faults::real::{name}(__VA_ARGS__))" for name in names if name in TOLD_AFTERWARDS]
    lines += [f'#define {name}(...) (::mpi_faults::fails(__FILE__, __LINE__, "{name}") ? ::mpi_faults::code() '
              f": ::mpi_faults::real::{name}(__VA_ARGS__))" for name in names if name not in TOLD_AFTERWARDS | POLLS]
    lines += [f'#define {name}(...) (::mpi_faults::poll_fails(__FILE__, __LINE__, "{name}", ::mpi_faults::finds::{name}(__VA_ARGS__)) '
              f"? ::mpi_faults::code() : ::mpi_faults::real::{name}(__VA_ARGS__))" for name in names if name in POLLS]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--header" in sys.argv:
        pathlib.Path(sys.argv[sys.argv.index("--header") + 1]).write_text(header(sys.argv[1]))
    else:
        for site in sites(sys.argv[1]):
            print(*site)
