"""Routes: destinations of items, to which values are sent many times, and which send values back."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Array, as_ranks, in_place, is_scalar, plain
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._exchange_plan import ExchangePlan
from ._log import logged


class Route:
    """A destination rank for each item of an array. The pattern of messages is determined once; then arrays of this length can be sent many
    times, and replies come back in the order of the items.

    Collective. Cost: an exchange of one integer for each destination. Each later `send` or `reply` costs only messages between ranks that
    have items for each other.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    destinations : int or array of integers, shape (n,)
        The rank to which each item goes, as in `exchange`. A single integer is the rank to which a single item goes.

    Raises
    ------
    UsageError
        On all ranks: a destination is not a rank.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> route = weft.Route(comm, np.arange(6) % comm.size)
    >>> questions = route.send(np.arange(6))  # by source, in the order of sending
    >>> route.reply(questions * 10).tolist()
    [0, 10, 20, 30, 40, 50]
    """

    @overload
    def __init__(self, destinations: ArrayLike, *, comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, destinations: ArrayLike) -> None: ...

    @on_ranks_overloaded
    def __init__(self, destinations: ArrayLike, *, comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Route") as call:
            ranks = as_ranks("destinations", [destinations] if is_scalar(destinations) else destinations)
            size = call.native.size
            wrong = np.flatnonzero((ranks < 0) | (ranks >= size))
            if wrong.size:
                given = np.atleast_1d(np.asarray(destinations))[wrong[0]]
                raise UsageError(f"destinations[{wrong[0]}]: {given} is no rank; ranks are 0..{size - 1}")
            counts = np.bincount(ranks, minlength=size)
            to = np.flatnonzero(counts)
            in_order = bool((ranks[1:] >= ranks[:-1]).all())
            self._order: NDArray[np.int64] | None = None if in_order else np.argsort(ranks, kind="stable")
        self._items = len(ranks)
        self._there = ExchangePlan(call.native, to, counts[to])
        self._back = self._there.inverse()
        self._sources = np.repeat(self._there.sources, np.diff(self._there.incoming_offsets))

    @property
    def source_of_items(self) -> NDArray[np.int64]:
        """The rank from which each received item comes, ascending; shape (received items,)."""
        return self._sources

    @property
    def incoming(self) -> int:
        """The number of items that this rank receives from each `send`."""
        return len(self._sources)

    @logged
    def send(self, array: Any, out: Array | None = None) -> Array:
        """Sends the items, and returns the items that were sent to this rank, ordered by source, then by the order of sending. Collective,
        over the ranks that send items to each other.

        Parameters
        ----------
        array : array, shape (n, ...)
            Items have the same dtype and shape on all ranks.
        out : array, shape (incoming, ...), optional
            The array for the received items, which is returned; the default is a new array.

        Raises: as `ExchangePlan.exchange`."""
        return self._there._run(self._by_destination(array), "out", out)

    @logged
    def reply(self, values: Any, out: Array | None = None) -> Array:
        """Sends a value back for each received item, and returns the values that came back, in the order of this rank's own items.

        Collective, over the ranks that send items to each other.

        Parameters
        ----------
        values : array, shape (incoming, ...)
            A value for each received item, in the order of `send`.
        out : array, shape (n, ...), optional

        Raises
        ------
        UsageError
            As `send`.
        """
        if self._order is None:
            return self._back._run(values, "out", out)
        back = self._back.exchange(values)
        made = np.empty_like(back) if out is None else in_place("out", out)
        if made.shape != back.shape or made.dtype != back.dtype:
            raise UsageError(f"out: it is {made.dtype} of shape {made.shape}; expected {back.dtype} of shape {back.shape}")
        made[self._order] = back
        return made

    def _by_destination(self, array: Any) -> Any:
        """Returns the items in the order of the plan. An array that does not fit is returned as it is, and the plan then raises
        the error on the neighbours, too."""
        if self._order is None:
            return array
        try:
            items = plain("array", array)
        except UsageError:
            return array
        return items[self._order] if len(items) == self._items else array

    def __repr__(self) -> str:
        return f"<weft.Route: {self._items} items to {len(self._there.destinations)} ranks, {self.incoming} from {len(self._there.sources)}>"
