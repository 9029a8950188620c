#!/usr/bin/env python3
"""Whether the simulated machine tells the truth: programs of users (`weft-cases`), measured and simulated, side by side.

    benchmarks/simulated_vs_measured.py build/release/tools/weft [--ranks 2] [--cases exchange mailbox reduce iexchange] [--markdown]
    benchmarks/simulated_vs_measured.py build/release/tools/weft --ranks 3 --launcher "mpirun --host a,b,c -np 3"

Measures this machine with `weft tune`, then runs each case with MPI and on simulated ranks, which count the processor time of the
program (`compute=1`), some times over because the clock of a machine comes and goes, and prints the median ratio of the predicted
time to the measured one. Needs a quiet machine. Ends with an error where a ratio is beyond a factor of two."""
import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

EXCHANGED = [8, 1024, 65536, 1048576]
REDUCED = [4096, 65536, 1048576]
ITEMS = [200_000, 1_000_000]
STEADY = 1.4  # how much a time of a message may change
WALKS = {1: 200, 10: 200, 100: 100, 1000: 20}  # walkers in a block, and the hops of each


class Machine:
    """The command and its ranks, on a machine that `weft tune` measures again and again."""

    def __init__(self, weft, ranks, folder, launcher=()):
        self.weft, self.ranks, self.launcher = Path(weft), ranks, launcher or ("mpirun", "-n", ranks)
        self.file = folder / "machine.toml"
        self.tuned = self._tune()

    def both(self, *words):
        """Microseconds by name, measured and simulated, of a case of `weft-cases`. The cores of a virtual machine come and go: what was
        measured while the costs of messages changed is measured again."""
        program = [self.weft.with_name("weft-cases"), *words]
        for _ in range(10):
            before = self.tuned
            measured = self._run(*self.launcher, *program, WEFT_MACHINE=str(self.file))
            self.tuned = self._tune()
            if all(1 / STEADY < new / old < STEADY for new, old in zip(self.tuned, before)):
                break
        simulated = self._run(*program, WEFT_MACHINE=str(self.file),
                              WEFT_SIMULATE=f"{self.ranks},{self.file},compute={max(1, self.ranks / os.cpu_count())}")
        real, predicted = ({name: 1e6 * float(seconds) for name, seconds in csv.reader(said.splitlines())}
                           for said in (measured, simulated))
        return {name: (real[name], predicted[name]) for name in real}

    def _tune(self):
        """Measures the machine; returns the times of its messages."""
        self._run(*self.launcher, self.weft, "tune", "--quiet", "--seconds", 2 * self.ranks, "--file", self.file)
        network = tomllib.loads(self.file.read_text())
        costs = network.get("between", network["inside"])
        return costs[max((key for key in costs if key.isdigit()), key=int)]["known_first"]

    @staticmethod
    def _run(*command, **environment):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, **environment})
        if done.returncode != 0:
            sys.exit(done.stderr.strip())
        return done.stdout


def exchange(machine):
    """Exchanges with the next rank of bytes that were just written, by protocol and size."""
    return {(name, f"{size} B"): pair for size in EXCHANGED
            for name, pair in machine.both("exchange", size, min(200, (64 << 20) // size), 5).items()}


def mailbox(machine):
    """Items to random ranks, and a drain."""
    return {(name, f"{items} items"): pair for items in ITEMS for name, pair in machine.both("mailbox", items, 9).items()}


def reduce(machine):
    """Sums of arrays that were just written, on one rank and in shares."""
    return {(name, f"{size} B"): pair for size in REDUCED
            for name, pair in machine.both("reduce", size, min(200, (4 << 20) // size), 15).items()}


def iexchange(machine):
    """Walkers that hop between blocks, in rounds of exchanges and by iexchange."""
    side = next(side for side in range(4, 4 + machine.ranks) if side ** 3 % machine.ranks == 0)  # as many blocks on each rank
    return {(f"walks, {name}", f"{walkers} a block"): pair for walkers, hops in WALKS.items()
            for name, pair in machine.both("walks", side, walkers, hops, 15).items()}


CASES = {"exchange": exchange, "mailbox": mailbox, "reduce": reduce, "iexchange": iexchange}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--launcher", default="", help="what starts the ranks on several hosts, such as mpirun with its options")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--repeats", type=int, default=5, help="tune, measure and simulate so often; medians count")
    parser.add_argument("--markdown", action="store_true", help="print a table for docs/simulation.md")
    options = parser.parse_args()
    runs = []
    for _ in range(options.repeats):
        with tempfile.TemporaryDirectory() as folder:
            machine = Machine(options.weft, options.ranks, Path(folder), options.launcher.split())
            runs.append({key: pair for case in options.cases for key, pair in CASES[case](machine).items()})
    form = "| {} | {} | {:.1f} | {:.1f} | {:.2f} |" if options.markdown else "{:<18} {:>15} {:>14.1f} {:>14.1f} {:>6.2f}"
    errors = []
    print("| what | size | measured, us | simulated, us | ratio |\n|---|--:|--:|--:|--:|" if options.markdown
          else f"{'what':<18} {'size':>15} {'measured us':>14} {'simulated us':>14} {'ratio':>6}")
    for (name, size) in runs[0]:
        real, predicted = (statistics.median(run[name, size][i] for run in runs) for i in (0, 1))
        ratio = statistics.median(run[name, size][1] / run[name, size][0] for run in runs)
        errors.append(max(ratio, 1 / ratio) - 1)
        print(form.format(name, size, real, predicted, ratio))
    print(f"\nerror: {100 * statistics.median(errors):.0f} % in the median, {100 * max(errors):.0f} % at most")
    return 0 if max(errors) <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
