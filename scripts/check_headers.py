#!/usr/bin/env python3
"""Checks each public header by itself.

  alone   it compiles as the only include, twice in a row, without a warning; all but weft/mpi.hpp without the
          headers of MPI. It is cheap to compile: `g++ -fsyntax-only -fmem-report` uses at most 84 MB (88 MB for load_graph.hpp, 122 MB for all of
          weft.hpp), some 0.6 s (0.8 s) of CPU. Memory is measured because it is the same on every machine, however
          busy. It is scaled to a compiler that uses 28 MB for <string>; one that does not report it is not asked.
  strict  all headers of a module, and the programs of examples/, which use templates, compile as C++20 and C++23 with
          -Wall -Wextra -Wconversion -Wshadow, the headers not as those of a system, and no warning points into a
          header: programs of users turn these on. With the compiler that is named, and with clang++ where there is one.
  lines   it costs at most 75,000 preprocessed lines: lines of `g++ -E -P` that are not blank

check_headers.py <alone|lines|strict> --compiler g++ [--mpi-include folder]... [root of the source tree]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source_tree import finish, module_of, public_headers

LONGEST = 75_000
# An adapter costs what the library costs that it adapts to; nobody gets it who does not ask for it.
ADAPTERS = {Path("weft/wire/cereal.hpp")}
COSTLIEST = 84 # MB
DEARER = {Path("weft/weft.hpp"): 122, Path("weft/io/load_graph.hpp"): 88}  # the latter is graphs and readers
REFERENCE = 28 # MB for <string>
# It never collects garbage.
MEMORY = ["-fsyntax-only", "-fmem-report", "--param", "ggc-min-heapsize=4000000"]
STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow"]
CLANGS = ("clang++", "clang++-14")


class Compiler:
    def __init__(self, root: Path, program: str, mpi_includes: list[str]):
        self.command = [program, "-std=c++20", "-x", "c++", "-I", str(root / "include")]
        self.reference: int | None = None
        self.mpi = [option for folder in mpi_includes for option in ("-isystem", folder)]

    def run(self, header: Path, options: list[str], text: str) -> tuple[int, str]:
        """Compiles the text: exit status, output."""
        mpi = self.mpi if header == Path("weft/mpi.hpp") else []
        done = subprocess.run([*self.command, *mpi, *options, "-"], input=text, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout



def megabytes(said: str) -> int | None:
    """What the compiler says that it used; nothing where it does not say."""
    used = re.search(r"^Total +\d+[kM]? +(\d+)([kM]?)", said, re.MULTILINE)
    return int(used[1]) * {"": 1, "k": 1_000, "M": 1_000_000}[used[2]] // 1_000_000 if used else None


def alone(compiler: Compiler, header: Path) -> str | None:
    if compiler.reference is None:
        _, said = compiler.run(Path("string"), MEMORY, "#include <string>\n")
        compiler.reference = megabytes(said) or 0
    reports = compiler.reference > 0
    status, said = compiler.run(header, ["-Wall", "-Wextra", "-Wpedantic", "-Werror", *(MEMORY if reports else MEMORY[:1])],
                                f"#include <{header}>\n" * 2)
    if status != 0:
        return f"{header}: does not compile alone:\n{said}"
    if not reports:
        return None
    used = megabytes(said) * REFERENCE // compiler.reference
    print(f"{used:4} MB  {header}")
    allowed = DEARER.get(header, COSTLIEST)
    if used <= allowed or header in ADAPTERS:
        return None
    return f"{header}: the compiler uses {used} MB; at most {allowed} MB are allowed"


def lines(compiler: Compiler, header: Path) -> str | None:
    status, text = compiler.run(header, ["-E", "-P"], f"#include <{header}>\n")
    if status != 0:
        return f"{header}: cannot be preprocessed:\n{text}"
    count = sum(1 for line in text.splitlines() if line.strip())
    print(f"{count:7,} lines  {header}")
    return None if count <= LONGEST else f"{header}: {count:,} preprocessed lines; at most {LONGEST:,} are allowed"


def complaints(check, root: Path, program: str, mpi_includes: list[str]) -> list[str]:
    compiler = Compiler(root, program, mpi_includes)
    headers = public_headers(root)
    if not headers:
        return [f"{root}: no header below include/: is this the root of the source tree?"]
    return [complaint for header in headers if (complaint := check(compiler, header)) is not None]


def strict_units(root: Path) -> dict[str, str]:
    """The text of each unit: a module's headers, or a program."""
    by_module: dict[str, list[Path]] = {}
    for header in public_headers(root):
        if header not in ADAPTERS:
            by_module.setdefault(module_of(header) or "weft", []).append(header)
    units = {name: "".join(f"#include <{header}>\n" for header in headers) for name, headers in by_module.items()}
    programs = sorted((root / "examples").glob("*.cpp"))
    return units | {str(each.relative_to(root)): f'#include "{each.resolve()}"\n' for each in programs}


def strict_complaints(root: Path, program: str, mpi_includes: list[str]) -> list[str]:
    compilers = [program] + [found for name in CLANGS if (found := shutil.which(name)) and "clang" not in program][:1]
    mpi = [option for folder in mpi_includes for option in ("-isystem", folder)]
    units = strict_units(root)

    def compiled(run: tuple[str, str, str]) -> str | None:
        compiler, standard, unit = run
        done = subprocess.run([compiler, f"-std={standard}", "-x", "c++", "-I", str(root / "include"), *mpi, *STRICT, "-"],
                              input=units[unit], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wrong = done.returncode != 0 or re.search(r"\binclude/weft/[^:\n]+:\d+:\d+: warning:", done.stdout)
        return f"{unit}: {compiler} -std={standard}:\n{done.stdout}" if wrong else None

    # Programs once: templates that warn do so in any of these ways.
    runs = [(compiler, standard, unit) for compiler in compilers for standard in ("c++20", "c++2b") for unit in units
            if not unit.startswith("examples/") or (compiler, standard) == (compilers[-1], "c++2b")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [complaint for complaint in pool.map(compiled, runs) if complaint is not None]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("check", choices=["alone", "lines", "strict"])
    parser.add_argument("root", nargs="?", type=Path, default=Path("."))
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--mpi-include", action="append", default=[])
    chosen = parser.parse_args()
    if chosen.check == "strict":
        return finish("headers, strict", strict_complaints(chosen.root, chosen.compiler, chosen.mpi_include))
    check = {"alone": alone, "lines": lines}[chosen.check]
    return finish(f"headers, {chosen.check}", complaints(check, chosen.root, chosen.compiler, chosen.mpi_include))


if __name__ == "__main__":
    sys.exit(main())
