"""Domains cut into blocks: regular grids and kd-trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload, Protocol, runtime_checkable, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _weft
from ._arguments import choice, flag, numbers, whole
from ._arrays import Array, as_array, plain
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks_overloaded
from ._errors import UsageError

Corners = tuple[Array, Array]


@runtime_checkable
class Decomposition(Protocol):
    """A division of a domain into blocks that gives the neighbours of every block: `RegularGrid`, `KdTree`, or a class of the program.

    Examples
    --------
    >>> import weft
    >>> class Ring:
    ...     blocks = 4
    ...     def link_of(self, block): return [(block - 1) % 4, (block + 1) % 4]
    >>> isinstance(Ring(), weft.Decomposition)
    True
    >>> weft.BlockSet(None, Ring(), lambda id: id).blocks
    4
    """

    @property
    def blocks(self) -> int:
        """The number of blocks, whose ids count from 0."""

    def link_of(self, block: int) -> Sequence[int]:
        """Returns the neighbours of a block. If block b is a neighbour of block a, then a must be a neighbour of b."""


AnyDecomposition = Union[Decomposition, int, Sequence[Sequence[int]]]


def native_decomposition(cut: Any) -> _weft.Decomposition:
    """Returns the domain that the library cuts into blocks."""
    native = getattr(cut, "_native", None)
    if isinstance(native, _weft.Decomposition):
        return native
    if isinstance(cut, (int, np.integer)):
        return _weft.make_links(int(cut), lambda block: [])
    if isinstance(cut, Decomposition):
        return _weft.make_links(int(cut.blocks), lambda block: [int(each) for each in cut.link_of(block)])
    if isinstance(cut, Sequence) and not isinstance(cut, (str, bytes)):
        return _weft.make_links(len(cut), lambda block: [int(each) for each in cut[block]])
    raise UsageError("decomposition: expected RegularGrid, KdTree, a number of blocks, lists of neighbours, or an object with "
                     f"`blocks` and `link_of`, not {type(cut).__name__}")


def _each(name: str, value: Any, dimensions: int, kind: type) -> list[Any]:
    """Returns a value for each dimension, from one for all or one for each."""
    array = as_array(name, value)
    if array.ndim == 0:
        array = np.full(dimensions, array)
    if array.shape != (dimensions,):
        raise UsageError(f"{name}: expected one value, or one for each of {dimensions} dimensions, not shape {array.shape}")
    if kind is int and array.dtype.kind not in "iu":
        raise UsageError(f"{name}: its dtype is {array.dtype}; expected integers")
    if array.dtype.kind not in ("biu" if kind is bool else "iuf"):
        raise UsageError(f"{name}: {value!r}; expected {'True or False' if kind is bool else 'numbers'}")
    return [kind(each) for each in array]


def _points(points: Any, dtype: type) -> tuple[Array, tuple[int, ...]]:
    array = plain("points", points)
    if np.ndim(points) == 0 or array.dtype.kind not in ("iu" if dtype is np.int64 else "iuf"):
        raise UsageError(f"points: {array.dtype} of shape {np.shape(points)}; expected "
                         f"{'integers' if dtype is np.int64 else 'numbers'} of shape (..., dimensions)")
    return np.ascontiguousarray(array.reshape(-1, array.shape[-1]), dtype), array.shape[:-1]


class RegularGrid:
    """A domain of 1 to 4 dimensions that is divided into a regular grid of blocks. The numbers of blocks run fastest along the first
    dimension.

    Parameters
    ----------
    domain : tuple of int, or pair of arrays (lower, upper)
        The shape of an array, or the corners of the domain. Integer corners are for a domain of cells, `lower <= cell < upper`; float
        corners are for a domain of points in space.
    blocks : int, optional
        The number of blocks. Weft divides the domain so that the surface of a block is smallest.
    divisions : int or sequence of int, optional
        The number of blocks along each dimension. If `blocks` is given, the number along a dimension may be 0: Weft then chooses this
        number.
    ghosts : number or sequence
        The distance by which the ghosts of a block (the copies of cells or points of other blocks) reach beyond the block.
    wrap : bool or sequence of bool
        True if a dimension is periodic: its upper end is joined to its lower end.
    share_face : bool or sequence of bool
        For cells: True if neighbouring blocks share the layer of cells between them.

    Raises
    ------
    UsageError
        The arguments do not describe a grid.

    Notes
    -----
    Collective: no; O(1) memory. All ranks must pass equal arguments.

    Examples
    --------
    >>> import weft
    >>> grid = weft.RegularGrid((10, 6), divisions=(2, 1), ghosts=1)
    >>> grid.blocks, grid.slices(1)
    (2, (slice(5, 10, None), slice(0, 6, None)))
    >>> grid.bounds(1, ghosts=True)[0].tolist()
    [4, 0]
    """

    def __init__(self, domain: Any, blocks: int | None = None, *, divisions: Any = None, ghosts: Any = 0, wrap: Any = False,
                 share_face: Any = False) -> None:
        self._given = (domain, blocks, divisions, ghosts, wrap, share_face)
        if isinstance(domain, (int, np.integer)):
            domain = (domain,)
        try:
            two = len(domain) == 2 and np.ndim(domain[0]) == 1
        except TypeError:
            raise UsageError(f"domain: {domain!r}; expected a shape, or two corners") from None
        hi = as_array("domain", domain[1] if two else domain)
        lo = as_array("domain", domain[0]) if two else np.zeros_like(hi)
        if lo.ndim != 1 or lo.shape != hi.shape or not 1 <= len(lo) <= 4 or lo.dtype.kind not in "iuf":
            raise UsageError(f"domain: {domain!r}; expected a shape, or two corners of 1 to 4 numbers each")
        n = len(lo)
        of_cells = lo.dtype.kind in "iu" and hi.dtype.kind in "iu"
        kind: type = int if of_cells else float
        if blocks is None and divisions is None:
            raise UsageError("blocks: give the number of blocks, or divisions")
        if blocks is not None:
            blocks = whole("blocks", blocks, 1, 2**62)
        make: Any = _weft.make_cell_grid if of_cells else _weft.make_space_grid
        self._native: _weft.Decomposition = make(
            [kind(x) for x in lo], [kind(x) for x in hi], int(blocks or 0),
            _each("divisions", 0 if divisions is None else divisions, n, int), _each("ghosts", ghosts, n, kind),
            _each("wrap", wrap, n, bool), _each("share_face", share_face, n, bool))
        self.ghosts: tuple[Any, ...] = tuple(_each("ghosts", ghosts, n, kind))
        """The distance by which the ghosts of a block reach beyond the block, along each dimension."""
        self._of_cells = of_cells
        self.domain: Corners = (lo, hi)
        """The corners of the domain."""
        self.wrap: tuple[bool, ...] = tuple(_each("wrap", wrap, n, bool))
        """A boolean for each dimension: True if the dimension is periodic."""
        self.shares: bool = any(_each("share_face", share_face, n, bool))
        """True if neighbouring blocks share layers of cells in a dimension."""
        self._halo: tuple[Any, Any, Any] | None = None

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self._native.blocks

    @property
    def dimensions(self) -> int:
        """The number of dimensions of the domain."""
        return len(self.domain[0])

    @property
    def is_of_cells(self) -> bool:
        """True if coordinates are integers, for a domain of cells."""
        return self._of_cells

    @property
    def divisions(self) -> tuple[int, ...]:
        """The number of blocks along each dimension."""
        return tuple(self._native.cell_divisions() if self._of_cells else self._native.space_divisions())

    def bounds(self, block: int, ghosts: bool = False) -> Corners:
        """Returns the lower and the upper corner of a block, including its ghosts if `ghosts` is True. Raises `UsageError` if the grid has
        no block with this number."""
        bounds = self._native.cell_bounds if self._of_cells else self._native.space_bounds
        lo, hi = bounds(whole("block", block, 0, 2**62), flag("ghosts", ghosts))
        return np.array(lo), np.array(hi)

    def slices(self, block: int) -> tuple[slice, ...]:
        """Returns the slices of a block of cells in an array over the whole domain."""
        lo, hi = self.bounds(block)
        first = self.domain[0]
        return tuple(slice(int(a), int(b)) for a, b in zip(lo - first, hi - first))

    def shape(self, block: int, ghosts: bool = False) -> tuple[int, ...]:
        """Returns the number of cells of a block along each dimension, including its ghosts if `ghosts` is True."""
        lo, hi = self.bounds(block, ghosts)
        return tuple(int(each) for each in hi - lo)

    def place(self, block: int) -> tuple[int, ...]:
        """Returns the index of a block along each dimension of the grid of blocks."""
        return tuple((self._native.cell_place if self._of_cells else self._native.space_place)(whole("block", block, 0, 2**62)))

    def block_of(self, points: Any) -> NDArray[np.int64]:
        """Returns the number of the block that contains each point, or -1 for a point outside of the domain; `points` has the shape (...,
        dimensions)."""
        array, shape = _points(points, np.int64 if self._of_cells else np.float64)
        found = (self._native.cell_block_of if self._of_cells else self._native.space_block_of)(array)
        return found.reshape(shape)

    def link_of(self, block: int) -> list[int]:
        """Returns the blocks around a block, ascending, including those that only share a corner."""
        return self._native.link_of(whole("block", block, 0, 2**62))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, self._given

    def halo_of(self, comm: Any, ranks: Any) -> Any:
        """Returns the halo of the last call of `halo`, if that call had these arguments."""
        if self._halo is not None and self._halo[0] is comm and np.array_equal(self._halo[1], ranks):
            return self._halo[2]
        return None

    def keep_halo(self, comm: Any, ranks: Any, halo: Any) -> None:
        """Keeps a halo for the next call of `halo_of`."""
        self._halo = comm, None if ranks is None else np.array(ranks), halo

    def __repr__(self) -> str:
        return f"<weft.RegularGrid: {self.blocks} blocks, {self.divisions}>"


def _made_again(domain: Any, blocks: Any, divisions: Any, ghosts: Any, wrap: Any, share_face: Any) -> RegularGrid:
    return RegularGrid(domain, blocks, divisions=divisions, ghosts=ghosts, wrap=wrap, share_face=share_face)


class KdTree:
    """A domain that is cut into blocks with about equal numbers of points.

    Collective. The tree depends only on the set of all points, and not on the ranks that have them.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    points : array, shape (n, dimensions)
        The points of this rank, in 1 to 4 dimensions; a rank may have an empty array.
    blocks : int
        The number of blocks.
    split : {"widest", "cycling"}
        The dimension to cut next: the dimension in which the points extend farthest ("widest"), or the dimensions in turn ("cycling").
    domain : pair of arrays (lower, upper), optional
        The box to divide; the default is the box around all points.

    Raises
    ------
    UsageError
        On all ranks: points that are not finite or outside of the domain, arguments that differ between ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> points = np.random.default_rng(comm.rank).random((100, 2))
    >>> tree = weft.KdTree(comm, points, 4)
    >>> count = weft.all_reduce(comm, np.bincount(tree.block_of(points), minlength=4))
    >>> count.tolist() == [25 * comm.size] * 4
    True
    """

    @overload
    def __init__(self, points: ArrayLike, blocks: int, *, split: Literal["widest", "cycling"] = "widest", domain: Any = None,
                 comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, points: ArrayLike, blocks: int, *, split: Literal["widest", "cycling"] = "widest",
                 domain: Any = None) -> None: ...

    @on_ranks_overloaded
    def __init__(self, points: ArrayLike, blocks: int, *, split: Literal["widest", "cycling"] = "widest", domain: Any = None,
                 comm: AnyCommunicator = None) -> None:
        with agreed(comm, "KdTree") as call:
            array, _ = _points(points, np.float64)
            if np.ndim(points) != 2:
                raise UsageError(f"points: their shape is {np.shape(points)}; expected (n, dimensions)")
            choice("split", split, ("widest", "cycling"))
            count = whole("blocks", blocks, 1, 2**62)
            corners: Any = None
            if domain is not None:
                try:
                    low, high = domain
                except (TypeError, ValueError):
                    raise UsageError(f"domain: {domain!r}; expected two corners of {array.shape[1]} numbers each") from None
                corners = tuple(numbers("domain", corner, array.shape[1]) for corner in (low, high))
            call.same(f"of {count} blocks, split {split}, domain {corners}")
        self._native = _weft.make_kd_tree(call.native, array, count, split == "cycling", corners)

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self._native.blocks

    @property
    def domain(self) -> Corners:
        """The corners of the domain."""
        lo, hi = self._native.tree_domain
        return np.array(lo), np.array(hi)

    def bounds(self, block: int) -> Corners:
        """Returns the lower and the upper corner of a block. Raises `UsageError` if no block has this number."""
        lo, hi = self._native.tree_bounds(whole("block", block, 0, 2**62))
        return np.array(lo), np.array(hi)

    def block_of(self, points: Any) -> NDArray[np.int64]:
        """Returns the number of the block that contains each point, or -1 for a point outside of the domain; `points` has the shape (...,
        dimensions)."""
        array, shape = _points(points, np.float64)
        return self._native.tree_block_of(array).reshape(shape)

    def link_of(self, block: int) -> list[int]:
        """Returns the other blocks that touch a block, also those that touch only at a corner, ascending."""
        return self._native.link_of(whole("block", block, 0, 2**62))

    def __repr__(self) -> str:
        return f"<weft.KdTree: {self.blocks} blocks>"
