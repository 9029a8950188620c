"""Meshes from files; each rank has a part."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import bound, choice, path as file_name, several, text
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError
from ._log import logged
from ._surfaces import Surface, plane_of, surface_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

KINDS = ("tetrahedron", "pyramid", "prism", "hexahedron")


class Mesh:
    """A mesh of cells, made by `read_mesh`.

    Rank r has the points from `point_offsets[r]` up to `point_offsets[r + 1]`, and the cells from `cell_offsets[r]` up to `cell_offsets[r +
    1]`.

    Attributes
    ----------
    volume : float or None
        For a result of `threshold`: the volume of all its cells; equal on all ranks.
    components : int or None
        For a result of `threshold`: the number of connected components of its cells, where cells with a common corner are connected.
    left_out : int
        The number of cells of the file that have no volume. They are left out.
    straightened : int
        The number of cells of higher order in the file. Cells of higher order become cells with straight edges.

    Examples
    --------
    >>> import numpy as np, os, weft
    >>> weft.threshold(np.arange(27.0).reshape(3, 3, 3), least=0, name="heat").write("mesh of an example.vtu")
    >>> weft.barrier()
    >>> mesh = weft.read_mesh("mesh of an example.vtu")
    >>> mesh.cells, mesh.names, mesh.contour(13.5, field="heat").components.tolist()
    (8, ['heat'], [1])
    >>> warm = mesh.threshold(least=9, field="heat")
    >>> warm.cells, warm.volume, warm.components
    (4, 4.0, 1)
    >>> weft.barrier()
    >>> if weft.Communicator().rank == 0: os.remove("mesh of an example.vtu")
    """

    def __init__(self, comm: _weft.Communicator, native: _weft.Mesh, volume: float | None = None, components: int | None = None) -> None:
        self._comm, self._native = comm, native
        self.volume, self.components = volume, components
        self.left_out: int = native.left_out
        self.straightened: int = native.straightened

    @cached_property
    def points(self) -> Floats:
        """The points of this rank, as x, y and z; shape (n, 3)."""
        return self._native.points().reshape(-1, 3)

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """The kinds of the cells of this rank: 0 for a tetrahedron, 1 for a pyramid, 2 for a prism, 3 for a hexahedron; shape (m,)."""
        return self._native.kinds()

    @cached_property
    def corners(self) -> Integers:
        """The corners of this rank's cells, one cell after the other: 4, 5, 6 or 8 numbers of points in the whole mesh, in the
        order of VTK."""
        return self._native.corners()

    @cached_property
    def corner_offsets(self) -> Integers:
        """Cell i of this rank has the corners from `corner_offsets[i]` up to `corner_offsets[i + 1]`; shape (m + 1,)."""
        return np.concatenate([[0], np.cumsum(np.array([4, 5, 6, 8])[self.kinds])])

    @cached_property
    def point_offsets(self) -> Integers:
        """Rank r has the points from `point_offsets[r]` up to `point_offsets[r + 1]`; shape (size + 1,)."""
        return self._native.point_offsets()

    @cached_property
    def cell_offsets(self) -> Integers:
        """Rank r has the cells from `cell_offsets[r]` up to `cell_offsets[r + 1]`; shape (size + 1,)."""
        return self._native.cell_offsets()

    @cached_property
    def fields(self) -> dict[str, Floats]:
        """The values of the points of this rank, by name; shape (n,), or (n, 3) for vectors."""
        return self._native.fields()

    @cached_property
    def cell_fields(self) -> dict[str, Floats]:
        """The values of the cells of this rank, by name; shape (m,), or (m, 3) for vectors."""
        return self._native.cell_fields()

    @property
    def names(self) -> list[str]:
        """The names of all fields, fields of points first."""
        return [name for names in self._native.names for name, _ in names]

    @property
    def cells(self) -> int:
        """The number of cells on all ranks."""
        return int(self.cell_offsets[-1])

    @logged
    def contour(self, values: float | Sequence[float], *, field: str | None = None) -> Surface:
        """Finds the surfaces on which a field has given values. Collective.

        Parameters
        ----------
        values : float or sequence of float
            As in `weft.contour`.
        field : str, optional
            The name of a field with one value per point or cell; values at cells are averaged at points. The default is the first field
            with one value per point or cell.

        Returns
        -------
        Surface
            The surfaces, with the fields of the mesh.

        Raises
        ------
        UsageError
            On all ranks: the mesh has no such field, values are not finite, or arguments differ between ranks.
        """
        with agreed(self._comm, "contour") as call:
            wanted = [bound("values", each) for each in ([values] if np.ndim(values) == 0 else several("values", values))]
            name = self._field(field)
            call.same(f"of a mesh at {wanted} of {name}")
        found = _weft.contour_mesh(call.native, self._native, name, wanted)
        return surface_of(call.native, found, [float(each) for each in wanted])

    @logged
    def slice(self, plane: str | Sequence[float]) -> Surface:
        """Cuts the mesh by a plane, with all its fields. Collective. `plane`: as in `weft.slice`."""
        with agreed(self._comm, "slice") as call:
            through, normal = plane_of(plane)
            call.same(f"of a mesh at {through}, {normal}")
        return surface_of(call.native, _weft.slice_mesh(call.native, self._native, through, normal), [0.0])

    @logged
    def threshold(self, least: float | None = None, most: float | None = None, *, field: str | None = None,
                  corners: Literal["all", "any"] = "all") -> Mesh:
        """Keeps the cells whose values lie in a range, with their points and fields. Collective.

        Parameters
        ----------
        least, most, corners
            As in `weft.threshold`.
        field : str, optional
            As in `contour`.

        Raises
        ------
        UsageError
            On all ranks: the mesh has no such field, the range contains no number, or arguments differ between ranks.
        """
        with agreed(self._comm, "threshold") as call:
            low, high = (None if value is None else bound(called, value) for called, value in (("least", least), ("most", most)))
            if low is None and high is None:
                raise UsageError("least: give it, or most")
            any_corner = choice("corners", corners, ("all", "any")) == "any"
            name = self._field(field)
            call.same(f"of a mesh from {low} to {high} of {name}, {corners} corners")
        return Mesh(call.native, *_weft.threshold_mesh(call.native, self._native, name, low, high, any_corner))

    @logged
    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the mesh with its fields to one VTK file; each rank writes its part. Collective.

        Parameters
        ----------
        path : path
            `FILE.vtu`, the same name on all ranks, on a file system that all ranks share. The file appears under this name when it is
            complete.

        Raises
        ------
        UsageError
            On all ranks: the path does not end in `.vtu` or differs between ranks.
        InputError
            On all ranks: the file cannot be written.
        """
        with agreed(self._comm, "write") as call:
            file = file_name("path", path)
            if os.path.splitext(file)[1].lower() != ".vtu":
                raise UsageError(f"path: {file!r}; expected the name of a file that ends with .vtu")
            call.same(f"a mesh to {file}")
        self._native.write(call.native, file)

    def _field(self, name: str | None) -> str:
        single = [each for names in self._native.names for each, components in names if components == 1]
        if name is None and single:
            return single[0]
        if name is None or text("field", name) not in single:
            raise UsageError(f"field: {name!r}; the fields of single values are {', '.join(single) or 'none'}")
        return name

    def __repr__(self) -> str:
        return f"<weft.Mesh: {self.cells} cells, fields {', '.join(self.names) or 'none'}>"


