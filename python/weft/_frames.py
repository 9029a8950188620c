"""Moves values of global ids between blocks of consecutive ids and parts with any ids."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _weft
from ._arguments import flag, whole
from ._arrays import Array, as_bytes, converted, integers, plain, text_of
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks, on_ranks_overloaded
from ._errors import UsageError

Ids = NDArray[np.int64]

LOCATION = np.dtype([("rank", np.int32), ("part", np.int32), ("position", np.int64)])

_REDUCERS: dict[str, np.ufunc] = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum,
                                   "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


def _ids(name: str, value: Any) -> Ids:
    array = integers(name, value)
    if array.size and array.dtype.kind == "u" and array.dtype.itemsize == 8 and int(array.max()) > np.iinfo(np.int64).max:
        raise UsageError(f"{name}: an id is beyond the 64-bit integers")
    return np.ascontiguousarray(array, dtype=np.int64)


def _parts(name: str, value: Any) -> list[Ids]:
    """Returns the arrays of ids, from one array or a list of arrays."""
    if isinstance(value, (list, tuple)) and any(np.ndim(each) > 0 for each in value):
        return [_ids(f"{name}[{index}]", each) for index, each in enumerate(value)]
    return [_ids(name, value)]


def _blocks(value: Any, call: agreed) -> tuple[int, list[int]]:
    """Returns the number of ids and an empty list, or 0 and the bounds of all blocks. They must be equal on all ranks."""
    if np.ndim(value) == 0:
        total = whole("blocks", value, 0, 2**62)
        call.same(f"of {total} ids")
        return total, []
    bounds = _ids("blocks", value)
    if len(bounds) != call.native.size + 1:
        raise UsageError(f"blocks: {len(bounds)} bounds; expected {call.native.size + 1}, one more than ranks, or the number of ids")
    if (np.diff(bounds) < 0).any():
        raise UsageError("blocks: the bounds descend")
    call.same(f"of blocks with the bounds {bounds.tolist()}")
    return 0, bounds.tolist()


class _Frame:
    _native: _weft.BlockToPart | _weft.PartToBlock

    def _move(self, to_places: bool, from_links: bool, values: Any, count: int, made_count: int, fill: Any = None) -> Array:
        """Sends `count` values. An error on this rank is raised on all ranks."""
        failure: BaseException | None = None
        made: Array = np.empty(0, np.uint8)
        items: Array = np.empty(0, np.uint8)
        filler: Array = np.zeros(1, np.uint8)
        value_bytes, text = 1, ""
        try:
            items = plain("values", values)
            value_bytes = items.dtype.itemsize * math.prod(items.shape[1:])
            if value_bytes == 0:
                raise UsageError(f"values: its items have no bytes; its shape is {items.shape}")
            if len(items) != count:
                raise UsageError(f"values: {len(items)} of them; expected {count}")
            text = text_of(items.dtype, items.shape[1:])
            made = np.empty((made_count, *items.shape[1:]), items.dtype)
            filler = np.zeros((1, *items.shape[1:]), items.dtype)
            if fill is not None and not (isinstance(fill, int) and fill == 0):  # 0 is that of any dtype
                made_of = converted("missing", fill, items.dtype)
                if made_of.shape not in ((), items.shape[1:]):
                    raise UsageError(f"missing: its shape is {made_of.shape}; expected a scalar, or {items.shape[1:]}")
                filler[...] = made_of
        except Exception as error:
            failure = error
        self._native.move(to_places, from_links, as_bytes(items), as_bytes(made), value_bytes, as_bytes(filler), text, failure)
        return made

    @property
    def part_items(self) -> int:
        """The items of all parts of this rank."""
        return self._native.part_items

    @property
    def part_offsets(self) -> Ids:
        """The index at which each part begins in an array of all parts, and at the end the number of all items."""
        return self._native.part_offsets


class BlockToPart(_Frame):
    """Sends values from blocks to parts: each global id is in the block of one rank, and a part is a list of ids that a rank uses. The
    pattern of messages is determined once, and can be used for any number of arrays. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    blocks : int or array of integers, shape (size + 1,)
        The number of ids, which are divided evenly among the ranks; or the bounds of all blocks. Rank r has block r.
    ids : array of integers, or list of arrays
        The ids that the parts of this rank use, in any order and any number of times. A list contains an array of ids for each part of this
        rank.
    block_ids : array of integers, optional
        Needed if only some ids exist: the ids of this rank's block, distinct, in the order of the block arrays.
    missing_allowed : bool
        With `block_ids`: True if parts may use ids that do not exist.

    Raises
    ------
    UsageError
        On all ranks: an id is in no block (the text names its rank, part and position), or blocks differ between ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> plan = weft.BlockToPart(comm, 10 * comm.size, [0, 10 * comm.size - 1, 0])
    >>> block = np.arange(10) + 10.5 + 10 * comm.rank
    >>> plan.exchange(block).tolist() == [10.5, 9.5 + 10 * comm.size, 10.5]
    True
    """

    @overload
    def __init__(self, blocks: ArrayLike, ids: ArrayLike, *, block_ids: ArrayLike | None = None, missing_allowed: bool = False,
                 comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, blocks: ArrayLike, ids: ArrayLike, *, block_ids: ArrayLike | None = None,
                 missing_allowed: bool = False) -> None: ...

    @on_ranks_overloaded
    def __init__(self, blocks: ArrayLike, ids: ArrayLike, *, block_ids: ArrayLike | None = None, missing_allowed: bool = False,
                 comm: AnyCommunicator = None) -> None:
        with agreed(comm, "BlockToPart") as call:
            total, bounds = _blocks(blocks, call)
            parts = _parts("ids", ids)
            own = None if block_ids is None else _ids("block_ids", block_ids)
            missing = flag("missing_allowed", missing_allowed)
            call.same(f"missing_allowed {missing}{', some ids exist' if block_ids is not None else ''}")
        self._native = made = _weft.BlockToPart.make(call.native, total, bounds, parts, own, missing)
        self._block_items = made.block_items

    @property
    def block_items(self) -> int:
        """The number of items of this rank's block."""
        return self._block_items

    def exchange(self, values: Any, missing: Any = 0) -> Array:
        """Returns a value for each id of this rank's parts, one part after the other. Collective.

        Parameters
        ----------
        values : array, shape (block items, ...)
            The values of this rank's block. The dtype and the shape of one value are the same on all ranks.
        missing : scalar
            The value for ids that do not exist; it must convert to the dtype of the values without loss.

        Raises
        ------
        UsageError
            On all ranks: a wrong length on one rank, or dtypes or shapes that differ between ranks.
        """
        return self._move(False, False, values, self.block_items, self.part_items, missing)

    def __repr__(self) -> str:
        return f"<weft.BlockToPart: {self.block_items} items of a block to {self.part_items} of parts>"


