#!/usr/bin/env python3
"""The ledger of ratios: each case of weft-bench beside its own baseline, which is measured in the same run.

  ratios.py check    runs the benchmarks and names what is worse than its spread in benchmarks/ratios.json
  ratios.py update   does the same and writes what it finds to the ledger

A ratio is the time of a subject over that of the first subject of its case, raw MPI, a ring or a loop. The
benchmarks run several times, because ratios differ more between runs than within one. The ledger keeps
the median, the least and the largest ratio. A subject is worse if it was above the largest in every run,
and better if it was below the least in every run. `--only TEXT` takes the suites that contain a text; an
update of these leaves the others as they are. Exit status of a check: 1 if anything is worse or missing.
"""

import argparse
import csv
import io
import json
import statistics
import subprocess
import sys
from pathlib import Path

# Each takes seconds. The first words name the benchmark; the sizes are those where ratios matter.
SUITES = [
    "-n 2 mailbox --case histogram --item-bytes 8",
    "-n 2 mailbox --case combine gather broadcast payload drain hop open --items 1000000",
    "-n 2 exchange --bytes 8 65536 --rounds 100",
    "-n 2 exchange --bytes 80000000 --rounds 1 --baseline raw-nbx --protocol nbx rsx",
    "-n 2 plan --rounds 100",
    "-n 2 reduce --bytes 16 4096 65536 --operator sum",
    "-n 2 blocks --case halo quiet hop",
    "-n 2 frames --graph random --weights zipf --keys 100000",
    "-n 2 termination",
]
BASELINE_OF_EXCHANGES = "raw-nbx"  # there protocols of Weft come first
MARGIN = 1.05  # of the largest ratio: below that a difference is none


def ratios_of(table):
    """The ratios in a CSV table of weft-bench, by case and subject."""
    cases = {}
    for row in csv.DictReader(io.StringIO(table)):
        name = f"{row['bench']}: {row['case']}, {row['bytes']} B"
        if int(row["degree"]) > 0:
            name += f", degree {row['degree']}"
        cases.setdefault(name, {})[row["subject"]] = float(row["median_s"])
    found = {}
    for name, seconds in cases.items():
        baseline = BASELINE_OF_EXCHANGES if BASELINE_OF_EXCHANGES in seconds else next(iter(seconds))
        for subject, each in seconds.items():
            if subject != baseline:
                found[f"{name}: {subject}"] = each / seconds[baseline]
    return found


def run_suite(bench, suite, runs):
    """The ratios of each run of a suite, by subject."""
    found = {}
    for _ in range(runs):
        done = subprocess.run(
            [bench, *suite.split(), "--repeats", "5", "--csv", "-", "-q"],
            stdout=subprocess.PIPE, text=True, timeout=900)
        if done.returncode != 0:
            raise SystemExit(f"ratios: weft-bench {suite} ended with status {done.returncode}")
        for subject, ratio in ratios_of(done.stdout).items():
            found.setdefault(subject, []).append(ratio)
    return found


def entry_of(ratios):
    return {"ratio": round(statistics.median(ratios), 3), "least": round(min(ratios), 3),
            "largest": round(max(ratios), 3)}


def compare(ledger, found):
    """Lines about each subject that is worse, better, new or missing; and whether the check fails."""
    lines = []
    fails = False
    for subject, ratios in sorted(found.items()):
        known = ledger.get(subject)
        if known is None:
            lines.append(f"new: {subject}: {statistics.median(ratios):.2f}")
        elif min(ratios) > known["largest"] * MARGIN:
            lines.append(f"WORSE: {subject}: {statistics.median(ratios):.2f} of the baseline, "
                         f"{known['least']:.2f} to {known['largest']:.2f} in the ledger")
            fails = True
        elif max(ratios) < known["least"] / MARGIN:
            lines.append(f"better: {subject}: {statistics.median(ratios):.2f} of the baseline, "
                         f"{known['least']:.2f} to {known['largest']:.2f} in the ledger")
    for subject in sorted(ledger):
        if subject not in found:
            lines.append(f"MISSING: {subject} is in the ledger and was not measured")
            fails = True
    return lines, fails


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "update"])
    parser.add_argument("--bench", default="build/release/tools/weft-bench", help="the program weft-bench")
    parser.add_argument("--ledger", default=str(Path(__file__).with_name("ratios.json")))
    parser.add_argument("--runs", type=int, default=3, help="runs of each suite")
    parser.add_argument("--only", default="", help="take the suites that contain this text")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error("--runs: at least 1 run is needed")
    suites = [suite for suite in SUITES if options.only in suite]
    if not suites:
        parser.error(f"--only {options.only}: no suite contains it; these are there:\n  " + "\n  ".join(SUITES))
    ledger_file = Path(options.ledger)
    ledger = json.loads(ledger_file.read_text()) if ledger_file.exists() else {}
    fails = False
    for suite in suites:
        print(f"== weft-bench {suite}", flush=True)
        found = run_suite(options.bench, suite, options.runs)
        lines, worse = compare(ledger.get(suite, {}), found)
        fails = fails or worse
        print("\n".join(lines) if lines else "as in the ledger", flush=True)
        if options.what == "update":
            ledger[suite] = {subject: entry_of(ratios) for subject, ratios in sorted(found.items())}
    if options.what == "update":
        kept = {suite: ledger[suite] for suite in SUITES if suite in ledger}
        ledger_file.write_text(json.dumps(kept, indent=1) + "\n")
        print(f"ratios: {ledger_file} is written")
        return 0
    return 1 if fails else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
