"""Connected components of volumes and images."""

from __future__ import annotations

import os
from dataclasses import dataclass
from dataclasses import field as dataclasses_field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import bound, whole
from ._arrays import Array
from ._collective import gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._decomposition import RegularGrid
from ._errors import UsageError
from ._exchange import exchange
from ._npy import write_array
from ._results import Result
from ._volume_input import VolumeInput

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Labels(Result):
    """Connected components of a volume. Each rank has the labels of some layers (planes of the first axis), in the order of ranks; if the
    volume was passed in parts, each rank has the labels of its part. Other attributes are equal on all ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.label(np.array([1, 1, 0, 1]), 1)
    >>> whole = found.gather()  # on rank 0
    >>> whole is None or whole.tolist() == [1, 1, 0, 2]
    True
    """

    labels: Array
    """The labels of this rank's layers or part: 0 for background; components are numbered from 1 in the order of their first voxels."""
    offsets: Integers
    """Rank r has the layers from `offsets[r]` up to `offsets[r + 1]`; empty if the volume was passed in parts that are not layers."""
    components: int
    """The number of components."""
    foreground: int
    """The number of voxels in the foreground."""
    largest: list[int]
    """The sizes of the ten largest components in voxels, descending."""
    _comm: Any = dataclasses_field(default=None, repr=False)
    _grid: RegularGrid | None = dataclasses_field(default=None, repr=False)

    def gather(self) -> Array | None:
        """Returns the labels of the whole volume on rank 0, and None on other ranks. Collective."""
        parts = gather(self._comm, self.labels)
        if parts is None:
            return None
        if self._grid is None:
            return np.concatenate(parts)
        made = np.empty(tuple(self._grid.domain[1] - self._grid.domain[0]), self.labels.dtype)
        for rank, part in enumerate(parts):
            made[self._grid.slices(rank)] = part
        return made

    def _layers(self) -> tuple[Array, Integers]:
        """Returns the labels of this rank's layers, in equal numbers on all ranks, and the offsets of ranks. Collective."""
        if self._grid is None:
            return self.labels, self.offsets
        comm, grid = self._comm, self._grid
        whole_shape = tuple(int(n) for n in grid.domain[1] - grid.domain[0])
        offsets = whole_shape[0] * np.arange(comm.size + 1) // comm.size
        own = np.ravel_multi_index(np.ix_(*(np.arange(each.start, each.stop) for each in grid.slices(comm.rank))), whole_shape).reshape(-1)
        layer = int(np.prod(whole_shape[1:]))
        owners = np.searchsorted(offsets, own // layer, side="right") - 1
        places, values = (exchange(comm, owners, what).array for what in (own, self.labels.reshape(-1)))
        made = np.empty((int(offsets[comm.rank + 1] - offsets[comm.rank]), *whole_shape[1:]), self.labels.dtype)
        made.reshape(-1)[places - offsets[comm.rank] * layer] = values
        return made, offsets

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the labels of the whole volume to a NumPy file; each rank writes its own layers. Labels of a volume that was passed in
        parts are first sent to the ranks of their layers. Collective.

        Parameters
        ----------
        path : path
            `FILE.npy`, the same name on all ranks, on a file system that all ranks share.

        Raises
        ------
        UsageError
            On all ranks: the path does not end in `.npy` or differs between ranks, or the result was unpickled.
        InputError
            On all ranks: the file cannot be written.

        Examples
        --------
        >>> import numpy as np, os, weft
        >>> found = weft.label(np.array([[5, 0, 5], [5, 0, 0], [0, 0, 5]]), 1)
        >>> found.write("labels of an example.npy")
        >>> np.load("labels of an example.npy").tolist()
        [[1, 0, 2], [1, 0, 0], [0, 0, 3]]
        >>> weft.barrier()
        >>> if weft.Communicator().rank == 0: os.remove("labels of an example.npy")
        """
        if self._comm is None:
            raise UsageError("write: these labels have been unpickled, and belong to no communicator")
        write_array(self._comm, path, *self._layers())


@on_ranks
def label(volume: Any, threshold: float | None = None, *, below: float | None = None, neighbors: Literal[4, 6, 8, 18, 26] = 6,
          missing: float | None = None, held: Literal["whole", "parts"] | None = None, grid: RegularGrid | None = None,
          comm: AnyCommunicator = None) -> Labels:
    """Finds the connected components of a volume, an image or a row of values, and labels them.

    Collective. The labels do not depend on the number of ranks.

    Parameters
    ----------
    volume : array, shape ([[nz,] ny,] nx), or Volume
        The whole volume, the same on all ranks. A rank reads only its own layers, so volumes of `weft.open_volume`, `numpy.load(file,
        mmap_mode="r")` and `numpy.memmap` take no memory for the layers of other ranks. With `grid`, each rank passes only its part of the
        volume.
    threshold : float, optional
        Values of at least `threshold` are foreground. `threshold` or `below` is needed, except for a mask (an array of booleans). NaN is
        never foreground.
    below : float, optional
        Values less than `below` are foreground.
    neighbors : {6, 18, 26, 4, 8}
        The neighbours of a voxel: the 6 voxels that share a face, the 18 that share a face or an edge, or the 26 that share a face,
        an edge or a corner. For images: the 4 pixels that share an edge, or the 8 that share an edge or a corner; 6 means 4 for an image,
        and 26 means 8.
    missing : float, optional
        The value that marks missing data.
    held : {"whole", "parts"}, optional
        `"whole"` if each rank passes the whole volume (the default without `grid`); `"parts"` if each rank passes a part.
    grid : RegularGrid, optional
        If ranks pass parts: the grid that divides the whole volume into blocks, in the order of its axes. Rank r has block r. Parts may
        contain ghosts, which are ignored.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Labels

    Raises
    ------
    UsageError
        On all ranks: an invalid volume or option; arguments that differ between ranks; a part that is not a block of the grid.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.label(np.array([[5, 0, 5], [5, 0, 0], [0, 0, 5]]), 1)
    >>> found.components, found.largest
    (3, [2, 1, 1])

    An array that a program holds in parts:

    >>> comm = weft.Communicator()
    >>> grid = weft.RegularGrid((8, 8, 8), comm.size)
    >>> mine = np.ones(grid.shape(comm.rank))
    >>> found = weft.label(mine, 1, grid=grid, comm=comm)
    >>> found.largest, found.labels.shape == mine.shape
    ([512], True)
    """
    with agreed(comm, "label") as call:
        least, most = components_asked(volume, threshold, below)
        given = VolumeInput(call.native, volume, missing, held=held, grid=grid)
        beside = _neighbors(neighbors, len(given.shape))
        call.same(f"at {least} below {most}, {beside} neighbors, {given.text}")
    blocks, ranks = given.part.blocks() if given.part else (None, [])
    found = _weft.label(call.native, given.native, len(given.shape) - 1, blocks, ranks, least, most, beside)
    labels: Any = found.pop("labels")
    shape = given.part.array.shape if given.part else (-1, *given.shape[1:])
    return Labels(labels=labels.reshape(shape), _comm=call.native, _grid=grid, **found)


def components_asked(volume: Any, threshold: Any, below: Any) -> tuple[float | None, float | None]:
    """Returns the ends of the range of the foreground."""
    least, most = (None if value is None else bound(name, value) for name, value in (("threshold", threshold), ("below", below)))
    if least is None and most is None:
        if getattr(volume, "dtype", None) != np.bool_:
            raise UsageError("threshold: give it, or below; only a mask (of truth values) needs neither")
        least = 1
    if least is not None and most is not None and not least < most:
        raise UsageError(f"below: {below} is not more than threshold, {threshold}")
    return least, most


def _neighbors(neighbors: Any, dimensions: int) -> int:
    """Returns the number of neighbours that a voxel of a volume has: 6, 18 or 26."""
    known = {3: {6: 6, 18: 18, 26: 26}}.get(dimensions, {4: 6, 8: 26, 6: 6, 26: 26})
    if whole("neighbors", neighbors) not in known:
        shown = "6, 18 or 26" if dimensions == 3 else "4 or 8"
        raise UsageError(f"neighbors: {neighbors!r}; expected {shown} of an array of {dimensions} dimensions")
    return known[neighbors]
