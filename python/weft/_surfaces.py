"""Surfaces of volumes: contours and slices."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclasses_field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import bound, numbers, path as file_name, several, text
from ._arrays import plain
from ._collective import gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._decomposition import RegularGrid
from ._errors import UsageError
from ._progress import Phases, Progress
from ._results import Result
from ._volume_input import VolumeInput
from ._histogram import Floats, Integers


@dataclass(frozen=True)
class Surface(Result):
    """A surface of triangles. Each rank has a part of the points and of the triangles.

    Examples
    --------
    >>> import numpy as np, weft
    >>> x, y, z = np.mgrid[-2:2:20j, -2:2:20j, -2:2:20j]
    >>> whole = weft.contour(4 - x * x - y * y - z * z, 1.0).gather()  # on rank 0
    >>> whole is None or whole.points[whole.triangles].shape == (2492, 3, 3)
    True
    """

    points: Floats
    """The points of this rank, as x, y and z; shape (n, 3)."""
    normals: NDArray[np.float32]
    """The normals at the points, of length 1, pointing outside; shape (n, 3)."""
    levels: NDArray[np.int32]
    """For each point, the index in the argument `values` of the value of its surface."""
    triangles: Integers
    """The corners of each triangle: numbers of points in the whole surface, counter-clockwise seen from outside; shape (m, 3)."""
    point_offsets: Integers
    """Rank r has the points from `point_offsets[r]` up to `point_offsets[r + 1]`; shape (size + 1,)."""
    triangle_offsets: Integers
    """Rank r has the triangles from `triangle_offsets[r]` up to `triangle_offsets[r + 1]`; shape (size + 1,)."""
    areas: Floats
    """The area of the surface for each value; equal on all ranks."""
    components: Integers
    """The number of connected components of the surface for each value; equal on all ranks."""
    values: list[float] = dataclasses_field(default_factory=lambda: [0.0])
    """The values of the surfaces, as in the argument `values`; for a slice, the single value 0, the distance from the plane."""
    fields: dict[str, Floats] = dataclasses_field(default_factory=dict)
    """The values at the points, by the name of the field: for a slice of a volume, the values of the volume; for a mesh, its fields. Shape
    (n,), or (n, 3) for vectors."""
    triangle_fields: dict[str, Floats] = dataclasses_field(default_factory=dict)
    """For a mesh, the fields at cells, by name: each triangle has the values of the cell in which it lies."""
    _comm: Any = dataclasses_field(default=None, repr=False)

    def gather(self) -> Surface | None:
        """Returns the whole surface on rank 0, and None on other ranks. Collective."""
        names = "points", "normals", "levels", "triangles"
        parts = gather(self._comm, (*(getattr(self, name) for name in names), self.fields, self.triangle_fields))
        if parts is None:
            return None
        whole: dict[str, Any] = {name: np.concatenate([part[i] for part in parts]) for i, name in enumerate(names)}
        whole["fields"] = {name: np.concatenate([part[-2][name] for part in parts]) for name in self.fields}
        whole["triangle_fields"] = {name: np.concatenate([part[-1][name] for part in parts]) for name in self.triangle_fields}
        ends: dict[str, Any] = {name: np.array([0, *[len(whole[what])] * (len(parts))]) for name, what in
                (("point_offsets", "points"), ("triangle_offsets", "triangles"))}
        return replace(self, **whole, **ends)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the whole surface to a file; each rank writes its part. Collective.

        Parameters
        ----------
        path : path
            `FILE.vtp` (VTK), `FILE.stl` (binary), `FILE.ply` (binary), or `FILE.pvtp`, which refers to a folder with a file for each rank.
            All ranks pass the same name, on a file system that all ranks share. The file appears under this name when it is complete.

        Raises
        ------
        UsageError
            On all ranks: the path has an unknown ending or differs between ranks, the surface was unpickled, or its arrays were
            changed and no longer fit each other.
        InputError
            On all ranks: the file cannot be written.

        Examples
        --------
        >>> import numpy as np, os, weft
        >>> x, y, z = np.mgrid[-2:2:20j, -2:2:20j, -2:2:20j]
        >>> weft.contour(4 - x * x - y * y - z * z, 1.0).write("surface of an example.stl")
        >>> os.path.getsize("surface of an example.stl")
        124684
        >>> weft.barrier()
        >>> if weft.Communicator().rank == 0: os.remove("surface of an example.stl")
        """
        if self._comm is None:
            raise UsageError("write: this surface has been unpickled, and belongs to no communicator")
        with agreed(self._comm, "write") as call:
            file = file_name("path", path)
            if os.path.splitext(file)[1].lower() not in (".vtp", ".pvtp", ".stl", ".ply"):
                raise UsageError(f"path: {file!r}; expected the name of a file that ends with .vtp, .pvtp, .stl or .ply")
            kinds = (("points", np.float64), ("normals", np.float32), ("levels", np.int32), ("triangles", np.int64))
            flat: dict[str, Any] = {name: plain(name, getattr(self, name)).astype(kind, copy=False).reshape(-1) for name, kind in kinds}
            fields, triangle_fields = named_numbers(self.fields), named_numbers(self.triangle_fields)
            call.same(f"a surface to {file}")
        _weft.write_surface(call.native, file, self.point_offsets.tolist(), flat["points"], flat["normals"], flat["levels"],
                            self.triangle_offsets.tolist(), flat["triangles"], fields, triangle_fields, self.values)


