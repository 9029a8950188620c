"""Surfaces of volumes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclasses_field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import bound, several
from ._collective import gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._decomposition import RegularGrid
from ._errors import UsageError
from ._results import Result
from ._volume_input import VolumeInput
from ._histogram import Floats, Integers


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
def contour(volume: Any, values: float | Sequence[float], *, spacing: float | Sequence[float] | None = None, missing: float | None = None,
            held: Literal["whole", "parts"] | None = None, grid: RegularGrid | None = None, comm: AnyCommunicator = None) -> Surface:
    """Finds the surfaces on which a volume has a value.

    Collective. Cells are dealt to all ranks in equal numbers where they are not. Surfaces end at the ends of the volume and at missing
    values alone; the whole does not depend on the number of ranks.

    Parameters
    ----------
    volume : array, shape (nz, ny, nx), or Volume
        As in `label`; with `grid`, the part of this rank.
    values : float or sequence of float
        Of the surfaces; values that are at least as large are inside.
    spacing : float or sequence of float, optional
        Along x, y and z, as points are given; one for all. Without it 1, or what a file says.
    missing : float, optional
        The value that marks missing data; NaN always does.
    held, grid
        As in `label`. The layers of points that the next parts begin with are fetched.
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
        given = VolumeInput(call.native, volume, missing, spacing, (3,), held=held, grid=grid)
        call.same(f"at {wanted}, {given.text}")
    mine = given.fetch_ghosts(call.native)
    found: Any = _weft.contour(call.native, given.native, mine, wanted)
    for name in ("points", "normals", "triangles"):
        found[name] = found[name].reshape(-1, 3)
    return Surface(_comm=comm, **found)
