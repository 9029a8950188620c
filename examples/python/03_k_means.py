"""Clusters of points by k-means: each rank has points, all have the centres, sums are reduced."""

import numpy as np
import weft

comm = weft.Communicator()
random = np.random.default_rng(comm.rank)
true_centres = np.array([[0.0, 0.0], [5.0, 5.0], [0.0, 8.0]])
points = true_centres[random.integers(0, 3, 20_000)] + random.normal(scale=0.5, size=(20_000, 2))

centres = weft.broadcast(comm, np.array([[1.0, 1.0], [4.0, 4.0], [1.0, 6.0]]) if comm.rank == 0 else None)
for iteration in range(100):
    nearest = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    sums = np.stack([np.bincount(nearest, weights, 3) for weights in (*points.T, np.ones(len(points)))], axis=1)
    sums = weft.all_reduce(comm, sums)
    moved = sums[:, :2] / sums[:, 2:]
    if np.abs(moved - centres).max() < 1e-9:
        break
    centres = moved

assert np.abs(centres - true_centres).max() < 0.05
if comm.rank == 0:
    print(f"3 centres after {iteration} iterations")