def named_numbers(fields: dict[str, Floats]) -> list[tuple[str, int, Floats]]:
    """Returns fields in the form of the C++ extension: the values of all points, one after the other."""
    made = []
    for name, each in fields.items():
        array = plain(name, each).astype(np.float64, copy=False)
        made.append((name, array.shape[1] if array.ndim > 1 else 1, array.reshape(-1)))
    return made


@on_ranks
def contour(volume: Any, values: float | Sequence[float], *, spacing: float | Sequence[float] | None = None, missing: float | None = None,
            held: Literal["whole", "parts"] | None = None, grid: RegularGrid | None = None, progress: Progress | None = None,
            comm: AnyCommunicator = None) -> Surface:
    """Finds the surfaces on which a volume has given values.

    Collective. Cells of the volume are distributed to the ranks in equal numbers. Surfaces end only at the borders of the volume and at
    missing values. The whole surface does not depend on the number of ranks.

    Parameters
    ----------
    volume : array, shape (nz, ny, nx), or Volume
        The volume, as in `label`; with `grid`, the part of this rank.
    values : float or sequence of float
        The values at which surfaces are found. A point is inside a surface if the volume has at least the value of the surface there.
    spacing : float or sequence of float, optional
        The distance between points along x, y and z, or one number for all three axes. The default is the distance that the file gives, or
        1.
    missing : float, optional
        The value that marks missing data; NaN always marks missing data.
    held, grid
        As in `label`. Each rank also gets, from other ranks, the first layers of points of the parts that follow its own part.
    progress : function of (done, all), or bar of tqdm, optional
        Called after each phase. Any rank may pass a function. If the function raises an exception, all ranks raise an exception at the end
        of the call.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Surface

    Raises
    ------
    UsageError
        On all ranks: an invalid volume or value; arguments that differ between ranks.

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
        told = Phases(call, progress, 4)
        call.same(f"at {wanted}, {given.text}")
    mine = given.fetch_ghosts(call.native)
    found = _weft.contour(call.native, given.native, mine, wanted, told.tell)
    told.end()
    return surface_of(call.native, found, [float(each) for each in wanted])


def surface_of(native: _weft.Communicator, found: Any, values: list[float]) -> Surface:
    for name in ("points", "normals", "triangles"):
        found[name] = found[name].reshape(-1, 3)
    return Surface(_comm=native, values=values, **found)


@on_ranks
def slice(volume: Any, plane: str | Sequence[float], *, name: str = "value", spacing: float | Sequence[float] | None = None,
          missing: float | None = None, held: Literal["whole", "parts"] | None = None, grid: RegularGrid | None = None,
          progress: Progress | None = None, comm: AnyCommunicator = None) -> Surface:
    """Cuts a volume by a plane: returns triangles in the plane, with the values of the volume at their corners.

    Collective. Values between points are interpolated linearly. Cells with a missing value at a corner are left out.

    Parameters
    ----------
    volume, spacing, missing, held, grid, progress, comm
        As in `contour`. If the values of a file belong to cells, they are used as values at points.
    plane : str or sequence of four floats
        `"x=1.5"`, `"y=..."` or `"z=..."`; or the numbers A, B, C, D of the plane A x + B y + C z = D.
    name : str
        The name of the values in `Surface.fields` and in files.

    Returns
    -------
    Surface

    Raises
    ------
    UsageError
        On all ranks: in the cases in which `contour` raises UsageError, and for an invalid plane.

    Examples
    --------
    >>> import numpy as np, weft
    >>> z, y, x = np.mgrid[0.0:4, 0:5, 0:6]
    >>> found = weft.slice(x + 10 * z, "z=1.5").gather()
    >>> found is None or (found.areas.tolist(), float(np.ptp(found.fields["value"]))) == ([20.0], 5.0)
    True
    """
    with agreed(comm, "slice") as call:
        through, normal = plane_of(plane)
        called = text("name", name)
        given = VolumeInput(call.native, volume, missing, spacing, (3,), held=held, grid=grid)
        told = Phases(call, progress, 4)
        call.same(f"at {through}, {normal}, named {called}, {given.text}")
    mine = given.fetch_ghosts(call.native)
    found = _weft.slice(call.native, given.native, mine, called, through, normal, told.tell)
    told.end()
    return surface_of(call.native, found, [0.0])


def plane_of(plane: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Returns a point of the plane and its normal."""
    if isinstance(plane, str):
        axis, _, place = plane.partition("=")
        try:
            at = float(place)
        except ValueError:
            at = math.nan
        if axis.strip() not in ("x", "y", "z") or not math.isfinite(at):
            raise UsageError(f"plane: {plane!r}; expected \"x=V\", \"y=V\", \"z=V\" or four numbers")
        normal = tuple(float(axis.strip() == each) for each in "xyz")
    else:
        *along, at = numbers("plane", plane, 4)
        normal = tuple(along)
    square = sum(each * each for each in normal)
    if not 0 < square < math.inf:
        raise UsageError(f"plane: {plane!r}; its first three numbers are the normal, of a length that is not 0")
    return tuple(each / square * at for each in normal), normal
