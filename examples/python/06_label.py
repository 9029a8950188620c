"""Labels the grains of a volume, of which each rank has a slab, and draws a slice as a picture: 06_label.py [FILE.ppm]"""

import sys

import numpy as np
import weft

N = 48

comm = weft.Communicator()
bounds = np.arange(comm.size + 1) * N // comm.size
first, end = bounds[comm.rank], bounds[comm.rank + 1]


def grains(low: int, high: int) -> np.ndarray:
    """The slices low..high-1 of balls on a lattice, which do not touch."""
    z, y, x = np.meshgrid(np.arange(low, high), np.arange(N), np.arange(N), indexing="ij")
    return (z % 12 - 5.5) ** 2 + (y % 12 - 5.5) ** 2 + (x % 12 - 5.5) ** 2 < 25


solid = grains(first, min(end + 1, N))  # with the first slice of the next rank, where there is one
voxel = np.arange(solid.size).reshape(solid.shape) + first * N * N
own = solid[: end - first]
edges = [np.stack([voxel[: end - first][own]] * 2, axis=1)]  # a loop each: a grain may be one voxel
for axis in range(3):
    ahead = [slice(None)] * 3
    behind = [slice(None)] * 3
    ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
    both = solid[tuple(ahead)] & solid[tuple(behind)]
    edges.append(np.stack([voxel[tuple(behind)][both], voxel[tuple(ahead)][both]], axis=1))
found = weft.components(np.concatenate(edges), comm=comm)

# A label is the least voxel of a grain. Components stay with the ranks that own their vertices; labels go to the slabs.
inbox = weft.exchange(comm, np.searchsorted(bounds, found.vertices // (N * N), side="right") - 1,
                      np.stack([found.vertices, found.labels], axis=1))
labels = np.full(own.size, -1)
labels[inbox.array[:, 0] - first * N * N] = inbox.array[:, 1]
labels = labels.reshape(own.shape)
assert ((labels >= 0) == own).all()

assert found.components == (N // 12) ** 3
slices = weft.gather(comm, labels[:, N // 2 - 6])
if comm.rank == 0:
    print(f"{found.components} grains, the largest of {found.largest[0]} voxels")
    if len(sys.argv) > 1 and sys.argv[1].endswith(".ppm"):
        picture = np.concatenate(slices)
        colours = np.random.default_rng(1).integers(64, 256, (N**3, 3))
        pixels = np.where(picture[..., None] < 0, 0, colours[picture]).astype(np.uint8)
        with open(sys.argv[1], "wb") as file:
            file.write(b"P6 %d %d 255\n" % picture.shape[::-1] + pixels.tobytes())
