#!/usr/bin/env python3
"""Volume rendering: `weft render` on 1 and 2 ranks beside VTK's fixed-point ray caster on one core, reading excluded.

Both cast one ray a pixel through the same volume, orthographic, with a sample each voxel, the same grey transfer function
and no shading; VTK interpolates linearly too, and leaves out empty space. What is compared is casting and, for Weft,
composing. Runs are interleaved, medians are printed. Needs VTK for Python (on Debian python3-vtk9), and no display.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import bench_csv

try:
    import vtk
except ImportError as missing:
    sys.exit(f"{Path(__file__).name}: {missing}; install python3-vtk9 and run with that interpreter")

SIZE = 512  # pixels


class RayCaster:
    """vtkFixedPointVolumeRayCastMapper by its steps, which need no window."""

    def __init__(self, volume, opacity):
        reader = vtk.vtkNIFTIImageReader() if ".nii" in volume else vtk.vtkXMLImageDataReader()
        reader.SetFileName(volume)
        reader.Update()
        image = reader.GetOutput()
        image.SetSpacing(1, 1, 1)  # in voxels, as the samples
        low, high = image.GetScalarRange()
        color, opaque = vtk.vtkColorTransferFunction(), vtk.vtkPiecewiseFunction()
        for value, grey in ((low, 0), (high, 1)):
            color.AddRGBPoint(value, grey, grey, grey)
            opaque.AddPoint(value, opacity * grey)
        looks = vtk.vtkVolumeProperty()
        looks.SetColor(color)
        looks.SetScalarOpacity(opaque)
        looks.SetInterpolationTypeToLinear()
        looks.ShadeOff()
        self.mapper = vtk.vtkFixedPointVolumeRayCastMapper()
        self.mapper.SetInputData(image)
        self.mapper.SetSampleDistance(1)
        self.mapper.SetAutoAdjustSampleDistances(False)
        self.mapper.SetImageSampleDistance(1)
        self.mapper.SetNumberOfThreads(1)
        self.volume = vtk.vtkVolume()
        self.volume.SetMapper(self.mapper)
        self.volume.SetProperty(looks)
        self.renderer = vtk.vtkRenderer()
        self.window = vtk.vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetSize(SIZE, SIZE)
        self.window.AddRenderer(self.renderer)
        camera = self.renderer.GetActiveCamera()
        camera.ParallelProjectionOn()
        self.renderer.AddVolume(self.volume)
        self.renderer.ResetCamera(image.GetBounds())
        camera.Azimuth(30)
        camera.Elevation(20)
        camera.SetParallelScale(0.5 * max(image.GetDimensions()))
        self.renderer.ResetCameraClippingRange(image.GetBounds())

    def run(self):
        start = time.perf_counter()
        origin, spacing, extent = [0.0] * 3, [1.0] * 3, list(self.mapper.GetInput().GetExtent())
        self.mapper.PerImageInitialization(self.renderer, self.volume, 0, origin, spacing, extent)
        self.mapper.PerVolumeInitialization(self.renderer, self.volume)
        self.mapper.PerSubVolumeInitialization(self.renderer, self.volume, 0)
        self.mapper.RenderSubVolume()
        return time.perf_counter() - start

    def pixels(self):
        """How many were cast, so that an empty picture is seen."""
        width, height = self.mapper.GetRayCastImage().GetImageInUseSize()
        return width * height


def run_weft(weft, ranks, options):
    done = subprocess.run([weft, "-n", str(ranks), "render", options.volume, "--size", f"{SIZE},{SIZE}", "--opacity",
                           str(options.opacity), "--json", "-"], check=True, capture_output=True, text=True)
    seconds = json.loads(done.stdout)["seconds"]
    return seconds["cast"] + seconds["compose"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("volume", help="a NIfTI or .vti file")
    parser.add_argument("--weft", default="build/release/tools/weft", help="the command (default %(default)s)")
    parser.add_argument("--opacity", type=float, default=0.05, help="of a voxel of the greatest value")
    parser.add_argument("--repeats", type=int, default=7, help="runs of each (default %(default)s)")
    parser.add_argument("--csv", type=Path, help="write the results to a file")
    options = parser.parse_args()

    theirs = RayCaster(options.volume, options.opacity)
    subjects = {"weft, 1 rank": lambda: run_weft(options.weft, 1, options),
                "weft, 2 ranks": lambda: run_weft(options.weft, 2, options), "VTK, 1 core": theirs.run}
    times = {subject: [] for subject in subjects}
    for _ in range(options.repeats + 1):
        for subject, run in subjects.items():
            times[subject].append(run())
    if theirs.pixels() == 0:
        sys.exit(f"{Path(__file__).name}: VTK has cast no rays")
    name = Path(options.volume).name.split(".")[0]
    table = []
    print(f"{name + f', {SIZE} x {SIZE} pixels':<50} {'median s':>9} {'least s':>9}")
    for subject, all_times in times.items():
        measured = all_times[1:]  # the first run warms up
        median = statistics.median(measured)
        table.append(["render", name, subject, 2 if "2" in subject else 1, 0, 0, median, min(measured),
                      SIZE * SIZE / median / 1e6, "Mpixels/s"])
        print(f"{subject:<50} {median:>9.4f} {min(measured):>9.4f}")
    for row in table[:2]:
        print(f"{row[2]} against VTK: {table[2][6] / row[6]:.2f} times as fast")
    if options.csv:
        bench_csv.write(options.csv, table)


if __name__ == "__main__":
    main()
