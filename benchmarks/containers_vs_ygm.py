#!/usr/bin/env python3
"""Containers of all ranks: `weft-bench containers` against YGM, and both against the standard library on one core.

containers_vs_ygm.py --ygm DIR [--bench PROGRAM] [--cases NAME...] [--items N] [--scale N] [--ranks N] [--repeats N] [--folder DIR]

DIR is a clone of https://github.com/LLNL/ygm, of which only the headers are read; they need cereal and Boost (Debian: libcereal-dev,
libboost-dev). `benchmarks/peers/containers_ygm.cpp` is compiled with them by mpicxx. All insert the same words, keys, edges and updates,
which lie in memory, each in a process of its own. The programs alternate --starts times; each runs once before it is timed, and then
--repeats times. YGM gets texts as std::string that are made beforehand, since its containers take no views. No buffer of either is tuned.
Answers are compared: different words, keys, sets, and the sum of the squares of the array. A time is that of the slowest rank; the median of
the starts in ms, and YGM's time over Weft's.
"""

import argparse
import csv
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CASES = ["words", "keys", "sets", "array"]


def said_by(command: list) -> str:
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout}")
    return done.stdout


def build(ygm: Path, folder: Path) -> Path:
    program = folder / "containers_ygm"
    said_by(["mpicxx", "-std=c++20", "-O3", "-DNDEBUG", "-I", ygm / "include", ROOT / "benchmarks" / "peers" / "containers_ygm.cpp", "-o", program])
    return program


def run_weft(options: argparse.Namespace, case: str, folder: Path, subject: str) -> tuple[float, str]:
    """The seconds of a subject of weft-bench, alone in its processes, and what it says."""
    table = folder / "weft.csv"
    said = said_by([options.bench, "-n", options.ranks, "containers", "--case", case, "--subjects", subject, "--items", options.items,
                    "--scale", options.scale, "--repeats", options.repeats, "--csv", table])
    with table.open(encoding="utf-8") as rows:
        return float(next(csv.DictReader(rows))["median_s"]), said


def run_ygm(options: argparse.Namespace, case: str, program: Path) -> tuple[float, float]:
    said = said_by(["mpirun", "-n", options.ranks, program, case, options.items, options.scale, options.repeats])
    seconds = statistics.median(map(float, re.findall(r"^seconds (\S+)", said, re.MULTILINE)))
    return seconds, float(re.search(r"^answer (\S+)", said, re.MULTILINE).group(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ygm", type=Path, required=True, help="the source of YGM")
    parser.add_argument("--bench", type=Path, default=ROOT / "build/release/tools/weft-bench", help="weft-bench (default %(default)s)")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES, help="some of them (default: all)")
    parser.add_argument("--items", type=int, default=10_000_000, help="words, keys and updates of all ranks (default %(default)s)")
    parser.add_argument("--scale", type=int, default=18, help="of the R-MAT graph whose edges unite sets (default %(default)s)")
    parser.add_argument("--ranks", type=int, default=2, help="(default %(default)s)")
    parser.add_argument("--starts", type=int, default=3, help="of each program (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="runs of a started program, of which the median counts (default %(default)s)")
    parser.add_argument("--folder", type=Path, help="for the built program, which is kept (default: none is kept)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(exist_ok=True)
        program = folder / "containers_ygm"
        if not program.exists():
            build(options.ygm, folder)
        print(f"{options.ranks} ranks, {options.items} items, R-MAT {options.scale}, medians of {options.starts} times {options.repeats} in ms")
        print(f"{'case':8}{'one core':>10}{'YGM':>12}{'weft':>10}{'YGM / weft':>12}{'one core / weft':>17}")
        for case in options.cases:
            runs = []
            for _ in range(options.starts):
                one_core, _ = run_weft(options, case, folder, "one-core")
                weft, said = run_weft(options, case, folder, "containers")
                answer = float(re.search(r"answer of .*: (\S+)$", said, re.MULTILINE).group(1))
                ygm, other = run_ygm(options, case, program)
                if abs(answer - other) > 1e-6 * abs(answer):
                    sys.exit(f"{case}: weft's answer is {answer}, YGM's {other}")
                runs.append((one_core, ygm, weft))
            one_core, ygm, weft = (statistics.median(each) for each in zip(*runs))
            print(f"{case:8}{1000 * one_core:10.1f}{1000 * ygm:12.1f}{1000 * weft:10.1f}{ygm / weft:12.2f}{one_core / weft:17.2f}", flush=True)


if __name__ == "__main__":
    main()
