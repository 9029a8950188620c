"""The cells of volumes whose values lie in a range."""

from __future__ import annotations

import os
from dataclasses import dataclass
from dataclasses import field as dataclasses_field
from typing import Any, Literal
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import bound, choice, path as file_name, text
from ._arrays import plain
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._decomposition import RegularGrid
from ._errors import UsageError
from ._progress import Phases, Progress
from ._results import Result
from ._surfaces import named_numbers
from ._volume_input import VolumeInput

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Cells(Result):
    """Cells of a volume, hexahedra. Each rank has a part of the points and of the cells.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.threshold(np.arange(27.0).reshape(3, 3, 3), most=13)
    >>> found.cells, found.volume
    (1, 1.0)
    """

    points: Floats
    """The corners of the cells of this rank, as x, y and z; shape (n, 3)."""
    corners: Integers
    """The corners of each cell of this rank: numbers of points in the whole mesh, in the order of VTK; shape (m, 8)."""
    fields: dict[str, Floats]
    """The values at the points, by the name of the field."""
    point_offsets: Integers
    """Rank r has the points from `point_offsets[r]` up to `point_offsets[r + 1]`; shape (size + 1,)."""
    cell_offsets: Integers
    """Rank r has the cells from `cell_offsets[r]` up to `cell_offsets[r + 1]`; shape (size + 1,)."""
    volume: float
    """The volume of all cells of all ranks."""
    components: int
    """The number of connected components of all cells, where cells that share a corner are connected."""
    _comm: Any = dataclasses_field(default=None, repr=False)

    @property
    def cells(self) -> int:
        """The number of cells on all ranks."""
        return int(self.cell_offsets[-1])

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes all cells to one VTK file; each rank writes its part. Collective.

        Parameters
        ----------
        path : path
            `FILE.vtu`, the same name on all ranks, on a file system that all ranks share. The file appears under this name when it is
            complete.

        Raises
        ------
        UsageError
            On all ranks: the path does not end in `.vtu` or differs between ranks, the cells were unpickled, or their arrays were
            changed and no longer fit each other.
        InputError
            On all ranks: the file cannot be written.

        Examples
        --------
        >>> import numpy as np, os, weft
        >>> weft.threshold(np.arange(27.0).reshape(3, 3, 3), least=13).write("cells of an example.vtu")
        >>> weft.barrier()
        >>> os.path.exists("cells of an example.vtu")
        True
        >>> weft.barrier()
        >>> if weft.Communicator().rank == 0: os.remove("cells of an example.vtu")
        """
        if self._comm is None:
            raise UsageError("write: these cells have been unpickled, and belong to no communicator")
        with agreed(self._comm, "write") as call:
            file = file_name("path", path)
            if os.path.splitext(file)[1].lower() != ".vtu":
                raise UsageError(f"path: {file!r}; expected the name of a file that ends with .vtu")
            points = plain("points", self.points).astype(np.float64, copy=False).reshape(-1)
            corners = plain("corners", self.corners).astype(np.int64, copy=False).reshape(-1)
            fields = named_numbers(self.fields)
            call.same(f"cells to {file}")
        _weft.write_cells(call.native, file, self.point_offsets.tolist(), points, self.cell_offsets.tolist(), corners, fields)


@on_ranks
def threshold(volume: Any, least: float | None = None, most: float | None = None, *, corners: Literal["all", "any"] = "all",
              name: str = "value", spacing: float | Sequence[float] | None = None, missing: float | None = None,
              held: Literal["whole", "parts"] | None = None, grid: RegularGrid | None = None, progress: Progress | None = None,
              comm: AnyCommunicator = None) -> Cells:
    """Keeps the cells of a volume whose values lie in a range.

    Collective. The cells are distributed evenly over the ranks. The result does not depend on the number of ranks.

    Parameters
    ----------
    volume, spacing, missing, held, grid, progress, comm
        As in `contour`. If the values of a file belong to cells, they are used as values at points.
    least, most : float, optional
        The ends of the range; a value equal to an end is in the range. At least one of `least` and `most` is needed.
    corners : {"all", "any"}
        The corners of a cell at which values must be in the range: all corners, or at least one.
    name : str
        The name of the values in `Cells.fields` and in files.

    Returns
    -------
    Cells

    Raises
    ------
    UsageError
        On all ranks: in the cases in which `contour` raises UsageError, and for a range that contains no number.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.threshold(np.arange(27.0).reshape(3, 3, 3), least=9)
    >>> found.cells, found.volume, found.components
    (4, 4.0, 1)
    """
    with agreed(comm, "threshold") as call:
        low, high = (None if value is None else bound(called, value) for called, value in (("least", least), ("most", most)))
        if low is None and high is None:
            raise UsageError("least: give it, or most")
        if low is not None and high is not None and not low <= high:
            raise UsageError(f"most: {most} is less than least, {least}")
        any_corner = choice("corners", corners, ("all", "any")) == "any"
        called = text("name", name)
        given = VolumeInput(call.native, volume, missing, spacing, (3,), held=held, grid=grid)
        told = Phases(call, progress, 3)
        call.same(f"from {low} to {high}, {corners} corners, named {called}, {given.text}")
    mine = given.fetch_ghosts(call.native)
    found: Any = _weft.threshold(call.native, given.native, mine, called, low, high, any_corner, told.tell)
    told.end()
    found["points"] = found["points"].reshape(-1, 3)
    found["corners"] = found["corners"].reshape(-1, 8)
    return Cells(_comm=call.native, **found)
