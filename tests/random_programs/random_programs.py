#!/usr/bin/env python3
"""Runs random programs under a launcher; shrinks what fails to a short program and prints it.

random_programs.py PROGRAM RANKS [--launcher mpirun] [--np-flag=-n] [--seed 1] [--operations 40] [--programs 10]
    [--batch 10] [--without VERB_OR_VALUE,...] [--only VERB,...] [--patience SECONDS] [--save FOLDER] [--keep-going]

Runs the seeds SEED .. SEED+PROGRAMS-1, BATCH of them a start of the launcher. Of a seed that ends with an error, a
wrong answer or a hang, operations are left out (Zeller, Hildebrandt, Simplifying and isolating failure-inducing
input, 2002) while the failure stays of the same sort. What remains is printed, and can be replayed:

    mpirun -n RANKS PROGRAM --program FILE
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Runner:
    def __init__(self, asked):
        self.launch = [asked.launcher, asked.np_flag, str(asked.ranks), asked.program]
        self.patience = asked.patience
        self.runs = 0

    def __call__(self, arguments, patience, programs=1):
        """What went wrong, as a sort and as text; None where nothing did."""
        self.runs += 1
        limit = patience * (2 if programs == 1 else 6) + 20
        process = subprocess.Popen([*self.launch, *arguments, "--patience", str(patience)], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            text, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            text, _ = process.communicate()
            return "hang", text + f"\nno end within {limit} s"
        if process.returncode == 0:
            return None
        lines = [line for line in text.splitlines() if line.startswith(("rank ", "random_programs:"))]
        if any(" hangs: " in line for line in lines):
            return "hang", "\n".join(lines)
        return "wrong", "\n".join(lines) or text


def verbs_of(text):
    """The verbs in which ranks were, so that one failure is not taken for another."""
    return set(re.findall(r"operation \d+ (\w+)", text))


def without_parts(lines, fails):
    """Leaves out parts of a list, halves first, while `fails` says that the rest does."""
    parts = 2
    while len(lines) > 1:
        size = -(-len(lines) // parts)
        for begin in range(0, len(lines), size):
            rest = lines[:begin] + lines[begin + size:]
            if rest and fails(rest):
                lines = rest
                parts = max(parts - 1, 2)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(lines))
    return lines


def simpler_lines(lines, fails):
    """Tries simpler values of arguments, line by line."""
    simple = {"most": "1", "within": "0", "dropped_by": "0", "protocol": "knob", "type": "number", "hops": "0",
              "route": "direct", "bytes": "0", "on": "0", "form": "inbox", "threads": "1", "in_memory": "0",
              "measured": "0", "where": "contiguous", "how": "drain", "walkers": "1", "runs": "0", "nested": "1"}
    for place in range(len(lines)):
        for name, value in simple.items():
            simpler = re.sub(rf"\b{name}=\S+", f"{name}={value}", lines[place])
            if simpler != lines[place]:
                trial = [*lines[:place], simpler, *lines[place + 1:]]
                if fails(trial):
                    lines = trial
    return lines


def shrink(run, lines, failure, deadline, folder):
    """A short program that fails in the same way."""
    file = folder / "program.txt"
    sort, text = failure
    patience = 6 if sort == "hang" else 30

    def fails(trial):
        if time.monotonic() > deadline:
            return False
        file.write_text("\n".join(trial) + "\n", encoding="utf-8")
        got = run(["--program", str(file)], patience)
        return got is not None and got[0] == sort and bool(verbs_of(got[1]) & verbs_of(text) or not verbs_of(text))

    if not fails(lines):
        return None
    return simpler_lines(without_parts(lines, fails), fails)


def report(run, asked, seed, failure):
    print(f"seed {seed} fails at {asked.ranks} ranks ({failure[0]}):\n{failure[1]}", flush=True)
    drawing = ["--seed", str(seed), "--operations", str(asked.operations), "--only", asked.only,
               "--without", asked.without]
    lines = subprocess.run([asked.program, "--print", "--ranks", str(asked.ranks), *drawing], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    with tempfile.TemporaryDirectory() as folder:
        short = shrink(run, lines, failure, time.monotonic() + asked.shrink_seconds, Path(folder))
        if short is None:
            print(f"it does not fail again by itself; the seeds before it may matter: --seed {asked.seed}")
            return
        file = Path(folder) / "program.txt"
        file.write_text("\n".join(short) + "\n", encoding="utf-8")
        last = run(["--program", str(file)], 6)
    text = "\n".join(short)
    print(f"shrunk from {len(lines)} operations to {len(short)}; put them into a file and replay it by\n"
          f"  {' '.join(run.launch)} --program FILE\n{text}\n{last[1] if last else '(not every time)'}", flush=True)
    if asked.save:
        Path(asked.save).mkdir(parents=True, exist_ok=True)
        (Path(asked.save) / f"seed_{seed}_at_{asked.ranks}.txt").write_text(
            "".join(f"# {line}\n" for line in (last or failure)[1].splitlines()) + text + "\n", encoding="utf-8")


def failing_seed(text):
    """The first of them: ranks that were done with it hang in the next."""
    found = [int(seed) for seed in re.findall(r"seed (\d+),", text)]
    return min(found) if found else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("ranks", type=int)
    for name, default in (("seed", 1), ("operations", 40), ("programs", 10), ("batch", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--launcher", default="mpirun")
    parser.add_argument("--np-flag", default="-n")
    parser.add_argument("--patience", type=float, default=60)
    parser.add_argument("--shrink-seconds", type=float, default=240)
    parser.add_argument("--without", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--save", default="")
    parser.add_argument("--keep-going", action="store_true")
    asked = parser.parse_args()
    run = Runner(asked)
    failures = 0
    seed = asked.seed
    end = asked.seed + asked.programs
    began = time.monotonic()
    while seed < end:
        batch = min(asked.batch, end - seed)
        failure = run(["--seed", str(seed), "--programs", str(batch), "--operations", str(asked.operations), "--only",
                       asked.only, "--without", asked.without], asked.patience, batch)
        if failure is None:
            seed += batch
            continue
        failures += 1
        failed = failing_seed(failure[1])
        report(run, asked, seed if failed is None else failed, failure)
        if not asked.keep_going:
            return 1
        seed = (seed if failed is None else failed) + 1
    print(f"{asked.programs} programs of {asked.operations} operations at {asked.ranks} ranks: {failures} failed, "
          f"{time.monotonic() - began:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