@on_ranks
def read_mesh(path: str | os.PathLike[str], *, solution: str | os.PathLike[str] | None = None, comm: AnyCommunicator = None) -> Mesh:
    """Reads a mesh with all its fields: VTK (.vtu, .pvtu, .vtk), Gmsh (.msh), XDMF, PLOT3D. Each rank gets an equal part.

    Collective. The pieces of a file with several pieces are joined at points that have the same global id or the same coordinates.

    Parameters
    ----------
    path : path
        The same name on all ranks, on a file system that all ranks share.
    solution : path, optional
        The file of values, if `path` is a PLOT3D grid.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Mesh

    Raises
    ------
    InputError
        On all ranks: the file cannot be read, or is not a mesh.
    UsageError
        On all ranks: arguments that differ between ranks.

    Examples
    --------
    >>> import numpy as np, os, weft
    >>> weft.threshold(np.arange(27.0).reshape(3, 3, 3), least=0, name="heat").write("mesh to read.vtu")
    >>> weft.barrier()
    >>> mesh = weft.read_mesh("mesh to read.vtu")
    >>> len(mesh.points) + len(mesh.kinds) <= 27 + 8, mesh.slice("z=0.5").areas.tolist()
    (True, [4.0])
    >>> weft.barrier()
    >>> if weft.Communicator().rank == 0: os.remove("mesh to read.vtu")
    """
    with agreed(comm, "read_mesh") as call:
        file, values = file_name("path", path), "" if solution is None else file_name("solution", solution)
        call.same(f"of {file}, solution {values}")
    return Mesh(call.native, _weft.read_mesh(call.native, file, values))
