#!/usr/bin/env python3
"""Gravity by trees: `weft nbody` on 1 and 2 ranks beside pytreegrav (Numba) and REBOUND's tree (C), both on one core.

All compute the accelerations of one Plummer sphere at one opening angle, once: building the tree and walking it; reading
excluded. Weft and pytreegrav have quadrupoles, REBOUND's package monopoles alone. Runs are interleaved, medians are
printed, and the root mean square of the relative errors of every nth particle against all pairs, since speed alone says
nothing: at one angle trees differ. Needs numpy, pytreegrav and rebound from PyPI in the interpreter that runs this.
"""
import argparse
import csv
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench_csv

try:
    import numpy
    import pytreegrav
    import rebound
except ImportError as missing:
    sys.exit(f"{Path(__file__).name}: {missing}; install numpy, pytreegrav and rebound by pip")

SAMPLES = 500


class Weft:
    def __init__(self, command, ranks, snapshot, options):
        self.command = [command, "-n", str(ranks), "nbody", snapshot, "--theta", str(options.theta), "--eps",
                        str(options.eps), "--json", "-"]

    def run(self):
        done = subprocess.run(self.command, check=True, capture_output=True, text=True)
        seconds = json.loads(done.stdout)["seconds"]
        return sum(seconds[part] for part in ("tree", "walk", "exchange"))

    def accelerations(self, folder):
        table = Path(folder) / "accelerations.csv"
        subprocess.run([*self.command, "--accelerations", table], check=True, capture_output=True)
        with open(table, newline="") as file:
            rows = sorted((int(row["index"]), float(row["ax"]), float(row["ay"]), float(row["az"]))
                          for row in csv.DictReader(file))
        return numpy.array([row[1:] for row in rows])


class Pytreegrav:
    def __init__(self, places, masses, options):
        self.arguments = (places, masses)
        self.named = {"theta": options.theta, "method": "tree", "quadrupole": True, "parallel": False}
        self.run()  # compiles

    def run(self):
        start = time.perf_counter()
        self.found = pytreegrav.Accel(*self.arguments, **self.named)
        return time.perf_counter() - start

    def accelerations(self, _):
        return self.found


class Rebound:
    def __init__(self, places, masses, options):
        self.simulation = rebound.Simulation()
        self.simulation.root_size = 4 * float(numpy.abs(places).max())
        self.simulation.gravity = "tree"
        self.simulation.integrator = "leapfrog"
        self.simulation.opening_angle2 = options.theta**2
        self.simulation.softening = options.eps
        self.simulation.dt = 1e-12  # places stay where they are
        for place, mass in zip(places.tolist(), masses.tolist()):
            self.simulation.add(m=mass, x=place[0], y=place[1], z=place[2])
        self.places = places

    def run(self):
        start = time.perf_counter()
        self.simulation.steps(1)
        return time.perf_counter() - start

    def accelerations(self, _):
        found = numpy.zeros((len(self.places), 9))
        now = numpy.zeros((len(self.places), 3))
        for i, each in enumerate(self.simulation.particles):
            now[i] = each.xyz
            found[i, :3] = each.ax, each.ay, each.az
        # Its tree may have changed their order.
        mine, theirs = (numpy.lexsort(numpy.round(array, 9).T) for array in (self.places, now))
        ordered = numpy.zeros((len(self.places), 3))
        ordered[mine] = found[theirs, :3]
        return ordered


def by_pairs(places, masses, chosen, eps):
    """Accelerations of some particles by all."""
    found = []
    for i in chosen:
        away = places - places[i]
        distance = (away**2).sum(axis=1) + eps**2
        distance[i] = 1
        found.append((masses / distance**1.5) @ away)
    return numpy.array(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--particles", type=int, default=100_000, help="of the sphere (default %(default)s)")
    parser.add_argument("--theta", type=float, default=0.5, help="opening angle (default %(default)s)")
    parser.add_argument("--eps", type=float, default=0, help="softening of Weft and REBOUND (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default %(default)s)")
    parser.add_argument("--csv", type=Path, help="write the results to a file")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        snapshot = f"{folder}/sphere.csv"
        subprocess.run([options.weft, "generate", "plummer", "--particles", str(options.particles), "--out", snapshot],
                       check=True, capture_output=True)
        with open(snapshot, newline="") as file:
            rows = list(csv.DictReader(file))
        places = numpy.array([[float(row[axis]) for axis in "xyz"] for row in rows])
        masses = numpy.array([float(row["mass"]) for row in rows])
        subjects = {"weft, 1 rank": Weft(options.weft, 1, snapshot, options),
                    "weft, 2 ranks": Weft(options.weft, 2, snapshot, options),
                    "pytreegrav": Pytreegrav(places, masses, options), "REBOUND": Rebound(places, masses, options)}
        times = {subject: [] for subject in subjects}
        for _ in range(options.repeats):
            for subject, each in subjects.items():
                times[subject].append(each.run())
        chosen = numpy.arange(0, options.particles, max(options.particles // SAMPLES, 1))
        right = by_pairs(places, masses, chosen, options.eps)
        errors = {}
        for subject, each in subjects.items():
            wrong = each.accelerations(folder)[chosen] - right
            errors[subject] = float(numpy.sqrt(((wrong**2).sum(axis=1) / (right**2).sum(axis=1)).mean()))
    table = []
    first = statistics.median(times["weft, 1 rank"])
    print(f"{f'{options.particles} particles, theta {options.theta}':<36} {'median s':>9} {'least s':>9} {'beside':>7} "
          f"{'rms error':>10}")
    for subject, all_times in times.items():
        median = statistics.median(all_times)
        table.append(["nbody", f"plummer {options.particles}", subject, 2 if "2" in subject else 1, 0, 0, median,
                      min(all_times), options.particles / median / 1e6, "Mparticles/s"])
        print(f"{subject:<36} {median:>9.4f} {min(all_times):>9.4f} {median / first:>7.2f} {errors[subject]:>10.2e}")
    if options.csv:
        bench_csv.write(options.csv, table)


if __name__ == "__main__":
    main()