class PartToBlock(_Frame):
    """Sends values from parts (lists of global ids that ranks use) to the blocks that own these ids, and sends results back. If several
    values have the same id, a block can keep all of them, merge or reduce them, or take the first, in the order of (rank, part, position).

    Collective. Errors: as `BlockToPart`.

    Parameters
    ----------
    comm, blocks, ids
        As for `BlockToPart`; an id may be in any number of parts, or in no part.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> plan = weft.PartToBlock(comm, 4, [3, 0, 3])
    >>> sums = plan.reduce([1.0, 2.0, 4.0])
    >>> dict(zip(plan.ids.tolist(), sums.tolist())).get(3, 5.0 * comm.size) == 5.0 * comm.size
    True
    >>> plan.reverse(sums).tolist() == [5.0 * comm.size, 2.0 * comm.size, 5.0 * comm.size]
    True
    """

    @overload
    def __init__(self, blocks: ArrayLike, ids: ArrayLike, *, comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, blocks: ArrayLike, ids: ArrayLike) -> None: ...

    @on_ranks_overloaded
    def __init__(self, blocks: ArrayLike, ids: ArrayLike, *, comm: AnyCommunicator = None) -> None:
        with agreed(comm, "PartToBlock") as call:
            total, bounds = _blocks(blocks, call)
            parts = _parts("ids", ids)
        self._comm = call.native
        self._native = made = _weft.PartToBlock.make(call.native, total, bounds, parts)
        self._ids: Ids = made.ids
        self._offsets: Ids = made.arrival_offsets
        self._arrival_ids: Ids = made.arrival_ids
        self._order = np.argsort(self._arrival_ids, kind="stable")

    @property
    def ids(self) -> Ids:
        """The ids of this rank's block that occur in any part, ascending, each once."""
        return self._ids

    @property
    def arrival_ids(self) -> Ids:
        """The id of each received item, ordered by (rank, part, position)."""
        return self._arrival_ids

    def keep(self, values: Any) -> Array:
        """Returns all received values, one for each of `arrival_ids`. `values` contains the values of this rank's parts, one part after the
        other. Collective."""
        return self._move(True, False, values, self.part_items, len(self._arrival_ids))

    def merge(self, values: Any) -> tuple[Ids, Array]:
        """Returns two arrays, offsets and values: the values are ordered by id, and the values of `ids[i]` lie from `offsets[i]` up to
        `offsets[i + 1]`. Collective."""
        return self._offsets, self.keep(values)[self._order]

    def lowest(self, values: Any) -> Array:
        """Returns for each id the value of its first item, in the order of rank, part and position. Collective."""
        return self.keep(values)[self._order[self._offsets[:-1]]]

    def reduce(self, values: Any, op: str | np.ufunc | Callable[..., Any] = "sum") -> Array:
        """Combines the values of each id, element by element, and returns a value for each id. Collective.

        Parameters
        ----------
        values : array, shape (part items, ...)
        op : {"sum", "prod", "min", "max", "and", "or", "xor"} or ufunc of two arguments
            The same on all ranks. The call raises an error if a ufunc returns a dtype other than that of the values, or if a sum
            does not fit this dtype.

        Raises
        ------
        UsageError
            On all ranks: in the cases in which `BlockToPart.exchange` raises UsageError; also if `op` is neither the name of an operator
            nor a ufunc of two arguments.
        """
        with agreed(self._comm, "reduce") as call:
            how = _REDUCERS.get(op) if isinstance(op, str) else op
            if not isinstance(how, np.ufunc) or how.nin != 2 or how.nout != 1:
                raise UsageError(f"op: {op!r} is no operator; expected one of {', '.join(_REDUCERS)}, or a ufunc of two arguments")
            one = np.ones(1, plain("values", values).dtype)
            try:
                made_of = how(one, one).dtype
            except TypeError as error:
                raise UsageError(f"op: {op!r} takes no {one.dtype}: {error}") from error
            if made_of != one.dtype:
                raise UsageError(f"op: {op!r} makes {made_of} of {one.dtype}; give values of that dtype")
            call.same(f"by {how.__name__}")
        arrived = self.keep(values)[self._order]
        with agreed(self._comm, "reduce"):
            if len(self._ids) > 0:  # numpy adds up small integers in 64 bits
                arrived = converted("values", how.reduceat(arrived, self._offsets[:-1], axis=0), arrived.dtype)
        return arrived

    def reverse(self, values: Any) -> Array:
        """Sends a value for each id of `ids` back to all parts that contain this id. Returns the values for this rank's parts, one part
        after the other. Collective."""
        return self._move(False, False, values, len(self._ids), self.part_items)

    def reverse_kept(self, values: Any) -> Array:
        """Sends a value for each received item back to the rank that had sent the item. Returns the values that came back for this rank's
        items. Collective."""
        return self._move(False, True, values, len(self._arrival_ids), self.part_items)

    def __repr__(self) -> str:
        return f"<weft.PartToBlock: {self.part_items} items of parts to {len(self._ids)} ids of a block>"


