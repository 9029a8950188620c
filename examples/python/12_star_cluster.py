"""Reads a star cluster, a part on each rank, and moves it under its own gravity: 12_star_cluster.py [galaxy.dat]"""

import os
import sys
import tempfile

import numpy as np
import weft

STARS = 2000

comm = weft.Communicator()
named = len(sys.argv) == 2 and sys.argv[1].endswith((".dat", ".csv", ".npy"))
file = sys.argv[1] if named else None
if file is None and comm.rank == 0:  # the places of Plummer's sphere, whose stars are at rest here
    random = np.random.default_rng(1)
    radius = 1 / np.sqrt(random.uniform(0.05, 0.95, STARS) ** (-2 / 3) - 1)
    directions = random.normal(size=(STARS, 3))
    handle, file = tempfile.mkstemp(suffix=".npy")
    os.close(handle)
    np.save(file, directions * (radius / np.linalg.norm(directions, axis=1))[:, None])
file = weft.broadcast(comm, file)

stars = weft.read_particles(file, softening=0.05, comm=comm)  # arrays of this rank's share, in the order of the file
found = weft.nbody(stars.positions, stars.velocities, stars.masses, softening=stars.softenings, steps=10, time_step=0.01, comm=comm)
assert found.positions.shape == stars.positions.shape  # each star comes back to the rank that gave it

drift = abs(found.after.energy / found.before.energy - 1)
assert drift < 1e-3
if comm.rank == 0:
    print(f"{found.after.particles} stars of {stars.format}, mass {found.after.mass:.3f}, falling together: {found.after.kinetic > found.before.kinetic}")
    if not named:
        os.remove(file)
