"""An array distributed over all ranks, written and read by batches of indices."""

from __future__ import annotations

from typing import Any, cast, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _weft
from ._arguments import whole
from ._arrays import Array as Numpy
from ._arrays import as_array, converted
from ._collective import all_gather
from ._columns import without_missing
from ._communicator import AnyCommunicator, agreed
from ._containers import CountingSet
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._exchange import exchange

ASSIGN, ADD = 0, 1


class Items:
    """The items of an `Array` at some indices, to which values can be added."""

    def __init__(self, array: Array, indices: NDArray[np.int64]) -> None:
        self._array = array
        self._indices = indices

    def __iadd__(self, values: ArrayLike) -> Items:
        self._array._keep(self._indices, values, ADD)
        return self

    def __isub__(self, values: ArrayLike) -> Items:
        self._array._keep(self._indices, np.negative(converted("values", values, self._array.dtype)), ADD)
        return self


class Array:
    """An array of `size` items, distributed over all ranks in blocks of equal size. All items are 0 at first. Collective.

    `a[i] = v`, `a[i] += v` and `a[i] -= v` are local and store a batch; `drain` sends the batches of all ranks to the owners, in
    one exchange. An index may be an integer, a slice, an array of integers (with duplicates), or an array of `size` booleans.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    size : int
        The number of items of the whole array.
    dtype : dtype
        Integers, floats or complex numbers.

    Raises
    ------
    UsageError
        On all ranks: the size is negative, the dtype is not allowed, or the size or the dtype differs between ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> degrees = weft.Array(comm, 5, dtype="i8")
    >>> degrees[[1, 3, 1]] += 1
    >>> degrees.drain()
    >>> (degrees.get([1, 3]) // comm.size).tolist()
    [2, 1]
    """

    @overload
    def __init__(self, size: int, *, dtype: DTypeLike = ..., comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, size: int, *, dtype: DTypeLike = ...) -> None: ...

    @on_ranks_overloaded
    def __init__(self, size: int, *, dtype: DTypeLike = np.float64, comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Array") as call:
            self.size = whole("size", size, least=0)
            try:
                self.dtype: np.dtype[Any] = np.dtype(dtype)
            except Exception as error:
                raise UsageError(f"dtype: {dtype!r} is no dtype: {error}") from None
            if self.dtype.kind not in "iufc" or not self.dtype.isnative:
                raise UsageError(f"dtype: {self.dtype}; expected integers, floats or complex numbers of this machine's byte order")
            call.same(f"of {self.size} of {self.dtype}")
        self._comm: _weft.Communicator = call.native
        ranks = self._comm.size
        self._begins = np.array([rank * (self.size // ranks) + min(rank, self.size % ranks) for rank in range(ranks + 1)], np.int64)
        self.begin = int(self._begins[self._comm.rank])
        """The first index of this rank's block."""
        self.local: Numpy = np.zeros(int(self._begins[self._comm.rank + 1]) - self.begin, self.dtype)
        """This rank's block, not a copy: it contains the drained batches, and the program may change it."""
        self._batches: list[tuple[NDArray[np.int64], Numpy, int]] = []

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any) -> Items:
        """Returns an object for the items at some indices, so that `a[i] += v` works. The values of items are returned by `get`, which is
        collective. Local."""
        return Items(self, self._indices(index))

    def __setitem__(self, index: Any, values: Any) -> None:
        """Stores a batch of values to be assigned: one value for each index, or one value for all. Local. Raises `UsageError` on this rank
        if an index is out of bounds, a value does not convert without loss, or shapes differ."""
        if isinstance(values, Items) and values._array is self:
            return  # the end of a[i] += v
        self._keep(self._indices(index), values, ASSIGN)

    def drain(self) -> None:
        """Sends the batches of all ranks to the owners of their items. Assignments are applied in the order of ranks, and for each rank in the order of its batches. If an index occurs several times in `+=`, each value is added. Collective. Blocks: until all
        ranks have called and the values for this rank have arrived."""
        rows = np.empty(sum(len(indices) for indices, _, _ in self._batches),
                        [("index", np.int64), ("value", self.dtype), ("kind", np.int8)])
        at = 0
        for indices, values, kind in self._batches:
            some = rows[at : at + len(indices)]
            some["index"], some["value"], some["kind"] = indices, values, kind
            at += len(indices)
        self._batches = []
        come = exchange(self._comm, self._owners(rows["index"]), rows).array
        turns = np.flatnonzero(come["kind"][1:] != come["kind"][:-1]) + 1
        for run in np.split(come, turns):
            places = run["index"] - self.begin
            if len(run) and run["kind"][0] == ADD:
                np.add.at(self.local, places, run["value"])
            elif len(run):
                last = len(run) - 1 - np.unique(places[::-1], return_index=True)[1]
                self.local[places[last]] = run["value"][last]

    def get(self, index: Any) -> Numpy:
        """Returns the items at the indices that this rank passes. Collective; a rank may pass an empty array. Batches stored since the last
        `drain` are ignored. Raises `UsageError` on all ranks for indices that are out of bounds or missing."""
        with agreed(self._comm, "get"):
            indices = self._indices(index)
        inbox = exchange(self._comm, self._owners(indices), indices)
        return cast(Numpy, inbox.reply(self.local[inbox.array - self.begin]))

    def gather(self) -> Numpy:
        """Returns all items on all ranks. Collective."""
        return np.concatenate(all_gather(self.local, comm=self._comm))

    def unique(self) -> tuple[Numpy, NDArray[np.int64]]:
        """Returns on all ranks the distinct values, ascending, and the number of times that each value occurs. Collective. Raises:
        `UsageError` on all ranks for complex numbers and NaN."""
        with agreed(self._comm, "unique"):
            if self.dtype.kind == "c":
                raise UsageError("unique: complex numbers have no order")
            if self.dtype.kind == "f" and np.isnan(self.local).any():
                raise UsageError("unique: NaN differs from itself")
        values = CountingSet(key=self.dtype, comm=self._comm)
        values.update(self.local)
        values.drain()
        return values.gather()

    def sort(self) -> None:
        """Sorts the items in place, ascending over the blocks of all ranks; NaN comes last. Collective. Batches stored since the last
        `drain` are not sorted. Blocks: until all ranks have called and the items of this rank have arrived. Cost: two exchanges of all
        items. Raises `UsageError` on all ranks for complex numbers.

        Examples
        --------
        >>> import weft
        >>> comm = weft.Communicator()
        >>> costs = weft.Array(comm, 3)
        >>> costs[[0, 1, 2]] = [3.0, 1.0, 2.0]
        >>> costs.drain()
        >>> costs.sort()
        >>> costs.gather().tolist()
        [1.0, 2.0, 3.0]
        """
        self.local[:] = self._sorted("sort")["value"]

    def argsort(self) -> Array:
        """Returns an array of the indices that sort the items in ascending order; indices of equal items ascend, and NaN comes last.
        Collective. Batches stored since the last `drain` are ignored. Cost: two exchanges of all items and their indices. Raises
        `UsageError` on all ranks for complex numbers.

        Examples
        --------
        >>> import weft
        >>> comm = weft.Communicator()
        >>> costs = weft.Array(comm, 3)
        >>> costs[[0, 1, 2]] = [3.0, 1.0, 2.0]
        >>> costs.drain()
        >>> costs.argsort().gather().tolist()
        [1, 2, 0]
        """
        rows = self._sorted("argsort")
        made = Array(self.size, dtype=np.int64, comm=self._comm)
        made.local[:] = rows["index"]
        return made

    def _sorted(self, call: str) -> Numpy:
        """Returns the values and indices of this rank's block of the sorted array. Samples of the values decide which rank sorts which
        range of them; then the sorted ranges are divided into blocks of equal size. Collective."""
        with agreed(self._comm, call):
            if self.dtype.kind == "c":
                raise UsageError(f"{call}: complex numbers have no order")
            order = np.argsort(self.local, kind="stable")
            rows = np.empty(len(order), [("value", self.dtype), ("index", np.int64)])
            rows["value"], rows["index"] = self.local[order], order + self.begin
        ranks = self._comm.size
        samples = np.concatenate(all_gather(rows[:: max(1, len(rows) // (32 * ranks))], comm=self._comm))
        samples = samples[np.lexsort((samples["index"], samples["value"]))]
        # An item is behind a splitter by its value, or among equal values by its index, so that equal items go to several ranks.
        ends = []
        for splitter in samples[len(samples) // ranks :: len(samples) // ranks][: ranks - 1] if len(samples) >= ranks else samples[:0]:
            first, end = (int(np.searchsorted(rows["value"], splitter["value"], side=side)) for side in ("left", "right"))
            ends.append(first + int(np.searchsorted(rows["index"][first:end], splitter["index"])))
        owners = np.zeros(len(rows), np.int64)
        for end in ends:
            owners[end:] += 1
        come = exchange(self._comm, owners, rows).array
        come = come[np.argsort(come["value"], kind="stable")]  # it came by ranks, whose indices ascend
        counts = all_gather(len(come), comm=self._comm)
        places = sum(counts[: self._comm.rank]) + np.arange(len(come))
        return exchange(self._comm, self._owners(places), come).array

    def _keep(self, indices: NDArray[np.int64], values: ArrayLike, kind: int) -> None:
        given = converted("values", without_missing("values", values), self.dtype)
        if given.shape not in ((), indices.shape):
            raise UsageError(f"values: of shape {given.shape}, and indices of {indices.shape}; expected one value an index")
        self._batches.append((indices, np.array(np.broadcast_to(given, indices.shape)), kind))

    def _indices(self, index: Any) -> NDArray[np.int64]:
        if isinstance(index, slice):
            try:
                return np.arange(*index.indices(self.size), dtype=np.int64)
            except Exception as error:
                raise UsageError(f"index: {index}: {error}") from None
        made = as_array("index", without_missing("index", index))
        if made.dtype == np.bool_:
            if made.shape != (self.size,):
                raise UsageError(f"index: truth values of shape {made.shape}; expected ({self.size},)")
            return np.flatnonzero(made)
        indices = np.array(converted("index", made, np.dtype(np.int64)).reshape(-1))
        if made.ndim > 1:
            raise UsageError(f"index: of shape {made.shape}; expected one dimension")
        indices[indices < 0] += self.size
        wrong = (indices < 0) | (indices >= self.size)
        if wrong.any():
            raise UsageError(f"index: {made.reshape(-1)[wrong][0]} is out of bounds for {self.size} items")
        return indices

    def _owners(self, indices: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.searchsorted(self._begins, indices, side="right") - 1

    def __repr__(self) -> str:
        return f"<weft.Array: {self.size} items of {self.dtype}, {self.begin} to {self.begin + len(self.local) - 1} on this rank>"
