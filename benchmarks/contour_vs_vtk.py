#!/usr/bin/env python3
"""Isosurfaces: `weft contour` against VTK's filters on one core: vtkFlyingEdges3D for volumes, vtkContourGrid for meshes.

Two things are compared, in runs that alternate. The whole command: read, contour, write a .vtp; of VTK the work of a program
that is running already, of Weft its phases, so neither pays for the start of an interpreter or of MPI; the seconds of the
whole processes are printed beside. And the kernel for each core: of Weft finding active cells and marching through them on
1 rank, of VTK the filter alone. VTK runs twice: as it comes (FlyingEdges makes normals, the writer packs by zlib), and as
lean as it can be (no normals, nothing packed). Weft makes normals, counts components, joins the points of all ranks and
packs nothing. Needs VTK for Python (on Debian python3-vtk9).
"""
import argparse
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


def run_weft(options, ranks, surface):
    words = [options.weft, "-n", str(ranks), "contour", options.file, "--iso", repr(options.iso), "--json", "-", "--out", surface]
    if options.field:
        words += ["--field", options.field]
    start = time.perf_counter()
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    process = time.perf_counter() - start
    report = json.loads(done.stdout)
    seconds = report["seconds"]
    return report["result"], seconds["total"], seconds["find"] + seconds["kernel"], process


def run_vtk(options, surface, lean):
    start = time.perf_counter()
    name = options.file
    if name.endswith((".nii", ".nii.gz")):
        reader, contour = vtk.vtkNIFTIImageReader(), vtk.vtkFlyingEdges3D()
    elif name.endswith(".vtu"):
        reader, contour = vtk.vtkXMLUnstructuredGridReader(), vtk.vtkContourGrid()
    else:
        reader, contour = vtk.vtkDataSetReader(), vtk.vtkFlyingEdges3D()
    reader.SetFileName(name)
    reader.Update()
    data = reader.GetOutput()
    if options.field:
        data.GetPointData().SetActiveScalars(options.field)
    contour.SetInputData(data)
    contour.SetValue(0, options.iso)
    if lean:
        contour.ComputeNormalsOff()
    before = time.perf_counter()
    contour.Update()
    kernel = time.perf_counter() - before
    writer = vtk.vtkXMLPolyDataWriter()
    writer.SetInputData(contour.GetOutput())
    writer.SetFileName(surface)
    if lean:
        writer.SetDataModeToAppended()
        writer.EncodeAppendedDataOff()
        writer.SetCompressorTypeToNone()
    writer.Write()
    return contour.GetOutput().GetNumberOfCells(), time.perf_counter() - start, kernel


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="a volume (.nii, .nii.gz, legacy .vtk) or a mesh (.vtu)")
    parser.add_argument("--iso", type=float, required=True, help="the value of the surface")
    parser.add_argument("--field", help="of a mesh")
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--ranks", type=int, default=2, help="of the whole command (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each (default %(default)s)")
    parser.add_argument("--csv", type=Path, help="write the results to a file")
    options = parser.parse_args()
    vtk.vtkSMPTools.Initialize(1)

    subjects = (f"weft, {options.ranks} ranks", "weft, 1 rank", "VTK, 1 core, as it comes", "VTK, 1 core, lean")
    whole = {subject: [] for subject in subjects}
    kernels = {subject: [] for subject in subjects}
    processes = {subject: [] for subject in subjects[:2]}
    triangles = {}
    with tempfile.TemporaryDirectory() as folder:
        surface = str(Path(folder) / "surface.vtp")
        for _ in range(options.repeats + 1):
            for ranks, subject in ((options.ranks, subjects[0]), (1, subjects[1])):
                result, total, kernel, process = run_weft(options, ranks, surface)
                triangles[subject] = result["triangles"]
                whole[subject].append(total)
                kernels[subject].append(kernel)
                processes[subject].append(process)
            for subject in subjects[2:]:
                triangles[subject], total, kernel = run_vtk(options, surface, subject.endswith("lean"))
                whole[subject].append(total)
                kernels[subject].append(kernel)
    name = Path(options.file).name
    table = []
    print(f"{name + ' at ' + repr(options.iso):<44} {'triangles':>10} {'whole s':>9} {'least s':>9} {'kernel s':>9} {'process s':>9}")
    for subject in subjects:
        total, kernel = statistics.median(whole[subject][1:]), statistics.median(kernels[subject][1:])  # the first run warms up
        process = statistics.median(processes[subject][1:]) if subject in processes else float("nan")
        ranks = options.ranks if subject == subjects[0] else 1
        for what, measured in (("whole", whole[subject][1:]), ("kernel", kernels[subject][1:])):
            median = statistics.median(measured)
            table.append([f"contour {what}", name, subject, ranks, 0, 0, median, min(measured),
                          triangles[subject] / median / 1e6, "Mtriangles/s"])
        print(f"{subject:<44} {triangles[subject]:>10} {total:>9.4f} {min(whole[subject][1:]):>9.4f} {kernel:>9.4f} {process:>9.4f}")
    def times(of, subject, peer):
        return statistics.median(of[subject][1:]) / statistics.median(of[peer][1:])
    for peer in subjects[2:]:
        print(f"{subjects[0]}, whole: {times(whole, subjects[0], peer):.2f} of the time of {peer}")
        print(f"weft, kernel on one core: {times(kernels, subjects[1], peer):.2f} of the time of the filter of {peer}")
    if options.csv:
        bench_csv.write(options.csv, table)


if __name__ == "__main__":
    main()
