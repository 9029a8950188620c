#!/usr/bin/env python3
"""Checks each public header by itself.

  alone   it compiles as the only include, twice in a row, without a warning; all but weft/mpi.hpp without the
          headers of MPI
  lines   it costs at most 75,000 preprocessed lines: lines of `g++ -E -P` that are not blank
  cost    it costs at most 0.6 s of CPU to compile (0.8 s where it joins many parts): user and system time of
          `g++ -fsyntax-only`, the least of 10 runs at most, on a machine that compiles <string> in 0.28 s; a slower or busier one gets as much more

check_headers.py <alone|lines|cost> --compiler g++ [--mpi-include folder]... [root of the source tree]
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from source_tree import finish, public_headers

LONGEST = 75_000
# An adapter costs what the library costs that it adapts to; nobody gets it who does not ask for it.
ADAPTERS = {Path("weft/wire/cereal.hpp")}
COSTLIEST_SECONDS = 0.6
# Many parts in one, and so dearer.
DEARER = {Path("weft", name): 0.8 for name in ("weft.hpp", "blocks/block_set.hpp", "blocks/block_components.hpp",
                                               "blocks/iexchange_engine.hpp", "graph/column_matrix.hpp")}
RUNS = 10
NOISE = 0.1 # of the least of several runs on a machine that has other things to do
REFERENCE_SECONDS = 0.28


class Compiler:
    def __init__(self, root: Path, program: str, mpi_includes: list[str]):
        self.command = [program, "-std=c++20", "-x", "c++", "-I", str(root / "include")]
        self.mpi = [option for folder in mpi_includes for option in ("-isystem", folder)]

    def run(self, header: Path, options: list[str], text: str) -> tuple[int, str, float]:
        """Compiles the text: exit status, output, CPU seconds."""
        mpi = self.mpi if header == Path("weft/mpi.hpp") else []
        before = os.times()
        done = subprocess.run([*self.command, *mpi, *options, "-"], input=text, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        after = os.times()
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        return done.returncode, done.stdout, seconds


def alone(compiler: Compiler, header: Path) -> str | None:
    status, said, _ = compiler.run(header, ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"],
                                   f"#include <{header}>\n" * 2)
    return None if status == 0 else f"{header}: does not compile alone:\n{said}"


def lines(compiler: Compiler, header: Path) -> str | None:
    status, text, _ = compiler.run(header, ["-E", "-P"], f"#include <{header}>\n")
    if status != 0:
        return f"{header}: cannot be preprocessed:\n{text}"
    count = sum(1 for line in text.splitlines() if line.strip())
    print(f"{count:7,} lines  {header}")
    return None if count <= LONGEST else f"{header}: {count:,} preprocessed lines; at most {LONGEST:,} are allowed"


def slowdown(compiler: Compiler) -> float:
    """How much slower the machine is now than that of the bound; at least 1."""
    return max(1.0, compiler.run(Path(), ["-fsyntax-only"], "#include <string>\n")[2] / REFERENCE_SECONDS)


def cost(compiler: Compiler, header: Path) -> str | None:
    allowed = DEARER.get(header, COSTLIEST_SECONDS) * (1 + NOISE)
    least = float("inf")
    before = 1.0  # what a first run took that is little enough needs no comparison
    for _ in range(RUNS):
        status, said, seconds = compiler.run(header, ["-fsyntax-only"], f"#include <{header}>\n")
        if status != 0:
            return f"{header}: does not compile:\n{said}"
        # Other jobs come and go: what a run took is judged by the machine before and after it.
        if seconds > allowed:
            after = slowdown(compiler)
            seconds /= max(before, after)
            before = after
        least = min(least, seconds)
        if least <= allowed:
            break  # more runs would not change the verdict
    print(f"{least:.2f} s  {header}")
    if least <= allowed or header in ADAPTERS:
        return None
    return f"{header}: {least:.2f} s of CPU to compile; at most {allowed:.2f} s are allowed"


def complaints(check, root: Path, program: str, mpi_includes: list[str]) -> list[str]:
    compiler = Compiler(root, program, mpi_includes)
    headers = public_headers(root)
    if not headers:
        return [f"{root}: no header below include/: is this the root of the source tree?"]
    return [complaint for header in headers if (complaint := check(compiler, header)) is not None]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("check", choices=["alone", "lines", "cost"])
    parser.add_argument("root", nargs="?", type=Path, default=Path("."))
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--mpi-include", action="append", default=[])
    chosen = parser.parse_args()
    check = {"alone": alone, "lines": lines, "cost": cost}[chosen.check]
    return finish(f"headers, {chosen.check}", complaints(check, chosen.root, chosen.compiler, chosen.mpi_include))


if __name__ == "__main__":
    sys.exit(main())
