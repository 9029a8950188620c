"""The mailbox: sends items to any rank at any time, and detects when all items have been handled."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import TracebackType
from typing import Any, Literal, Union, get_args, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arguments import choice, flag, function, whole
from ._arrays import Array, text_of
from ._channel import Channel, Service
from ._communicator import AnyCommunicator, Communicator, agreed, close_before_end
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._log import logged
from ._mail_items import COMBINED_SIZES, ITEM_SIZES, SERVICE_SIZES, Wire, combined_fields
from .handlers import ArrayUpdate

RouteName = Literal["automatic", "direct", "node_local", "node_remote", "nlnr"]
ROUTES: tuple[str, ...] = get_args(RouteName)
TerminationName = Literal["counted_waves", "four_counters", "barrier_consensus"]
TERMINATIONS: tuple[str, ...] = get_args(TerminationName)
Handler = Union[Callable[..., Any], ArrayUpdate]


def _wants_source(handler: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        return False  # compiled ones do not tell
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in kinds and each.default is inspect.Parameter.empty]
    return len(needed) >= 2


def _name_of(function: Callable[..., Any]) -> str:
    """Returns the name of a handler for stall reports."""
    return str(getattr(function, "__qualname__", type(function).__name__))


def _compiled(handler: Handler, wire: Wire) -> tuple[_weft.Handler, bool]:
    """Returns the handler in the form of the C++ extension, and True if it takes the source."""
    if isinstance(handler, ArrayUpdate):
        return handler.compile(wire.dtype, wire.item_bytes), False
    if not callable(handler):
        raise UsageError(f"handler: expected a function or a handler of weft.handlers, not {type(handler).__name__}")
    call = handler
    if _wants_source(call):
        return _weft.Handler.function(lambda raw, source: call(wire.view(raw), source), _name_of(call)), True
    return _weft.Handler.function(lambda raw, source: call(wire.view(raw)), _name_of(call)), False


class Mailbox:
    """Asynchronous messages between the ranks of a communicator.

    Sent items are collected in buffers. The receiving rank handles items in batches, inside any call of this mailbox. Handlers may send. If
    a handler raises an exception, the remaining messages are still handled, and then `drain` raises an error on every rank.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.
    route : str, optional
        The route of messages between nodes (machines with shared memory): `automatic`, `direct`, `node_local`, `node_remote` or `nlnr`. The
        default is the environment variable WEFT_ROUTE.
    buffer_bytes : int, optional
        The memory that the buffers may take on a rank, in bytes, at least 1. The default is the environment variable WEFT_MAILBOX_BYTES.
    nested_handlers : bool
        True if other handlers may run inside a handler that waits because it sends more than the buffers can take.
    termination : {"counted_waves", "four_counters", "barrier_consensus"}
        The way in which `drain` detects that no item is in flight: Weft's own small reductions of the numbers of sent and handled items
        (the default), reductions of these numbers by MPI, or a barrier that ranks leave when they get items (Morozov et al., LDAV 2021).
        Results are the same. With "four_counters" or "barrier_consensus", each mailbox needs an MPI communicator of its own.

    Raises
    ------
    UsageError
        On all ranks: options differ between ranks, or are out of range.

    Notes
    -----
    Collective: the construction of a mailbox, `channel`, `service` and `drain`. Use a mailbox in a `with` statement, which drains and
    closes it at its end. If a rank leaves the statement by an exception, `drain` on the other ranks raises `RemoteError`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> received = []
    >>> with weft.Mailbox() as mail:
    ...     hello = mail.channel(np.int64, lambda batch, source: received.extend(batch.tolist()))
    ...     hello.send((mail.comm.rank + 1) % mail.comm.size, [42])
    ...     mail.drain()
    >>> received
    [42]
    """

    @overload
    def __init__(self, *, route: RouteName | None = None, buffer_bytes: int | None = None, nested_handlers: bool = True,
                 termination: TerminationName = "counted_waves", comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, *, route: RouteName | None = None, buffer_bytes: int | None = None,
                 nested_handlers: bool = True, termination: TerminationName = "counted_waves") -> None: ...

    @on_ranks_overloaded
    def __init__(self, *, route: RouteName | None = None, buffer_bytes: int | None = None, nested_handlers: bool = True,
                 termination: TerminationName = "counted_waves", comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Mailbox") as call:
            by = None if route is None else choice("route", route, ROUTES)
            most = None if buffer_bytes is None else whole("buffer_bytes", buffer_bytes, 1, 2**62 - 1)
            nested = flag("nested_handlers", nested_handlers)
            ends = choice("termination", termination, TERMINATIONS)
            call.same(f"by route {by} with {most} bytes, nested handlers {nested}, termination {ends}")
        self._native = call.native
        self.comm = comm if isinstance(comm, Communicator) else Communicator(comm)
        self._mail = _weft.Mailbox(self._native, by, most, nested, ends)
        close_before_end(self)

    def channel(self, dtype: DTypeLike, handler: Handler, *, combine: Literal["sum", "min", "max"] | None = None, key: str | None = None) -> Channel:
        """Makes a channel of items of a dtype. Collective.

        Parameters
        ----------
        dtype : dtype
            A dtype of at most 256 bytes, without Python objects; the same on all ranks.
        handler : function or handler of `weft.handlers`
            The mailbox calls `handler(batch)` or `handler(batch, source)` with an array of items, shape (n,), which the handler may keep.
            The compiled handlers of `weft.handlers` never call back into Python.
        combine : {"sum", "min", "max"}, optional
            An operator that combines items with the same key and destination, field by field, before they are sent. The dtype must be
            structured, with at most 32 bytes. With `combine`, the handler gets no source, items have no order, and the channel cannot
            broadcast.
        key : str, optional
            With `combine`: the field of integers that is the key; by default the first field.

        Raises
        ------
        UsageError
            On all ranks: an invalid argument on one rank, or channels that differ between ranks.
        """
        with agreed(self._native, "channel") as call:
            wire = Wire("dtype", dtype, ITEM_SIZES if combine is None else COMBINED_SIZES)
            native, sourced = _compiled(handler, wire)
            call.same(f"of {text_of(wire.dtype)}")
            if combine is not None:
                if sourced:
                    raise UsageError("handler: it takes a source, and items that are combined have none")
                fields, of_key = combined_fields(wire.dtype, combine, key)
                call.same(f"combined by {combine} of key {of_key}")
            elif key is not None:
                raise UsageError("key: it is for items that are combined; give combine too")
            self._expect_open()
        if combine is None:
            number = self._mail.add_channel(wire.item_bytes, native, sourced)
        else:
            number = self._mail.add_combining(wire.item_bytes, native, of_key, combine, fields)
        return Channel(self._mail, number, wire)

    def service(self, query: DTypeLike, answer: DTypeLike, handler: Callable[[Array], Any]) -> Service:
        """Makes a service that answers queries. Collective.

        Parameters
        ----------
        query, answer : dtype
            The dtypes of queries and answers, of at most 32 bytes each; the same on all ranks.
        handler : function
            Takes an array of queries, shape (n,), and returns an array of n answers. It must not send.

        Raises
        ------
        UsageError
            As `channel`.

        Examples
        --------
        >>> import numpy as np, weft
        >>> with weft.Mailbox() as mail:
        ...     squares = mail.service(np.int64, np.int64, lambda queries: queries**2)
        ...     answers = squares.ask(np.zeros(3, int), [1, 2, 3])
        ...     mail.drain()
        >>> answers.tolist()
        [1, 4, 9]
        """
        with agreed(self._native, "service") as call:
            queries, answers = Wire("query", query, SERVICE_SIZES), Wire("answer", answer, SERVICE_SIZES)
            function("handler", handler)
            call.same(f"of {text_of(queries.dtype)} answered by {text_of(answers.dtype)}")
            self._expect_open()

        def answered(raw: bytearray) -> NDArray[np.uint8]:
            asked = queries.view(raw)
            made = np.asarray(handler(asked))
            if made.shape != asked.shape:
                raise UsageError(f"the handler of a service returned an array of shape {made.shape} for queries of shape "
                                 f"{asked.shape}")
            return answers.to_bytes("answers", made)

        return Service(self._mail, self._mail.add_service(queries.item_bytes, answers.item_bytes, answered), queries, answers)

    @logged
    def drain(self) -> None:
        """Waits until no message is in flight on any rank and all messages are handled. Collective.

        Raises
        ------
        Exception
            The exception that a handler raised on this rank, with its traceback.
        RemoteError
            On the other ranks, with the number of the failed rank and the text of its exception. After an exception of a
            handler the mailbox can be used again.
        UsageError
            In a handler.
        """
        self._mail.drain()

    def test_empty(self) -> bool:
        """Returns True if `drain` would return without waiting. A program with work besides messages calls `test_empty` when that
        work is done.

        Collective: no, but before the next phase all ranks must call `test_empty` until it returns True. Raises: the exceptions that
        `drain` would raise, in place of returning True.
        """
        return self._mail.test_empty()

    def poll(self) -> bool:
        """Receives and handles pending messages, and returns True if there were messages. Local."""
        return self._mail.poll()

    def close(self) -> None:
        """Frees buffers and handlers. Messages that were not drained are lost, and ranks that wait in `drain` raise an error.
        Local."""
        self._mail.close()

    @property
    def sent(self) -> int:
        """The number of messages that this rank has sent so far; a broadcast counts once for each rank."""
        return self._mail.counts[0]

    @property
    def handled(self) -> int:
        """The number of messages that this rank has handled so far."""
        return self._mail.counts[1]

    @property
    def route(self) -> str:
        """The route of messages between nodes."""
        return self._mail.route

    @property
    def shares_memory(self) -> bool:
        """True if ranks of a node exchange buffers in shared memory."""
        return self._mail.shares_memory

    def __enter__(self) -> Mailbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        try:
            if kind is None and self._mail.is_open:
                self.drain()
        finally:
            self.close()

    def _expect_open(self) -> None:
        if not self._mail.is_open:
            raise UsageError("mailbox: it is closed")

    def __repr__(self) -> str:
        return f"<weft.Mailbox: {self.sent} sent, {self.handled} handled>" if self._mail.is_open else "<weft.Mailbox, closed>"
