#!/usr/bin/env python3
"""Particle tracing: `weft trace` on 1 and 2 ranks against VTK's vtkStreamTracer on one core, reading excluded.

Both trace the same seeds through the same field by Runge-Kutta 4 with steps of one length. A step of Weft is one of
time, a step of VTK one of length; VTK's is the mean length of Weft's, and both stop after as many steps, so that they
make nearly the same number; what is compared is the time of equally many. Runs are interleaved, medians are printed.
VTK computes no vorticity. Needs VTK for Python (on Debian python3-vtk9).
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
    import vtk
except ImportError as missing:
    sys.exit(f"{Path(__file__).name}: {missing}; install python3-vtk9 and run with that interpreter")


def run_weft(weft, ranks, options, ends=None):
    extra = ["--ends", str(ends)] if ends else []
    done = subprocess.run([weft, "-n", str(ranks), "trace", options.field, "--seeds", options.seeds, "--max-steps",
                           str(options.max_steps), "--blocks", str(options.blocks), "--json", "-", *extra],
                          check=True, capture_output=True, text=True)
    report = json.loads(done.stdout)
    return report["result"], report["seconds"]["compute"]


class StreamTracer:
    """VTK's tracer, with the field and the seeds in memory."""

    def __init__(self, field, ends, step, max_steps):
        reader = vtk.vtkDataSetReader()
        reader.SetFileName(field)
        reader.Update()
        seeds = vtk.vtkPoints()
        with open(ends, newline="") as file:
            for row in csv.DictReader(file):
                seeds.InsertNextPoint(*(float(row[key]) for key in ("x0", "y0", "z0")))
        source = vtk.vtkPolyData()
        source.SetPoints(seeds)
        self.tracer = vtk.vtkStreamTracer()
        self.tracer.SetInputData(reader.GetOutput())
        self.tracer.SetSourceData(source)
        self.tracer.SetIntegratorTypeToRungeKutta4()
        self.tracer.SetIntegrationDirectionToForward()
        self.tracer.SetIntegrationStepUnit(1)  # lengths
        self.tracer.SetInitialIntegrationStep(step)
        self.tracer.SetMaximumPropagation(1e30)
        self.tracer.SetMaximumNumberOfSteps(max_steps)
        self.tracer.SetTerminalSpeed(0)
        self.tracer.SetComputeVorticity(False)

    def run(self):
        self.tracer.Modified()
        start = time.perf_counter()
        self.tracer.Update()
        seconds = time.perf_counter() - start
        lines = self.tracer.GetOutput()
        return lines.GetNumberOfPoints() - lines.GetNumberOfLines(), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("field", help="a legacy VTK file of a field of vectors")
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--seeds", default="every:10", help="as weft trace takes them (default %(default)s)")
    parser.add_argument("--max-steps", type=int, default=1000, help="of a particle (default %(default)s)")
    parser.add_argument("--blocks", type=int, default=4, help="of a rank of weft (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default %(default)s)")
    parser.add_argument("--csv", type=Path, help="write the results to a file")
    options = parser.parse_args()

    subjects = ("weft, 1 rank", "weft, 2 ranks", "VTK, 1 core")
    times = {subject: [] for subject in subjects}
    steps = {}
    with tempfile.TemporaryDirectory() as folder:
        ends = Path(folder) / "ends.csv"
        result, _ = run_weft(options.weft, 1, options, ends)
        theirs = StreamTracer(options.field, ends, result["mean_path"] * result["seeds"] / result["steps"],
                              options.max_steps)
        for repeat in range(options.repeats + 1):
            for ranks, subject in enumerate(subjects[:2], start=1):
                result, seconds = run_weft(options.weft, ranks, options)
                steps[subject] = result["steps"]
                times[subject].append(seconds)
            steps[subjects[2]], seconds = theirs.run()
            times[subjects[2]].append(seconds)
    name = Path(options.field).stem
    table = []
    print(f"{name + ', ' + str(result['seeds']) + ' seeds':<28} {'steps':>10} {'median s':>9} {'least s':>9} "
          f"{'Msteps/s':>9}")
    for subject in subjects:
        measured = times[subject][1:]  # the first run warms up
        median = statistics.median(measured)
        rate = steps[subject] / median / 1e6
        table.append(["trace", name, subject, 2 if "2" in subject else 1, 0, 0, median, min(measured), rate, "Msteps/s"])
        print(f"{subject:<28} {steps[subject]:>10} {median:>9.4f} {min(measured):>9.4f} {rate:>9.2f}")
    for row in table[:2]:
        print(f"{row[2]} against VTK, for equally many steps: {row[8] / table[2][8]:.1f} times as fast")
    if options.csv:
        bench_csv.write(options.csv, table)


if __name__ == "__main__":
    main()
