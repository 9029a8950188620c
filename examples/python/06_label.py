"""Labels the grains of a volume and draws a slice and a view of it: 06_label.py [SLICE.ppm VIEW.ppm]"""

import sys

import numpy as np
import weft

N = 48

comm = weft.Communicator()
z, y, x = np.ogrid[:N, :N, :N]  # balls on a lattice, which do not touch
distance = np.sqrt((z % 12 - 5.5) ** 2 + (y % 12 - 5.5) ** 2 + (x % 12 - 5.5) ** 2)
volume = np.maximum(6 - distance, 0).astype(np.float32)  # of a file: numpy.load(file, mmap_mode="r")

found = weft.label(volume, 1.0, comm=comm)  # the labels of this rank's layers
first, end = found.offsets[comm.rank : comm.rank + 2]
assert ((found.labels > 0) == (volume[first:end] >= 1.0)).all()
assert found.components == (N // 12) ** 3

seen = weft.render(volume, "30,20", preset="heat", width=320, height=240, shaded=True, comm=comm)
labels = found.gather()  # small enough for rank 0


def write(name: str, pixels: np.ndarray) -> None:
    """As PPM, which needs no library."""
    with open(name, "wb") as file:
        file.write(b"P6 %d %d 255\n" % pixels.shape[1::-1] + pixels.astype(np.uint8).tobytes())


if comm.rank == 0:
    print(f"{found.components} grains, the largest of {found.largest[0]} voxels")
    colours = np.random.default_rng(1).integers(64, 256, (found.components + 1, 3)) * (np.arange(found.components + 1) > 0)[:, None]
    if len(sys.argv) == 3 and all(name.endswith(".ppm") for name in sys.argv[1:]):
        write(sys.argv[1], colours[labels[N // 2 - 6]])
        write(sys.argv[2], 255 * seen[..., :3])
