#!/usr/bin/env python3
"""Adds a toy protocol to a copy of the tree, by the four files of CONTRIBUTING.md: its value, its row, its cost and its source. The knob
must take it, errors and `weft::name_of` name it, and an exchange use it.

toy_protocol_test.py CMAKE ROOT AREA LAUNCHER RANKS_OPTION -D<cmake variable>...
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDERS = ("cmake", "include", "src", "examples", "adapters")


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    if old not in text:
        raise SystemExit(f"{file}: expected {old!r}; the places where a protocol is added have moved, see CONTRIBUTING.md")
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def add_toy(tree: Path) -> None:
    model = next(tree.glob("src/*/machine_model.cpp"))
    settings = tree / "include/weft/core/settings.hpp"
    replace(settings, "    automatic,         ///<", "    toy,               ///< pex by another name\n    automatic,         ///<")
    replace(tree / "src/core/protocol_rows.hpp", "needs_levels = true},\n};", 'needs_levels = true},\n    {.name = "toy"},\n};')
    replace(model, "protocol::pcx, shape); }},\n};", "protocol::pcx, shape); }},\n    {protocol::toy, store_and_forward_seconds},\n};")
    pex = (tree / "src/protocol/exchange/pex.cpp").read_text(encoding="utf-8")
    (tree / "src/protocol/exchange/toy.cpp").write_text(pex.replace("make_pex", "make_toy"), encoding="utf-8")
    with open(tree / "src/protocol/CMakeLists.txt", "a", encoding="utf-8") as build:  # not joined with pex, which has its names
        build.write("set_source_files_properties(exchange/toy.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)\n")


def main() -> int:
    cmake, root, area, launcher, ranks_option, *settings = sys.argv[1:]
    tree = Path(area) / "tree"
    shutil.rmtree(area, ignore_errors=True)
    tree.mkdir(parents=True)
    for folder in FOLDERS:
        shutil.copytree(Path(root) / folder, tree / folder)
    shutil.copy(Path(root) / "CMakeLists.txt", tree)
    add_toy(tree)
    build = Path(area) / "build"
    subprocess.run([cmake, "-S", tree, "-B", build, "-G", "Ninja", "-DWEFT_TOOLS=OFF", "-DWEFT_INSTALL=OFF", "-DWEFT_FORTRAN=OFF",
                    "-DCMAKE_UNITY_BUILD=ON", *settings], check=True)
    subprocess.run([cmake, "--build", build, "--target", "example_01_exchange"], check=True)
    program = [launcher, ranks_option, "2", build / "examples" / "example_01_exchange"]
    run = lambda how: subprocess.run(program, env={**os.environ, "WEFT_EXCHANGE": how}, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, timeout=60)
    toy, unknown = run("toy"), run("none")
    print(toy.stdout, unknown.stdout)
    if toy.returncode != 0 or "rank 0 hears 1 from" not in toy.stdout:
        raise SystemExit("WEFT_EXCHANGE=toy: no exchange by the toy")
    if unknown.returncode == 0 or "pcx_two_level or toy or automatic" not in unknown.stdout:
        raise SystemExit("WEFT_EXCHANGE=none: the error does not name the toy")
    return 0


if __name__ == "__main__":
    sys.exit(main())
