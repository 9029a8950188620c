#!/usr/bin/env python3
"""`weft count` of a text beside `sort | uniq -c`, and beside DuckDB and polars on as many threads.

count_vs_tables.py [--weft PROGRAM] [--items word|line] [--megabytes N] [--programs NAME...] [--ranks N] [--repeats N] [--folder DIR]

The text has words of a vocabulary of 500,000, rank r with a chance of 1 / r: ten words a line, or with `--items line` one. It lies in the page
cache. Each program is a process of its own; they alternate. The time of `weft` and `sort` is that of the whole process (sort gets 4 GB of memory
and no locale); of DuckDB and polars it is that of the query, without the start of Python. All count all items and give the ten most frequent ones,
and the number of different ones is compared. Medians in seconds, and the time of each over that of weft.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

VOCABULARY = 500_000

DUCKDB = """
import duckdb, sys, time
file, item, threads = sys.argv[1:]
duckdb.sql(f"SET threads = {threads}; SET enable_progress_bar = false")
start = time.perf_counter()
rows = f"read_csv('{file}', columns = {{'item': 'VARCHAR'}}, header = false, delim = '\\t', quote = '', escape = '')"
if item == "word":
    rows = f"(SELECT unnest(string_split(item, ' ')) AS item FROM {rows})"
found = duckdb.sql(f"WITH counts AS MATERIALIZED (SELECT item, count(*) AS n FROM {rows} GROUP BY item) "
                   "SELECT n, (SELECT count(*) FROM counts) FROM counts ORDER BY n DESC LIMIT 10").fetchall()
print(time.perf_counter() - start, found[0][1], found[0][0])
"""

POLARS = """
import sys, time
import polars
file, item, threads = sys.argv[1:]
start = time.perf_counter()
rows = polars.scan_csv(file, has_header=False, new_columns=["item"], separator="\\t", quote_char=None, schema={"item": polars.String})
if item == "word":
    rows = rows.select(polars.col("item").str.split(" ").explode())
counts = rows.group_by("item").len().collect(engine="streaming")
first = counts.top_k(10, by="len")
print(time.perf_counter() - start, counts.height, first["len"][0])
"""


def write_text(file: Path, megabytes: float, words_of_a_line: int) -> None:
    """Words in hexadecimal digits, most of seven."""
    chance = np.random.default_rng(1)
    words = [f"{rank * 0x9E3779B1 % 0xFFFFFFF:x}" for rank in range(VOCABULARY)]
    sums = np.cumsum(1.0 / np.arange(1, VOCABULARY + 1))
    with file.open("w", encoding="ascii") as out:
        while out.tell() < megabytes * 1e6:
            drawn = [words[i] for i in np.searchsorted(sums, chance.random(1_000_000) * sums[-1])]
            out.writelines(" ".join(drawn[i:i + words_of_a_line]) + "\n" for i in range(0, len(drawn), words_of_a_line))


def output_of(command: list, **how) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, text=True, check=True, **how)
    return time.perf_counter() - start, done.stdout


def run_weft(options: argparse.Namespace, file: Path) -> tuple[float, int, int]:
    of_words = ["--words"] if options.items == "word" else []
    seconds, said = output_of([options.weft, "-n", options.ranks, "count", file, *of_words, "--json", "-"])
    result = json.loads(said)["result"]
    return seconds, result["distinct"], result["top"][0]["count"]


def run_sort(options: argparse.Namespace, file: Path) -> tuple[float, int, int]:
    items = f"tr -s ' ' '\\n' < {file} |" if options.items == "word" else f"< {file}"
    counts = file.with_suffix(".counts")
    seconds, _ = output_of(["sh", "-c", f"{items} sort -S 4G --parallel={options.ranks} | uniq -c > {counts} && sort -nr {counts} | head -10"],
                           env={**os.environ, "LC_ALL": "C"}, stderr=subprocess.DEVNULL)
    with counts.open(encoding="ascii") as rows:
        times = [int(row.split()[0]) for row in rows]
    return seconds, len(times), max(times)


def run_query(script: str) -> Callable:
    def run(options: argparse.Namespace, file: Path) -> tuple[float, int, int]:
        _, said = output_of([sys.executable, "-c", script, file, options.items, options.ranks],
                            env={**os.environ, "POLARS_MAX_THREADS": str(options.ranks)})
        seconds, distinct, most = said.split()
        return float(seconds), int(distinct), int(most)
    return run


PROGRAMS = {"weft": run_weft, "duckdb": run_query(DUCKDB), "polars": run_query(POLARS), "sort": run_sort}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", type=Path, default=Path("build/release/tools/weft"), help="the command (default %(default)s)")
    parser.add_argument("--items", choices=["word", "line"], default="word", help="(default %(default)s)")
    parser.add_argument("--megabytes", type=float, default=1000, help="of the text (default %(default)s)")
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=list(PROGRAMS), help="some of them (default: all)")
    parser.add_argument("--ranks", type=int, default=2, help="of weft, and threads of the others (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program (default %(default)s)")
    parser.add_argument("--folder", type=Path, help="for the text, which is kept (default: none is kept)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(exist_ok=True)
        file = folder / f"{options.items}s_{options.megabytes:.0f}.txt"
        if not file.exists():
            write_text(file, options.megabytes, 10 if options.items == "word" else 1)
        file.read_bytes()  # into the page cache
        times = {program: [] for program in options.programs}
        answers = {}
        for _ in range(options.repeats):
            for program in options.programs:
                seconds, *answers[program] = PROGRAMS[program](options, file)
                times[program].append(seconds)
        if len({tuple(each) for each in answers.values()}) != 1:
            sys.exit(f"different items, and the count of the most frequent one: {answers}")
        print(f"{options.items}s, {file.stat().st_size / 1e6:.0f} MB, {options.ranks} ranks or threads, medians of {options.repeats} in s")
        ours = statistics.median(times["weft"]) if "weft" in times else None
        for program, of in times.items():
            row = f"{program:8}{statistics.median(of):8.2f}  ({min(of):.2f} to {max(of):.2f})"
            print(row + (f"{statistics.median(of) / ours:8.2f} of weft's time" if ours else ""), flush=True)


if __name__ == "__main__":
    main()
