"""Volumes and fields in the form of the C++ extension: in memory, in a mapped file, in an open file, or in parts on all ranks."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _weft
from ._arguments import choice, lengths, optional_number
from ._arrays import Array, as_array
from ._decomposition import RegularGrid
from ._errors import UsageError
from ._halo import Halo
from ._volume_files import Volume


def numbers_of(name: str, value: Any, dimensions: tuple[int, ...]) -> Array:
    """Returns an array of numbers for a volume, without a copy. Masked real numbers become NaN, which marks missing data."""
    if np.ma.is_masked(value):
        if value.dtype.kind != "f":
            raise UsageError(f"{name}: it has masked integers; fill them with one that `missing` names, as by .filled(-1)")
        value = value.filled(np.nan)
    array = as_array(name, value)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8 or array.dtype == np.float16:
        raise UsageError(f"{name}: its dtype is {array.dtype}; expected integers, float32 or float64")
    if array.ndim not in dimensions:
        raise UsageError(f"{name}: its shape is {array.shape}; expected {' or '.join(map(str, dimensions))} dimensions")
    if 0 in array.shape:
        raise UsageError(f"{name}: its shape is {array.shape}; there are no values")
    return array


def native_volume(steps: list[Array], components: int, axes: list[list[float]], missing: float | None,
                  whole: tuple[int, ...] | None = None, first: tuple[int, ...] = ()) -> _weft.Volume:
    """Arrays of the same shape, with x as the last index. The extension reads them in boxes, with any strides and byte order. With
    `whole`, they are a part of an array of that shape, which begins at `first`."""
    array = steps[0]
    of_points = array.ndim - (components > 1)
    points = [*(whole or array.shape[:of_points])[::-1], 1, 1][:3]
    strides = [*array.strides[:of_points][::-1], 0, 0][:3]
    before = sum(at * stride for at, stride in zip(first, array.strides))  # where the whole would begin
    return _weft.Volume([each.ctypes.data - before for each in steps], steps, array.dtype.newbyteorder("=").name, points, components,
                        strides, array.strides[-1] if components > 1 else array.itemsize, not array.dtype.isnative,
                        [*axes, [], [], []][:3], missing)


class HeldPart:
    """The part of a volume on this rank, which is a block of a grid with one block for each rank."""

    def __init__(self, array: Array, grid: RegularGrid, comm: _weft.Communicator) -> None:
        if not isinstance(grid, RegularGrid) or not grid.is_of_cells:
            raise UsageError("grid: expected a RegularGrid of cells")
        if grid.shares or any(grid.wrap):
            raise UsageError(f"grid: it {'has shared faces' if grid.shares else 'wraps'}; expected blocks that lie side by side")
        if grid.blocks != comm.size:
            raise UsageError(f"grid: it has {grid.blocks} blocks; expected one for each of {comm.size} ranks")
        if grid.dimensions != array.ndim:
            raise UsageError(f"grid: it has {grid.dimensions} dimensions, and the volume {array.ndim}")
        self.grid, self.rank = grid, comm.rank
        low = grid.domain[0]
        self.whole: tuple[int, ...] = tuple(int(n) for n in grid.domain[1] - low)
        self.lower: tuple[int, ...] = tuple(int(n) for n in grid.bounds(self.rank)[0] - low)
        own, around = grid.shape(self.rank), grid.shape(self.rank, ghosts=True)
        if array.shape == around:
            begin = grid.bounds(self.rank)[0] - grid.bounds(self.rank, ghosts=True)[0]
            array = array[tuple(slice(int(at), int(at) + n) for at, n in zip(begin, own))]
        elif array.shape != own:
            with_ghosts = "" if around == own else f", or {around} with ghosts"
            raise UsageError(f"volume: the part of rank {self.rank} has the shape {array.shape}; its block of the grid has {own}{with_ghosts}")
        self.array = array
        self.text = f"in parts of {grid.divisions}, domain {grid.domain[0].tolist()} to {grid.domain[1].tolist()}"

    def blocks(self) -> tuple[_weft.Decomposition, list[int]]:
        """Returns the blocks in the order of the C++ extension, with x first, and the rank of each."""
        more = (1,) * (3 - len(self.whole))
        divisions = (*self.grid.divisions[::-1], *more)
        made = RegularGrid((*self.whole[::-1], *more), divisions=divisions)
        strides = np.cumprod([1, *divisions[:-1]])
        places = np.array([[*self.grid.place(block)[::-1], *(0 for _ in more)] for block in range(self.grid.blocks)])
        return made._native, np.argsort(places @ strides).tolist()

    def with_upper_ghosts(self, comm: _weft.Communicator) -> Array:
        """Returns the part, followed by the adjacent layers of its neighbours. Collective."""
        grid = RegularGrid(self.grid.domain, divisions=self.grid.divisions, ghosts=1)
        around = np.empty(grid.shape(self.rank, ghosts=True), self.array.dtype.newbyteorder("="))
        begin = grid.bounds(self.rank)[0] - grid.bounds(self.rank, ghosts=True)[0]
        around[tuple(slice(int(at), int(at) + n) for at, n in zip(begin, self.array.shape))] = self.array
        if comm.size > 1:
            Halo(comm, grid).fill(around)
        return around[tuple(slice(int(at), None) for at in begin)]


class VolumeInput:
    """The volume of a call with its options, and the text that ranks compare."""

    def __init__(self, comm: _weft.Communicator, volume: Any, missing: Any, spacing: Any = None, dimensions: tuple[int, ...] = (1, 2, 3), *,
                 held: Any = None, grid: Any = None) -> None:
        none = None if isinstance(missing, float) and np.isnan(missing) else optional_number("missing", missing)
        if none is not None and none != missing:
            raise UsageError(f"missing: {missing} is no number of 64-bit floats; give one of fewer digits")
        self.missing = none
        self.part: HeldPart | None = None
        in_parts = choice("held", "whole" if held is None and grid is None else held or "parts", ("whole", "parts")) == "parts"
        if in_parts is (grid is None):
            raise UsageError("grid: needed for parts of a volume" if in_parts else "grid: it is for parts; say held=\"parts\" or leave held out")
        if isinstance(volume, (str, os.PathLike)):
            raise UsageError("volume: a name; open it first, by weft.open_volume(...)")
        if isinstance(volume, Volume):
            self._of_file(volume, spacing, dimensions, in_parts)
            return
        array = numbers_of("volume", volume, dimensions)
        between = lengths("spacing", 1.0 if spacing is None else spacing, array.ndim)  # along x first
        if in_parts:
            self.part = HeldPart(array, grid, comm)
            array = self.part.array
        self.shape = self.part.whole if self.part else array.shape
        self.axes = [[each * i for i in range(n)] for each, n in zip(between, self.shape[::-1])]
        self.is_mask = getattr(volume, "dtype", None) == np.bool_
        self.native = native_volume([array], 1, self.axes, none, self.part.whole if self.part else None,
                                    self.part.lower if self.part else ())
        self.text = (f"spacing {between}, missing {none}, of {array.dtype.newbyteorder('=')} of shape {self.shape}"
                     f"{' ' + self.part.text if self.part else ''}")

    def _of_file(self, volume: Volume, spacing: Any, dimensions: tuple[int, ...], in_parts: bool) -> None:
        if in_parts:
            raise UsageError("held: a file is one for all ranks; give the part of each as an array, as volume[grid.slices(rank)]")
        if spacing is not None:
            raise UsageError("spacing: the file says where its values lie; leave it out")
        if volume.ndim not in dimensions or volume.components > 1:
            raise UsageError(f"volume: {volume.path} has the shape {volume.shape}; expected {' or '.join(map(str, dimensions))} dimensions")
        self.shape = volume.shape
        self.is_mask = False
        self.native = _weft.Volume.of_files([volume._native], self.missing)
        self.text = f"missing {self.missing}, of the file {volume.path}, {volume.dtype} of shape {volume.shape}"

    def fetch_ghosts(self, comm: _weft.Communicator) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Extends a part to the first points of the next parts, and returns its corners, with x first; None for a whole volume.
        Collective."""
        if self.part is None:
            return None
        array = self.part.with_upper_ghosts(comm)
        self.native = native_volume([array], 1, self.axes, self.missing, self.part.whole, self.part.lower)
        upper = tuple(at + n for at, n in zip(self.part.lower, array.shape))
        return self.part.lower[::-1], upper[::-1]
