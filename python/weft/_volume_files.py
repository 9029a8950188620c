"""Volumes in files that all ranks have opened."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import choice, path as file_name, text, whole
from ._arrays import Array
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError


class Volume:
    """A volume or a field of vectors in a file, made by `open_volume`. Values are read only when they are used. Indexing reads values on
    this rank alone: `volume[10:20]` has ten layers, and `volume[grid.slices(rank)]` has a block of a `RegularGrid`. Functions on volumes,
    such as `weft.label(volume, 80)`, accept a `Volume`, and each rank reads its part.

    Attributes
    ----------
    path : str
    shape : tuple of int
        The shape of the volume as an array: (nz, ny, nx), or (ny, nx) for a plane; for vectors, the number of components follows.
    dtype : numpy.dtype
    axes : tuple of arrays
        The coordinates of points along x, y and z that the file contains; without coordinates in the file, 0, 1, 2, ...
    missing : float or None
        The value that marks missing data.
    units : str
        The units of the values; empty if the file has no units.
    steps : int
        The number of time steps of the file; 0 if the file has no dimension of time.

    Examples
    --------
    >>> import numpy as np, os, weft
    >>> comm = weft.Communicator()
    >>> if comm.rank == 0: np.save("volume in a file.npy", np.arange(24.0).reshape(2, 3, 4))
    >>> weft.barrier(comm)
    >>> volume = weft.open_volume("volume in a file.npy")
    >>> volume.shape, volume[1, 2].tolist(), volume[:, 0, ::2].tolist()
    ((2, 3, 4), [20.0, 21.0, 22.0, 23.0], [[0.0, 2.0], [12.0, 14.0]])
    >>> weft.barrier(comm)
    >>> if comm.rank == 0: os.remove("volume in a file.npy")
    """

    def __init__(self, native: _weft.VolumeFile, path: str) -> None:
        self._native = native
        self.path = path
        points: tuple[int, ...] = tuple(native.points[::-1])
        self._flat = points[0] == 1
        self.components: int = native.components
        """The number of values at each point: 1, or 2 or 3 for vectors."""
        self.shape: tuple[int, ...] = (*points[int(self._flat) :], *((self.components,) if self.components > 1 else ()))
        self.dtype = np.dtype(native.type)
        self.axes: tuple[NDArray[np.float64], ...] = tuple(np.array(each) for each in native.axes)
        self.missing: float | None = native.missing
        self.units: str = native.units
        self.steps: int = native.steps
        self.of_cells: bool = native.of_cells
        """True if values belong to cells; `axes` are then the middles of the cells."""

    @property
    def ndim(self) -> int:
        """The number of dimensions; a field of vectors has one additional dimension, for the components."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of values."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def spacing(self) -> tuple[float | None, ...]:
        """The distance between points along x, y and z: None if distances along an axis differ by more than a thousandth, 1 if there is
        only one point."""
        return tuple(_even(each) for each in self.axes)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Array:
        """Reads a part of the volume on this rank only; indices are integers and slices, as for an array. Raises `InputError` if the part
        cannot be read."""
        keys = list(key) if isinstance(key, tuple) else [key]
        if Ellipsis in [each for each in keys if each is Ellipsis]:
            at = next(i for i, each in enumerate(keys) if each is Ellipsis)
            keys[at : at + 1] = [slice(None)] * (self.ndim - len(keys) + 1)
        if len(keys) > self.ndim:
            raise UsageError(f"volume: {len(keys)} indices for the shape {self.shape}")
        keys += [slice(None)] * (self.ndim - len(keys))
        within, rest = zip(*(_within(each, n) for each, n in zip(keys, self.shape)))
        of_points = self.ndim - (self.components > 1)
        lo = [*([0] if self._flat else []), *(low for low, _ in within[:of_points])]
        hi = [*([1] if self._flat else []), *(high for _, high in within[:of_points])]
        shape = [b - a for a, b in zip(lo, hi)][int(self._flat) :] + ([self.components] if self.components > 1 else [])
        values = self._native.read(lo[::-1], hi[::-1]).view(self.dtype).reshape(shape)
        if self.components > 1:
            low, high = within[-1]
            values = values[..., low:high]
        part: Array = values[tuple(rest)]
        return part

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("a volume in a file is copied when it is read")
        values = self[...]
        return values if dtype is None else values.astype(dtype)

    def __repr__(self) -> str:
        return f"<weft.Volume: {self.path}, {self.dtype} of shape {self.shape}>"


