"""Ghosts of arrays that are cut into a regular grid of blocks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Array, as_array, in_place, text_of
from ._collective import all_gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks, on_ranks_overloaded
from ._decomposition import RegularGrid
from ._errors import UsageError
from ._exchange import exchange
from ._exchange_plan import ExchangePlan
from ._log import logged

Arrays = Union[Array, Mapping[int, Array]]
_Piece = tuple[int, tuple[slice, ...]]  # of the array of a block


def _stretches(grid: RegularGrid, d: int, lo: int, hi: int) -> list[tuple[int, int, int, int]]:
    """Returns the blocks along dimension d that cover lo..hi, as (index of the block, shift over a periodic border, first cell,
    end of cells)."""
    first, last = int(grid.domain[0][d]), int(grid.domain[1][d])
    length, n = last - first, grid.divisions[d]
    cuts = [first + length * i // n for i in range(n + 1)]
    found = []
    image = (lo - first) // length
    while first + image * length < hi:
        for place in range(n):
            a, b = max(lo, cuts[place] + image * length), min(hi, cuts[place + 1] + image * length)
            if a < b:
                found.append((place, image * length, a, b))
        image += 1
    return found


class Halo:
    """The ghosts of a distributed array: copies of cells of neighbouring blocks. The pattern of messages is determined once, and the ghosts
    can be filled any number of times. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    grid : RegularGrid
        A grid of cells with ghosts and without shared faces, the same on all ranks. Ghosts may be wider than a block.
    ranks : array of integers, shape (blocks,), optional
        The rank of each block, as in `BlockSet.ranks`. By default each rank has blocks with consecutive ids, and ranks have about equal
        numbers of blocks.

    Raises
    ------
    UsageError
        On all ranks: the grid has no ghosts, has coordinates that are not integers, or differs between ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> grid = weft.RegularGrid((4 * comm.size,), comm.size, ghosts=1, wrap=True)
    >>> halo = weft.Halo(comm, grid)
    >>> mine = np.full(6, comm.rank)
    >>> halo.fill(mine)
    >>> mine[[0, -1]].tolist() == [(comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size]
    True
    """

    @overload
    def __init__(self, grid: RegularGrid, ranks: ArrayLike | None = None, *, comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, grid: RegularGrid, ranks: ArrayLike | None = None) -> None: ...

    @on_ranks_overloaded
    def __init__(self, grid: RegularGrid, ranks: ArrayLike | None = None, *, comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Halo") as call:
            if not isinstance(grid, RegularGrid) or not grid.is_of_cells:
                raise UsageError("grid: expected a RegularGrid of cells")
            if grid.shares:
                raise UsageError("grid: its blocks share faces; leave share_face out")
            if not any(grid.ghosts):
                raise UsageError("grid: it has no ghosts; give it some, as by ghosts=1")
            owners = _owners(grid, call.native.size, ranks)
            call.same(f"of {grid.blocks} blocks {grid.divisions}, domain {grid.domain[0].tolist()} to {grid.domain[1].tolist()}, "
                      f"wrap {grid.wrap}, ghosts {grid.ghosts}, ranks {owners.tolist()}")
        self._comm = comm
        self._native = native = call.native
        self.grid = grid
        self.ids: list[int] = np.flatnonzero(owners == native.rank).tolist()
        """The ids of this rank's blocks, ascending."""
        self._all_have = len(np.unique(owners)) == native.size
        self._plan_pieces(native.rank, owners)

    def _plan_pieces(self, rank: int, owners: NDArray[np.int64]) -> None:
        """Sends requests for ghost cells to their owners, which answer in the order of the requests."""
        grid, n = self.grid, self.grid.dimensions
        strides = np.cumprod([1, *grid.divisions[:-1]]).tolist()  # of block numbers
        self._own: list[tuple[_Piece, _Piece]] = []  # from, to
        self._into: dict[int, list[_Piece]] = {}
        asked: dict[int, list[list[int]]] = {}
        for block in self.ids:
            lo, hi = (corner.tolist() for corner in grid.bounds(block, ghosts=True))
            place = grid.place(block)
            for piece in itertools.product(*(_stretches(grid, d, lo[d], hi[d]) for d in range(n))):
                source = sum(each[0] * stride for each, stride in zip(piece, strides))
                if all(each[0] == place[d] and each[1] == 0 for d, each in enumerate(piece)):
                    continue
                to = block, tuple(slice(each[2] - lo[d], each[3] - lo[d]) for d, each in enumerate(piece))
                wanted = [edge - each[1] for each in piece for edge in each[2:]]
                owner = int(owners[source])
                if owner == rank:
                    self._own.append((self._piece_of(source, wanted), to))
                else:
                    self._into.setdefault(owner, []).append(to)
                    asked.setdefault(owner, []).append([source, *wanted])
        inbox = exchange(self._comm, {owner: np.array(rows, np.int64) for owner, rows in asked.items()},
                         dtype=(np.int64, (1 + 2 * n,)))
        self._out = [(to, [self._piece_of(row[0], row[1:]) for row in rows.tolist()]) for to, rows in inbox.items()]
        counts = [sum(_cells(piece) for piece in pieces) for _, pieces in self._out]
        self._plan = ExchangePlan(self._comm, [to for to, _ in self._out], counts)

    def _piece_of(self, block: int, edges: list[int]) -> _Piece:
        lo = self.grid.bounds(block, ghosts=True)[0].tolist()
        return block, tuple(slice(a - low, b - low) for low, a, b in zip(lo, edges[::2], edges[1::2]))

    @logged
    def fill(self, arrays: Arrays) -> None:
        """Fills the ghosts of the blocks of this rank, in place.

        Collective. Cost: a message for each pair of ranks that are neighbours, and a reduction of 24 bytes.

        Parameters
        ----------
        arrays : array, or dict from block id to array
            Arrays with ghosts, of shape `grid.shape(block, ghosts=True)` and any further dimensions, with the same dtype on all
            ranks. A rank with one block may pass its array in place of a dict.

        Raises
        ------
        UsageError
            On all ranks: an array has a wrong shape or dtype on one rank.
        """
        with agreed(self._native, "halo") as call:
            of = self._checked(arrays)
            first = next(iter(of.values()), np.empty(0))
            trailing = first.shape[self.grid.dimensions :]
            parts = [of[block][where].reshape(-1, *trailing) for _, pieces in self._out for block, where in pieces]
            out = np.concatenate(parts) if parts else np.empty((0, *trailing), first.dtype)
            if self._all_have:
                call.same(f"of {text_of(first.dtype, trailing)}")
        received = self._plan.exchange(out)
        at = 0
        for source in self._plan.sources.tolist():
            for block, where in self._into[source]:
                target = of[block][where]
                cells = _cells((block, where))
                target[...] = received[at : at + cells].reshape(target.shape)
                at += cells
        for (source, there), (block, here) in self._own:
            of[block][here] = of[source][there]

    def _checked(self, arrays: Arrays) -> dict[int, Array]:
        if not isinstance(arrays, Mapping):
            if len(self.ids) != 1:
                raise UsageError(f"arrays: this rank has {len(self.ids)} blocks; expected a dict from block id to array")
            arrays = {self.ids[0]: arrays}
        if set(arrays) != set(self.ids):
            raise UsageError(f"arrays: of blocks {list(arrays)}; this rank has {self.ids}")
        made: dict[int, Array] = {}
        for block in self.ids:
            array = arrays[block]
            if not isinstance(array, np.ndarray) or not array.flags.writeable or array.dtype.hasobject:
                array = in_place(f"arrays[{block}]", array)
            expected = self.grid.shape(block, ghosts=True)
            if array.shape[: len(expected)] != expected:
                raise UsageError(f"arrays[{block}]: its shape is {array.shape}; expected {expected} with ghosts")
            first = next(iter(made.values()), array)
            if array.dtype != first.dtype or array.shape[len(expected) :] != first.shape[len(expected) :]:
                raise UsageError(f"arrays[{block}]: items of {text_of(array.dtype, array.shape[len(expected):])}; those of other "
                                 f"blocks are {text_of(first.dtype, first.shape[len(expected):])}")
            made[block] = array
        return made

    def __repr__(self) -> str:
        return f"<weft.Halo: {len(self.ids)} of {self.grid.blocks} blocks>"


def _cells(piece: _Piece) -> int:
    return int(np.prod([each.stop - each.start for each in piece[1]]))


def _owners(grid: RegularGrid, size: int, ranks: Any) -> NDArray[np.int64]:
    if ranks is None:
        share, more = divmod(grid.blocks, size)
        return np.repeat(np.arange(size), [share + (rank < more) for rank in range(size)])
    owners = as_array("ranks", ranks)
    if owners.shape != (grid.blocks,) or owners.dtype.kind not in "iu":
        raise UsageError(f"ranks: {owners.dtype} of shape {owners.shape}; expected an integer for each of {grid.blocks} blocks")
    if owners.size and not (0 <= owners.min() and owners.max() < size):
        raise UsageError(f"ranks: ranks are 0..{size - 1}")
    return owners.astype(np.int64)


@on_ranks
def halo(arrays: Arrays, grid: RegularGrid, *, ranks: ArrayLike | None = None, comm: AnyCommunicator = None) -> None:
    """Fills the ghosts of a distributed array, in place: `Halo(comm, grid, ranks).fill(arrays)`.

    Collective. Cost: as `Halo.fill`, and one additional small reduction.

    Parameters
    ----------
    arrays : array, or dict from block id to array
        As in `Halo.fill`: this rank's blocks, with ghosts.
    grid : RegularGrid
        As in `Halo`. The grid keeps the pattern of messages, so later calls with the same grid are faster.
    comm : Communicator, mpi4py.MPI.Comm or None
    ranks : array of integers, optional
        As in `Halo`.

    Raises
    ------
    UsageError
        On all ranks: in the cases in which the class `Halo` or its method `fill` raises UsageError.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> grid = weft.RegularGrid((8, 8), comm.size, ghosts=1)
    >>> plate = np.zeros(grid.shape(comm.rank, ghosts=True))
    >>> weft.halo(plate, grid, comm=comm)
    """
    known = grid.halo_of(comm, ranks) if isinstance(grid, RegularGrid) else None
    if not all(all_gather(comm, known is not None)) or known is None:
        known = Halo(comm, grid, ranks)
        grid.keep_halo(comm, ranks, known)
    known.fill(arrays)
