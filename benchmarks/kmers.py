#!/usr/bin/env python3
"""Counts the canonical 31-mers of reads by the example 20_kmers, KMC and Jellyfish, on as many cores each, and compares counts.

kmers.py --weft PROGRAM [--megabytes N] [--repeats N] [--cores N] [--folder DIR] [--repeat SHARE] [--only times|counts]

PROGRAM is the built example_20_kmers. Reads of 150 letters come from a random genome, from both strands, at a coverage of 20, one letter in 200
wrong, a tenth of them from a repeat of 5,000 letters, and a few letters are N. `--repeat SHARE` compares two other files instead: reads of which that
share comes from one repeat of 171 letters, and reads without it. Times are medians of interleaved runs, with the files in the page cache. A file of reads
that is in the folder is used again. `--only times` compares no counts, `--only counts` runs each program once.
"""

import argparse
import hashlib
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

LETTERS = np.frombuffer(b"ACGT", dtype=np.uint8)
COMPLEMENT = np.zeros(256, dtype=np.uint8)
COMPLEMENT[list(b"ACGTN")] = list(b"TGCAN")
LENGTH = 150
K = 31


def reads_of(genome: np.ndarray, n: int, chance: np.random.Generator) -> np.ndarray:
    """n reads of both strands, a row each."""
    starts = chance.integers(0, len(genome) - LENGTH + 1, n)
    reads = genome[starts[:, None] + np.arange(LENGTH)]
    back = chance.random(n) < 0.5
    reads[back] = COMPLEMENT[reads[back][:, ::-1]]
    return reads


def with_errors(reads: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    wrong = chance.random(reads.shape) < 1 / 200
    reads[wrong] = LETTERS[chance.integers(0, 4, int(wrong.sum()))]
    reads[chance.random(reads.shape) < 1 / 20_000] = ord("N")
    return reads


def write_reads(file: Path, megabytes: float, share_of_repeat: float, length_of_repeat: int, seed: int, coverage: float) -> None:
    """FASTQ of that size, unless it is there."""
    kind = file.with_suffix(".kind")
    asked = f"{megabytes} {share_of_repeat} {length_of_repeat} {seed} {coverage}\n"
    if kind.exists() and kind.read_text() == asked:
        return
    kind.unlink(missing_ok=True)
    chance = np.random.default_rng(seed)
    total = int(megabytes * 1e6 / (2 * LENGTH + 16))
    genome = LETTERS[chance.integers(0, 4, int(total * LENGTH / coverage))]
    repeat = np.resize(LETTERS[chance.integers(0, 4, length_of_repeat)], length_of_repeat + LENGTH)
    with file.open("wb") as out:
        for first in range(0, total, 50_000):
            n = min(50_000, total - first)
            of_repeat = int(n * share_of_repeat)
            rows = np.concatenate([reads_of(genome, n - of_repeat, chance), reads_of(repeat, of_repeat, chance)])
            rows = with_errors(rows[chance.permutation(n)], chance)
            qualities = chance.choice(np.frombuffer(b"@5:?DFHI", dtype=np.uint8), rows.shape)
            names = np.frombuffer("".join(f"@r{i:09d}\n" for i in range(first, first + n)).encode(), dtype=np.uint8).reshape(n, -1)
            plus = np.broadcast_to(np.frombuffer(b"\n+\n", dtype=np.uint8), (n, 3))
            ends = np.full((n, 1), ord("\n"), dtype=np.uint8)
            out.write(np.hstack([names, rows, plus, qualities, ends]).tobytes())
    kind.write_text(asked)


def timed(command: list[str], cwd: Path) -> float:
    begin = time.monotonic()
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout}")
    return time.monotonic() - begin


def digest(file: Path) -> str:
    """Of lines "KMER COUNT" in any order, tabs or blanks between."""
    subprocess.run(["sort", "-S", "512M", "-o", file, file], check=True, env={**os.environ, "LC_ALL": "C"})
    total = hashlib.sha256()
    with file.open("rb") as lines:
        while piece := lines.read(1 << 24):
            total.update(piece.replace(b"\t", b" "))
    return total.hexdigest()


def counters(weft: str, cores: int, reads: Path) -> dict[str, list[str]]:
    run = ["mpirun", "--oversubscribe", "-n", str(cores), weft]
    found = {"weft": [*run, "-", str(reads)]}
    if shutil.which("kmc"):
        found["kmc"] = ["kmc", f"-k{K}", "-ci1", "-cs1000000000", f"-t{cores}", "-m4", str(reads), "kmc", "."]
    if shutil.which("jellyfish"):
        size = max(int(reads.stat().st_size * 0.3), 1_000_000)
        found["jellyfish"] = ["jellyfish", "count", "-C", "-m", str(K), "-t", str(cores), "-s", str(size), "-o", "jellyfish.jf", str(reads)]
    return found


def write_dumps(weft: str, cores: int, reads: Path, folder: Path, which: list[str]) -> dict[str, str]:
    """The digests of all k-mers with their counts, after a run of each counter."""
    timed(["mpirun", "--oversubscribe", "-n", str(cores), weft, "weft.txt", str(reads)], folder)
    if "kmc" in which:
        timed(["kmc_tools", "transform", "kmc", "dump", "kmc.txt"], folder)
    if "jellyfish" in which:
        timed(["jellyfish", "dump", "-c", "-o", "jellyfish.txt", "jellyfish.jf"], folder)
    return {name: digest(folder / f"{name}.txt") for name in which}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("kmers"))
    parser.add_argument("--repeat", type=float)
    parser.add_argument("--only", choices=["times", "counts"])
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    folder = given.folder.resolve()
    weft = str(Path(given.weft).resolve())
    if given.repeat is not None:
        # Reads without errors, so that both files have as many 31-mers; those of the repeat are few and all ranks have them.
        files = {"uniform": folder / "uniform.fq", "repeat": folder / "repeat.fq"}
        write_reads(files["uniform"], given.megabytes, 0, 171, 1, 20)
        write_reads(files["repeat"], given.megabytes, given.repeat, 171, 1, 20)
        tasks = {name: counters(weft, given.cores, file)["weft"] for name, file in files.items()}
    else:
        reads = folder / "reads.fq"
        write_reads(reads, given.megabytes, 0.1, 5_000, 1, 20)
        tasks = counters(weft, given.cores, reads)
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(1 if given.only == "counts" else given.repeats):
        for name, command in tasks.items():
            times[name].append(timed(command, folder))
    base = "uniform" if given.repeat is not None else min((n for n in tasks if n != "weft"), default="weft",
                                                          key=lambda n: statistics.median(times[n]))
    for name, all_times in times.items() if given.only != "counts" else ():
        median = statistics.median(all_times)
        print(f"{name:10} {median:7.2f} s ({min(all_times):.2f} to {max(all_times):.2f})  {median / statistics.median(times[base]):5.2f} of {base}")
    if given.repeat is None and given.only != "times":
        digests = write_dumps(weft, given.cores, reads, folder, list(tasks))
        print("all counts are equal" if len(set(digests.values())) == 1 else f"counts differ: {digests}")
        return 0 if len(set(digests.values())) == 1 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
