"""Particles from files; each rank has a part."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import number, optional_number, path as file_name
from ._arrays import converted, plain
from ._collective import all_gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError
from ._npy import write_array
from ._results import Result

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Snapshot(Result):
    """The particles of a file, returned by `read_particles`. Attributes that are arrays have an element for each particle of this rank, in
    the order of the file.

    `dataclasses.replace(stars, positions=..., time=...)` makes a copy with other values, which `write` can write.

    Examples
    --------
    >>> import numpy as np, os, weft
    >>> if weft.Communicator().rank == 0: np.save("snapshot of an example.npy", np.eye(3))
    >>> weft.barrier()
    >>> stars = weft.read_particles("snapshot of an example.npy", total_mass=6.0)
    >>> stars.format, stars.offsets[-1].item(), len(stars.ids) == len(stars.positions), stars.masses.max(initial=2.0).item()
    ('NumPy array of float64', 3, True, 2.0)
    >>> weft.barrier()
    >>> if weft.Communicator().rank == 0: os.remove("snapshot of an example.npy")
    """

    positions: Floats
    """The positions, as x, y and z; shape (n, 3)."""
    velocities: Floats
    """The velocities along x, y and z; shape (n, 3). Zero if the file has no velocities."""
    masses: Floats
    """The masses in the units of the file; shape (n,)."""
    softenings: Floats
    """The softening lengths of Plummer: at smaller distances, the attraction is weaker; shape (n,)."""
    ids: Integers
    """The ids in the file; shape (n,). If the file has no ids: 1, 2, 3, ... in the order of the file."""
    kinds: Integers
    """The types of GADGET: 0 gas, 1 halo, 2 disk, 3 bulge, 4 stars, 5 boundary; shape (n,)."""
    offsets: Integers
    """Rank r has the particles from `offsets[r]` up to `offsets[r + 1]`; shape (size + 1,)."""
    time: float
    """The time in the file, or 0 if the file has no time."""
    format: str
    """The format of the file, in words."""
    _comm: Any = field(default=None, repr=False)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the particles of all ranks to one file, in the order of ranks and of their arrays. Collective.

        Parameters
        ----------
        path : path
            The name of the file, the same on all ranks; its ending gives the format. `.csv`: columns id, x, y, z, vx, vy, vz, mass,
            softening. `.vtp`: polydata of VTK. `.npy`: the positions. `.gadget` or `.dat`: GADGET format 2 with doubles, whose particles
            are ordered by kind; a file of this format has the time, but no softening lengths. The file has a temporary name until all
            particles are written.

        Raises
        ------
        UsageError
            On all ranks: the name has an unknown ending or differs between ranks, arrays of a rank have different lengths, or a GADGET file
            cannot have these kinds of particles.
        InputError
            On all ranks: the file cannot be written.

        Examples
        --------
        >>> import numpy as np, os, weft
        >>> comm = weft.Communicator()
        >>> if comm.rank == 0: np.save("stars of an example.npy", np.eye(3))
        >>> weft.barrier(comm)
        >>> stars = weft.read_particles("stars of an example.npy", softening=0.5, comm=comm)
        >>> stars.write("stars of an example.csv")
        >>> again = weft.read_particles("stars of an example.csv", comm=comm)
        >>> bool((again.positions == stars.positions).all()), again.softenings.max(initial=0.5).item()
        (True, 0.5)
        >>> weft.barrier(comm)
        >>> if comm.rank == 0: os.remove("stars of an example.npy"); os.remove("stars of an example.csv")
        """
        with agreed(self._comm, "Snapshot.write") as call:
            file = file_name("path", path)
            call.same(f"to {file}")
            if not file.endswith((".csv", ".vtp", ".npy", ".gadget", ".dat")):
                raise UsageError(f"path: {file!r}; expected a name that ends with .csv, .vtp, .npy, .gadget or .dat")
            count = len(plain("positions", self.positions))
            columns = [_column(name, getattr(self, name), (count, *rest), dtype) for name, rest, dtype in _COLUMNS]
            time = number("time", self.time)
            call.same(f"at time {time}")
        counts = all_gather(call.native, count)
        if file.endswith(".npy"):
            return write_array(call.native, file, columns[0], np.cumsum([0, *counts]))
        positions, velocities, masses, softenings, ids, kinds = columns
        first = sum(counts[: call.native.rank])
        _weft.write_particles(call.native, file, positions, velocities, masses, softenings, ids, kinds, first, time)


def _column(name: str, value: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    made = np.ascontiguousarray(converted(name, value, np.dtype(dtype)))
    if made.shape != shape:
        raise UsageError(f"{name}: its shape is {made.shape}; expected {shape}")
    return made


_COLUMNS = (("positions", (3,), np.float64), ("velocities", (3,), np.float64), ("masses", (), np.float64), ("softenings", (), np.float64),
            ("ids", (), np.int64), ("kinds", (), np.int64))


@on_ranks
def read_particles(path: str | os.PathLike[str], *, softening: float | None = None, total_mass: float | None = None,
                   comm: AnyCommunicator = None) -> Snapshot:
    """Reads particles from a file: GADGET (formats 1 and 2), TIPSY, checkpoints of `weft nbody`, CSV, NumPy. Each rank gets a part of the
    particles.

    Collective. The name of a CSV file ends in `.csv` or `.txt`. A CSV file has the columns x, y, z, and optionally vx, vy, vz, mass,
    softening, id. A NumPy file has the positions, of shape (particles, 3). GADGET, TIPSY and NumPy files, and checkpoints, are recognised
    by their headers.

    Parameters
    ----------
    path : path
        The same name on all ranks, on a file system that all ranks share.
    softening : float, optional
        The softening length of all particles. The default is the softening length that the file contains, or 0.
    total_mass : float, optional
        The mass of all particles together, if the file has no masses. The default is 1.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Snapshot

    Raises
    ------
    InputError
        On all ranks: the file cannot be read, it is not in a known format, it is only a part of a snapshot in several files, or it has a
        periodic box.
    UsageError
        On all ranks: a total mass for a file that has masses, arguments out of range, arguments that differ between ranks.

    Examples
    --------
    >>> import numpy as np, os, weft
    >>> comm = weft.Communicator()
    >>> if comm.rank == 0: np.save("particles of an example.npy", np.random.default_rng(1).normal(size=(64, 3)))
    >>> weft.barrier(comm)
    >>> stars = weft.read_particles("particles of an example.npy", softening=0.1, comm=comm)
    >>> found = weft.nbody(stars.positions, stars.velocities, stars.masses, softening=stars.softenings, steps=1, comm=comm)
    >>> found.after.particles, round(found.after.mass, 9)
    (64, 1.0)
    >>> weft.barrier(comm)
    >>> if comm.rank == 0: os.remove("particles of an example.npy")
    """
    with agreed(comm, "read_particles") as call:
        file = file_name("path", path)
        length, mass = optional_number("softening", softening, least=0), optional_number("total_mass", total_mass, above=0)
        call.same(f"of {file}, softening {length}, total mass {mass}")
    found: dict[str, Any] = _weft.read_particles(call.native, file, length, mass)
    for name in ("positions", "velocities"):
        found[name] = found[name].reshape(-1, 3)
    return Snapshot(offsets=np.cumsum([0, *all_gather(call.native, len(found["ids"]))]), _comm=call.native, **found)
