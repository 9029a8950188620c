"""Plans: patterns of messages that are determined once and run many times."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _weft
from ._arrays import Array, as_array, as_bytes, as_ranks, in_place, is_scalar, plain
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._inbox import bytes_of_item
from ._log import logged


class ExchangePlan:
    """A pattern of messages that is determined once and run many times.

    Collective. Outgoing items are in one array, by destination, in the order of `destinations`. Incoming items are in another array, in
    ascending order of their source ranks.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    destinations : int or sequence of int
        The ranks that this rank sends to, each at most once.
    counts : sequence of int
        `counts[i]` items go to rank `destinations[i]`; 0 is allowed.

    Raises
    ------
    UsageError
        On all ranks: a destination is not a rank, or occurs twice, a count is negative, lengths differ.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> plan = weft.ExchangePlan(comm, [(comm.rank + 1) % comm.size], [2])
    >>> there = plan.exchange(np.array([1.5, 2.5]))
    >>> plan.inverse().exchange(there).tolist()
    [1.5, 2.5]
    """

    @overload
    def __init__(self, destinations: ArrayLike, counts: ArrayLike, *, comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, destinations: ArrayLike, counts: ArrayLike) -> None: ...

    @on_ranks_overloaded
    def __init__(self, destinations: ArrayLike, counts: ArrayLike, *, comm: AnyCommunicator = None) -> None:
        with agreed(comm, "ExchangePlan") as call:
            ranks = as_ranks("destinations", [destinations] if is_scalar(destinations) else destinations)
            items = as_array("counts", [counts] if is_scalar(counts) else counts)
            if items.size and items.dtype.kind not in "iu" or items.ndim != 1:
                raise UsageError(f"counts: its dtype is {items.dtype}; expected integers of one dimension")
        self._item_bytes = 8  # of the last run
        self._plan = _weft.ExchangePlan(call.native, ranks.tolist(), items.astype(np.int64).ravel().tolist())

    @property
    def destinations(self) -> NDArray[np.int64]:
        """The ranks that this rank sends to, in the order in which they were passed."""
        return self._plan.destinations

    @property
    def outgoing_offsets(self) -> NDArray[np.int64]:
        """The index at which the items for each destination begin; the last entry is the number of items."""
        return self._plan.outgoing_offsets

    @property
    def sources(self) -> NDArray[np.int64]:
        """The ranks that send to this rank, ascending."""
        return self._plan.sources

    @property
    def incoming_offsets(self) -> NDArray[np.int64]:
        """The index at which the items of each source begin; the last entry is the number of items."""
        return self._plan.incoming_offsets

    def inverse(self) -> ExchangePlan:
        """Returns the plan that brings items back to their senders. Local."""
        made = ExchangePlan.__new__(ExchangePlan)
        made._plan = self._plan.inverse()
        made._item_bytes = self._item_bytes
        return made

    @logged
    def exchange(self, array: Any, into: Array | None = None) -> Array:
        """Runs the plan once and returns the incoming items.

        Collective, over this rank and the ranks that it sends to or receives from.

        Parameters
        ----------
        array : array, shape (outgoing items, ...)
            Items have the same dtype and shape on all ranks.
        into : array, shape (incoming items, ...), optional
            The array for the incoming items; the default is a new array.

        Raises
        ------
        UsageError
            An array has a wrong length or dtype. This rank raises the error, and so do the ranks that it should have sent to.
        """
        return self._run(array, "into", into)

    def _run(self, array: Any, name: str, into: Array | None) -> Array:
        failure: BaseException | None = None
        items = np.empty(0, np.uint8)
        item_bytes = self._item_bytes
        made = np.empty(0, np.uint8)
        incoming = int(self._plan.incoming_offsets[-1])
        try:
            items = plain("array", array)
            item_bytes = bytes_of_item((items.dtype, items.shape[1:]))
            expected = (incoming, *items.shape[1:])
            made = np.empty(expected, items.dtype) if into is None else in_place(name, into)
            if made.shape != expected or made.dtype != items.dtype:
                raise UsageError(f"{name}: it is {made.dtype} of shape {made.shape}; expected {items.dtype} of shape {expected}")
        except Exception as error:
            failure = error
        if failure is not None:  # the neighbours learn of it from a run that cannot be
            try:
                # Of the size that theirs have, as far as this rank can know: they meet in the same receives.
                self._plan.run(np.empty(0, np.uint8), np.empty(item_bytes * incoming + 1, np.uint8), item_bytes)
            except UsageError:
                pass
            raise failure
        self._item_bytes = item_bytes
        self._plan.run(as_bytes(items), as_bytes(made), item_bytes)
        return made

    def __repr__(self) -> str:
        there, back = self.outgoing_offsets, self.incoming_offsets
        return f"<weft.ExchangePlan: {there[-1]} items to {len(there) - 1} ranks, {back[-1]} from {len(back) - 1}>"