class Directory:
    """Finds the items that have given global ids: the rank of each item, its part (a list of ids on that rank), and its position in the
    part. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    ids : array of integers, or list of arrays
        The ids of this rank's parts, including duplicates.

    Raises
    ------
    UsageError
        On all ranks: an id is negative.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> where = weft.Directory(comm, [7, 100 + comm.rank])
    >>> offsets, items = where.find([100 + comm.rank, 7])
    >>> offsets.tolist() == [0, 1, 1 + comm.size]
    True
    >>> items["rank"].tolist() == [comm.rank, *range(comm.size)], items["position"].tolist()[0]
    (True, 1)
    """

    @overload
    def __init__(self, ids: ArrayLike, *, comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, ids: ArrayLike) -> None: ...

    @on_ranks_overloaded
    def __init__(self, ids: ArrayLike, *, comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Directory") as call:
            parts = _parts("ids", ids)
        self._comm = call.native
        self._items = sum(map(len, parts))
        self._native = _weft.Directory.make(call.native, parts)

    def find(self, ids: Any) -> tuple[Ids, Array]:
        """Returns two arrays, offsets and items: the items of the i-th id lie from `offsets[i]` up to `offsets[i + 1]`. Each item is (rank,
        part, position), and items of one id are in this order.

        Unknown ids have no items. Collective; a rank may pass an empty array. Raises `UsageError` on all ranks for ids that are not
        integers.
        """
        with agreed(self._comm, "find"):
            asked = _ids("ids", ids)
        offsets, raw = self._native.find(asked)
        return offsets, raw.view(LOCATION)

    def __repr__(self) -> str:
        return f"<weft.Directory: {self._items} items of this rank>"


@on_ranks
def number_ids(ids: Any, *, comm: AnyCommunicator = None) -> tuple[Ids, int]:
    """Numbers the ids of all ranks without gaps, in ascending order. Equal ids get the same number. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    ids : array of integers, or list of arrays
        The ids of this rank; not negative.

    Returns
    -------
    numbers : array of int64
        The number of each id that this rank passed; if `ids` is a list of arrays, one array after the other.
    count : int
        The number of distinct ids of all ranks.

    Raises
    ------
    UsageError
        On all ranks: an id is negative. The text of the error names the rank, the number of the array in the list and the position
        of the id in the array.

    Examples
    --------
    >>> import weft
    >>> numbers, count = weft.number_ids(None, [500, 20, 500])
    >>> numbers.tolist(), count
    ([1, 0, 1], 2)
    """
    with agreed(comm, "number_ids") as call:
        parts = _parts("ids", ids)
    return _weft.number_ids(call.native, parts)
