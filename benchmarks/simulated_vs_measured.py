#!/usr/bin/env python3
"""Whether the simulated machine tells the truth: `weft-bench` and `weft simulate`, side by side.

    benchmarks/simulated_vs_measured.py build/release/tools/weft [--ranks 2] [--cases exchange mailbox reduce iexchange] [--markdown]
    benchmarks/simulated_vs_measured.py build/release/tools/weft --ranks 3 --launcher "mpirun --host a,b,c -np 3"

Measures this machine with `weft tune`, then each case in reality and in simulation, some times over because the clock of a machine
comes and goes, and prints the median ratio of the predicted time to the measured one. The time of an instruction is no part of the
model: what a mailbox takes to send and handle an item is measured on one rank, and walks over blocks run as they are on simulated
ranks, which count the processor time of the program. Needs a quiet machine. Ends with an error where a
ratio is beyond a factor of two."""
import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

EXCHANGED = [8, 1024, 65536, 1048576]
REDUCED = [4096, 65536, 1048576]
ITEMS = [200_000, 1_000_000]
WALKS = {1: 200, 10: 200, 100: 100, 1000: 20}  # walkers in a block, and the hops of each


class Machine:
    """The command, its ranks, and a model that `weft tune` has just measured."""

    def __init__(self, weft, ranks, folder, launcher=()):
        self.weft, self.ranks, self.launcher = Path(weft), ranks, launcher
        self.model, self.rows = folder / "machine.toml", folder / "rows.csv"
        self._run(*self._started(self.weft, ranks), "tune", "--quiet", "--seconds", 3, "--file", self.model)

    def _started(self, program, ranks):
        """The words that start a program on all ranks, or on one rank here."""
        return [*self.launcher, program] if self.launcher and ranks == self.ranks else [program, "-n", ranks]

    def measured(self, *words, ranks=None):
        bench = self.weft.with_name("weft-bench")
        return self._rows(*self._started(bench, ranks or self.ranks), *words)

    def simulated(self, *words, ranks=None):
        return self._rows(self.weft, "simulate", *words, "--machine", self.model, "--ranks", ranks or self.ranks)

    def _rows(self, *command):
        self._run(*command, "--csv", self.rows)
        return list(csv.DictReader(self.rows.open()))

    def walked(self, *words, simulated):
        """Microseconds of walks by exchange and by iexchange. On simulated ranks mailboxes send messages inside a node, too."""
        program = self.weft.with_name("weft-walks")
        launcher = self.launcher or ("mpirun", "-n", self.ranks)
        knobs = {"WEFT_SIMULATE": f"{self.ranks},{self.model},compute=1"} if simulated else {"WEFT_SHARED_MEMORY": "off"}
        said = self._run(*(() if simulated else launcher), program, *words, WEFT_MACHINE=str(self.model), **knobs)
        return {name: 1e6 * float(seconds) for name, seconds in csv.reader(said.splitlines())}

    @staticmethod
    def _run(*command, **environment):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, **environment})
        if done.returncode != 0:
            sys.exit(done.stderr.strip())
        return done.stdout


def exchange(machine):
    """Microseconds of an exchange, measured and simulated, by protocol and size."""
    common = ["exchange", "--degree", 1, "--bytes", *EXCHANGED]
    simulated = machine.simulated(*common, "--rounds", 20)
    protocols = list(dict.fromkeys(row["subject"] for row in simulated))
    bench = machine.measured(*common, "--baseline", "none", "--rounds", 200, "--repeats", 5, "--protocol", *protocols)
    # The rate of a bench row is in thousands a second.
    real = {(row["subject"], int(row["bytes"])): 1e3 / float(row["rate"]) for row in bench}
    return {(row["subject"], f"{row['bytes']} B"): (real[row["subject"], int(row["bytes"])],
                                                    1e6 * float(row["simulated_s"]) / int(row["rounds"])) for row in simulated}


def mailbox(machine):
    """The same of items to random ranks and a drain. Half of an item's time on one rank is to send it, half to handle it."""
    found = {}
    for items in ITEMS:
        common = ["mailbox", "--items", items, "--route", "direct"]
        seconds = {}
        for ranks in 1, machine.ranks:
            bench = machine.measured(*common, "--case", "histogram", "--repeats", 9, ranks=ranks)
            seconds[ranks] = next(items / (1e6 * float(row["rate"])) for row in bench if row["subject"].startswith("send"))
        half = 0.5e9 * seconds[1] / items
        simulated = machine.simulated(*common, "--inside", "memory", "--send-ns", half, "--handle-ns", half)
        found["mailbox", f"{items} items"] = 1e6 * seconds[machine.ranks], 1e6 * float(simulated[0]["simulated_s"])
    return found


def reduce(machine):
    """The same of reductions of arrays, by merge or by swap, in one round, with an operator that does nothing."""
    bench = machine.measured("reduce", "--operator", "none", "--blocks", 1, "--k", machine.ranks, "--repeats", 15,
                             "--bytes", *REDUCED)
    real = {}
    for row in bench:
        kind, subject = row["case"].split()[0], row["subject"]
        if (kind, subject) in (("merge", "reduce"), ("swap", "reduce_scatter")):
            real[kind, int(row["bytes"])] = int(row["bytes"]) / float(row["rate"])  # which is in MB/s
    simulated = machine.simulated("reduce", "--k", machine.ranks, "--bytes", *REDUCED)
    return {(row["subject"], f"{row['bytes']} B"): (real[row["subject"].split()[0], int(row["bytes"])], 1e6 * float(row["simulated_s"]))
            for row in simulated if "model" not in row["subject"]}


def iexchange(machine):
    """The same of walkers that hop between blocks, in rounds of exchanges and by iexchange."""
    side = next(side for side in range(4, 4 + machine.ranks) if side ** 3 % machine.ranks == 0)  # as many blocks on each rank
    found = {}
    for walkers, hops in WALKS.items():
        real, simulated = (machine.walked(side, walkers, hops, 15, simulated=each) for each in (False, True))
        for name in real:
            found[f"walks, {name}", f"{walkers} a block"] = real[name], simulated[name]
    return found


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
