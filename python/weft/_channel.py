"""Channels and services, by which a program sends through a mailbox."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import whole
from ._arrays import Array, as_ranks
from ._errors import UsageError
from ._mail_items import Wire


def ranks_for(destinations: Any, count: int, what: str) -> NDArray[np.int32]:
    ranks = as_ranks("destinations", destinations)
    if len(ranks) != count:
        raise UsageError(f"destinations: {len(ranks)} of them for {count} {what}")
    return ranks


class Channel:
    """Sends items to the handlers of other ranks; made by `Mailbox.channel`. All members are local.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> seen = []
    >>> with weft.Mailbox(comm) as mail:
    ...     channel = mail.channel(np.int64, lambda batch: seen.extend(batch.tolist()))
    ...     channel.send(0, [comm.rank])
    >>> sorted(seen) == (list(range(comm.size)) if comm.rank == 0 else [])
    True
    """

    def __init__(self, mail: _weft.Mailbox, number: int, wire: Wire) -> None:
        self._mail = mail
        self._number = number
        self._wire = wire

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the items that the channel sends."""
        return self._wire.dtype

    def send(self, destinations: Any, items: Any) -> None:
        """Sends items to ranks, which may include this one.

        Parameters
        ----------
        destinations : int or array of integers, shape (n,)
            One rank for all items, or a rank for each item.
        items : array, shape (n,), or scalar
            Items of the dtype of the channel, or items that convert to it without loss.

        Raises
        ------
        UsageError
            On this rank, before items are sent: a destination is not a rank, lengths differ, or items cannot be converted.

        Notes
        -----
        Collective: no. The call waits while buffers have no room. While the call waits, it handles arrived messages. Order: items that one
        rank sends to another on one channel are handled in the order of sending.
        """
        raw = self._wire.to_bytes("items", items)
        if np.ndim(destinations) == 0:
            self._mail.send_to(self._number, whole("destinations", destinations, -2**31, 2**31 - 1), raw)
        else:
            self._mail.send(self._number, ranks_for(destinations, len(raw) // self._wire.item_bytes, "items"), raw)

    def broadcast(self, items: Any) -> None:
        """Sends each item to every rank, including this one, with one message for each node. Raises, Notes: as `send`."""
        self._mail.broadcast(self._number, self._wire.to_bytes("items", items))

    def __repr__(self) -> str:
        return f"<weft.Channel of {self.dtype}>"


class Service:
    """Sends queries to other ranks and returns their answers; made by `Mailbox.service`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> with weft.Mailbox(comm) as mail:
    ...     squares = mail.service(np.int64, np.int64, lambda asked: asked * asked)
    ...     print(squares.ask(0, [3, 4]).tolist())
    [9, 16]
    """

    def __init__(self, mail: _weft.Mailbox, number: int, queries: Wire, answers: Wire) -> None:
        self._mail = mail
        self._number = number
        self._queries = queries
        self._answers = answers

    def ask(self, destinations: Any, queries: Any) -> Array:
        """Sends each query to its rank and waits for the answers.

        Parameters
        ----------
        destinations : int or array of integers, shape (n,)
            One rank for all queries, or a rank for each query.
        queries : array, shape (n,)

        Returns
        -------
        array, shape (n,)
            The answers, in the order of the queries. If the handler raised an exception, the answers are 0, and the next `drain` raises
            this exception.

        Raises
        ------
        UsageError
            On this rank, before queries are sent: an argument is wrong, as for `Channel.send`, or a handler calls `ask`.

        Notes
        -----
        Collective: no, but the other ranks must call a method of this mailbox, or make a blocking call of Weft, from time to time.
        """
        raw = self._queries.to_bytes("queries", queries)
        count = len(raw) // self._queries.item_bytes
        ranks = np.full(count, whole("destinations", destinations, -1, 2**31 - 1), np.int32) if np.ndim(destinations) == 0 else (
            ranks_for(destinations, count, "queries"))
        answers = np.zeros(count * self._answers.item_bytes, np.uint8)
        self._mail.ask(self._number, ranks, raw, answers)
        return np.ascontiguousarray(self._answers.view(answers))

    def __repr__(self) -> str:
        return f"<weft.Service: {self._queries.dtype} answered by {self._answers.dtype}>"
