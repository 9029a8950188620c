"""Surfaces of volumes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclasses_field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import bound, several
from ._collective import gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError
from ._results import Result
from ._volume_input import VolumeInput
from ._volumes import Floats, Integers


@dataclass(frozen=True)
class Surface(Result):
    """A surface of triangles. Rank r has the points and triangles from `..._offsets[r]` up to `..._offsets[r + 1]`."""

    points: Floats
    """Shape (n, 3): x, y and z."""
    normals: NDArray[np.float32]
    """Shape (n, 3): of length 1, away from the inside."""
    levels: NDArray[np.int32]
    """Which value each point has, by its place among those asked for."""
    triangles: Integers
    """Shape (m, 3): numbers of points in the whole surface, counter-clockwise from outside."""
    point_offsets: Integers
    """Which rank has which points; shape (size + 1,)."""
    triangle_offsets: Integers
    """Which rank has which triangles; shape (size + 1,)."""
    areas: Floats
    """By value; equal on all ranks, as what follows."""
    components: Integers
    """By value: parts that no edge connects."""
    _comm: Any = dataclasses_field(default=None, repr=False)

    def gather(self) -> Surface | None:
        """Returns the whole surface on rank 0; None elsewhere. Collective."""
        names = "points", "normals", "levels", "triangles"
        parts = gather(self._comm, tuple(getattr(self, name) for name in names))
        if parts is None:
            return None
        whole = {name: np.concatenate([part[i] for part in parts]) for i, name in enumerate(names)}
        ends = {name: np.array([0, *[len(whole[what])] * (len(parts))]) for name, what in
                (("point_offsets", "points"), ("triangle_offsets", "triangles"))}
        return replace(self, **whole, **ends)


@on_ranks
def contour(volume: Any, values: float | Sequence[float], *, spacing: float | Sequence[float] = 1.0, missing: float | None = None,
            comm: AnyCommunicator = None) -> Surface:
    """Finds the surfaces on which a volume has a value.

    Collective. Cells are dealt to all ranks in equal numbers where they are not. Surfaces end at the ends of the volume and at missing
    values alone; the whole does not depend on the number of ranks.

    Parameters
    ----------
    volume : array, shape (nz, ny, nx)
        The whole, the same on all ranks. A rank reads its own layers alone, so `numpy.load(file, mmap_mode="r")` and
        `numpy.memmap` take no memory for the others, in any order of axes and bytes.
    values : float or sequence of float
        Of the surfaces; values that are at least as large are inside.
    spacing : float or sequence of float, optional
        Along x, y and z, as points are given; one for all.
    missing : float, optional
        The value that marks missing data; NaN always does.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Surface

    Raises
    ------
    UsageError
        On all ranks: no such volume or value; arguments that differ.

    Examples
    --------
    >>> import numpy as np, weft
    >>> x, y, z = np.mgrid[-2:2:20j, -2:2:20j, -2:2:20j]
    >>> found = weft.contour(4 - x * x - y * y - z * z, 1.0)
    >>> int(found.point_offsets[-1]), int(found.triangle_offsets[-1]), found.components.tolist()
    (1248, 2492, [1])
    """
    with agreed(comm, "contour") as call:
        wanted = [bound("values", each) for each in (several("values", values) if np.ndim(values) else [values])]
        if not wanted:
            raise UsageError("values: there are none; expected a number, or several")
        given = VolumeInput(volume, missing, spacing, (3,))
        call.same(f"at {wanted}, {given.text}")
    found: Any = _weft.contour(call.native, given.native, wanted)
    for name in ("points", "normals", "triangles"):
        found[name] = found[name].reshape(-1, 3)
    return Surface(_comm=comm, **found)