def _even(axis: NDArray[np.float64]) -> float | None:
    if len(axis) < 2:
        return 1.0
    steps = np.diff(axis)
    mean = float((axis[-1] - axis[0]) / (len(axis) - 1))
    return mean if np.abs(steps - mean).max() <= 1e-3 * abs(mean) else None


def _within(key: Any, n: int) -> tuple[tuple[int, int], Any]:
    """Returns the range to read for an index along a dimension, and the index within this range."""
    if isinstance(key, slice):
        picked = range(n)[key]
        if not picked:
            return (0, 0), slice(None)
        low, high = min(picked[0], picked[-1]), max(picked[0], picked[-1]) + 1
        return (low, high), slice(None, None, picked.step)
    at = whole("volume", key, -n, n - 1) % n
    return (at, at + 1), 0


@on_ranks
def open_volume(path: str | os.PathLike[str], *, dims: Sequence[int] | None = None, dtype: Any = None, header_bytes: int = 0,
                components: int = 1, variable: str = "", step: int | None = None, channel: str = "", byte_order: Literal["little", "big"] | None = None,
                comm: AnyCommunicator = None) -> Volume:
    """Opens a file with a volume; the ending of its name gives the format: NIfTI, NRRD, NumPy, NetCDF, HDF5, VTK, TIFF, PNG, raw, and other
    formats that the command `weft` reads.

    Collective. The call reads the header of the file, but no values.

    Parameters
    ----------
    path : path
        The same name on all ranks, on a file system that all ranks share. `FILE.h5:/path` is a dataset of HDF5; a folder, or a pattern such
        as `frames/*.tif`, is a stack of images.
    dims : sequence of int, optional
        For a raw file: the numbers of points along x, y and z; x is the fastest index.
    dtype : optional
        For a raw file: the dtype, such as `"int16"`, or `">i2"` with a byte order.
    header_bytes : int
        For a raw file: the number of bytes before the values.
    components : int
        For NumPy, HDF5 and raw files: the number of values that are stored together for each point; 2 or 3 for vectors.
    variable : str
        The name of the VTK array or of the NetCDF variable; the default is the first suitable array or variable. `"u,v,w"` makes vectors of
        three variables.
    step : int, optional
        For NetCDF: the time step.
    channel : str
        For images: `red`, `green`, `blue`, `alpha`, or a number from 0.
    byte_order : {"little", "big"}, optional
        For a raw file: the byte order, in place of the byte order of `dtype`.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Volume

    Raises
    ------
    InputError
        On all ranks: the file cannot be read, or its content does not have the format of its ending.
    UsageError
        On all ranks: an unknown ending, an option that is missing or has no meaning for the format, arguments that differ between
        ranks.

    Examples
    --------
    >>> import numpy as np, os, weft
    >>> comm = weft.Communicator()
    >>> if comm.rank == 0: np.save("volume of an example.npy", np.arange(60.0).reshape(3, 4, 5))
    >>> weft.barrier(comm)
    >>> volume = weft.open_volume("volume of an example.npy")
    >>> volume.shape, volume.dtype, volume[1, 2, 1:3].tolist()
    ((3, 4, 5), dtype('float64'), [31.0, 32.0])
    >>> weft.label(volume, 30.0).components
    1
    >>> weft.barrier(comm)
    >>> if comm.rank == 0: os.remove("volume of an example.npy")
    """
    with agreed(comm, "open_volume") as call:
        file = file_name("path", path)
        points = [0, 0, 0]
        if dims is not None:
            if isinstance(dims, str) or np.ndim(dims) != 1 or not 1 <= len(dims) <= 3:
                raise UsageError(f"dims: {dims!r}; expected points along x, y and z")
            points = [*(whole("dims", each, 1, 2**62) for each in dims), 1, 1][:3]
        big = None if byte_order is None else choice("byte_order", byte_order, ("little", "big")) == "big"
        kind = None
        if dtype is not None:
            try:
                asked = np.dtype(dtype)
            except TypeError as error:
                raise UsageError(f"dtype: {dtype!r} is none: {error}") from None
            kind = asked.newbyteorder("=").name
            if big is None and not asked.isnative:
                big = asked.newbyteorder("=") != asked.newbyteorder(">")
        at = -1 if step is None else whole("step", step, 0, 2**62)
        before, together = whole("header_bytes", header_bytes, 0, 2**62), whole("components", components, 1, 3)
        names = text("variable", variable), text("channel", channel)
        call.same(f"of {file}, dims {points}, dtype {kind}, big-endian {big}, after {before} bytes, {together} values a point, step {at}, {names}")
    return Volume(_weft.open_volume(call.native, file, points, kind, big, before, together, names[0], at, names[1]), file)
