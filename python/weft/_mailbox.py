"""The mailbox: items sent to any rank at any time, and detection of the end of all handlers."""
# In one file: a mailbox and its channels refer to each other; half of the lines are docstrings.

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import TracebackType
from typing import Any, Literal, Union, get_args, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arguments import choice, flag, function, text, whole
from ._arrays import Array, Bytes, as_bytes, as_ranks, check_dtype, converted, text_of
from ._communicator import AnyCommunicator, Communicator, agreed, close_before_end
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._log import logged
from .handlers import ArrayUpdate, fields_of

RouteName = Literal["automatic", "direct", "node_local", "node_remote", "nlnr"]
ROUTES: tuple[str, ...] = get_args(RouteName)
Handler = Union[Callable[..., Any], ArrayUpdate]

_ITEM_SIZES = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256)
_COMBINED_SIZES = (8, 16, 24, 32)
_SERVICE_SIZES = (8, 16, 32)


class _Wire:
    """How items of a dtype travel: as they are, or filled up to a size for which there is code."""

    def __init__(self, name: str, dtype: DTypeLike, sizes: tuple[int, ...]) -> None:
        try:
            self.dtype: np.dtype[Any] = np.dtype(dtype)
        except Exception as error:
            raise UsageError(f"{name}: {error}") from error
        check_dtype(name, self.dtype)
        if self.dtype.shape:
            raise UsageError(f"{name}: {self.dtype} has a shape; name it as a field, as [('x', float, 3)]")
        if self.dtype.itemsize > sizes[-1]:
            raise UsageError(f"{name}: items of {self.dtype.itemsize} bytes; at most {sizes[-1]} can be sent here")
        self.item_bytes = next(size for size in sizes if size >= self.dtype.itemsize)
        self._filled = None
        if self.item_bytes != self.dtype.itemsize:
            self._filled = np.dtype({"names": ["item"], "formats": [self.dtype], "itemsize": self.item_bytes})

    def to_bytes(self, name: str, items: Any) -> Bytes:
        """The bytes of items, which are converted if nothing is lost."""
        flat = np.ascontiguousarray(converted(name, items, self.dtype)).reshape(-1)
        if self._filled is None:
            return as_bytes(flat)
        filled = np.zeros(len(flat), self._filled)
        filled["item"] = flat
        return as_bytes(filled)

    def view(self, raw: Any) -> Array:
        """Received bytes as items."""
        if self._filled is None:
            return np.frombuffer(raw, self.dtype)
        return np.frombuffer(raw, self._filled)["item"]


def _wants_source(handler: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        return False  # compiled ones do not tell
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in kinds and each.default is inspect.Parameter.empty]
    return len(needed) >= 2


def name_of(function: Callable[..., Any]) -> str:
    """What reports of stalls call a handler."""
    return str(getattr(function, "__qualname__", type(function).__name__))


def _ranks_for(destinations: Any, count: int, what: str) -> NDArray[np.int32]:
    ranks = as_ranks("destinations", destinations)
    if len(ranks) != count:
        raise UsageError(f"destinations: {len(ranks)} of them for {count} {what}")
    return ranks


class Channel:
    """The sending end of a channel; made by `Mailbox.channel`. All members are local.

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

    def __init__(self, mail: _weft.Mailbox, number: int, wire: _Wire) -> None:
        self._mail = mail
        self._number = number
        self._wire = wire

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the items."""
        return self._wire.dtype

    def send(self, destinations: Any, items: Any) -> None:
        """Sends items to ranks, which may include this one.

        Parameters
        ----------
        destinations : int or array of integers, shape (n,)
            One rank for all items, or one for each.
        items : array, shape (n,), or scalar
            Of the dtype of the channel, or what converts to it without loss.

        Raises
        ------
        UsageError
            On this rank, before anything was sent: a destination is not a rank, lengths differ, items do not convert.

        Notes
        -----
        Collective: no. Waits while there is no room, and messages are handled meanwhile. Order: items of one rank to
        another on one channel are handled in the order of sending.
        """
        raw = self._wire.to_bytes("items", items)
        if np.ndim(destinations) == 0:
            self._mail.send_to(self._number, whole("destinations", destinations, -2**31, 2**31 - 1), raw)
        else:
            self._mail.send(self._number, _ranks_for(destinations, len(raw) // self._wire.item_bytes, "items"), raw)

    def broadcast(self, items: Any) -> None:
        """Sends each item to every rank, this one among them; one message a node. Raises, Notes: as `send`."""
        self._mail.broadcast(self._number, self._wire.to_bytes("items", items))

    def __repr__(self) -> str:
        return f"<weft.Channel of {self.dtype}>"


class Service:
    """Asks other ranks; made by `Mailbox.service`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> with weft.Mailbox(comm) as mail:
    ...     squares = mail.service(np.int64, np.int64, lambda asked: asked * asked)
    ...     print(squares.ask(0, [3, 4]).tolist())
    [9, 16]
    """

    def __init__(self, mail: _weft.Mailbox, number: int, queries: _Wire, answers: _Wire) -> None:
        self._mail = mail
        self._number = number
        self._queries = queries
        self._answers = answers

    def ask(self, destinations: Any, queries: Any) -> Array:
        """Sends each query to its rank and waits for the answers.

        Parameters
        ----------
        destinations : int or array of integers, shape (n,)
            One rank for all queries, or one for each.
        queries : array, shape (n,)

        Returns
        -------
        array, shape (n,)
            The answers, in the order of the queries; zeros where a handler raised, which the next `drain` raises again.

        Raises
        ------
        UsageError
            On this rank, before anything was sent: as `Channel.send`; in a handler.

        Notes
        -----
        Collective: no, but the other ranks must be in a call of this mailbox, or in a blocking one, now and then.
        """
        raw = self._queries.to_bytes("queries", queries)
        count = len(raw) // self._queries.item_bytes
        ranks = np.full(count, whole("destinations", destinations, -1, 2**31 - 1), np.int32) if np.ndim(destinations) == 0 else (
            _ranks_for(destinations, count, "queries"))
        answers = np.zeros(count * self._answers.item_bytes, np.uint8)
        self._mail.ask(self._number, ranks, raw, answers)
        return np.ascontiguousarray(self._answers.view(answers))

    def __repr__(self) -> str:
        return f"<weft.Service: {self._queries.dtype} answered by {self._answers.dtype}>"


class Mailbox:
    """Asynchronous messages between the ranks of a communicator.

    Items are collected in buffers. The receiver handles them in batches, inside any call of this mailbox. Handlers may send, and may raise: then the phase runs to its end, and `drain` raises on every rank.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.
    route : str, optional
        The route of messages between nodes: `automatic`, `direct`, `node_local`, `node_remote` or `nlnr`. By default the knob
        WEFT_ROUTE.
    buffer_bytes : int, optional
        Memory that the buffers may take on a rank, at least 1. By default the knob WEFT_MAILBOX_BYTES.
    nested_handlers : bool
        True if a handler that sends beyond that bound may be interrupted by others until there is room.

    Raises
    ------
    UsageError
        On all ranks: options differ, or are out of range.

    Notes
    -----
    Collective: its construction, `channel`, `service` and `drain`. Use it as a context manager, whose end drains and closes. A rank
    that leaves by an exception is told to the others, whose `drain` raises `RemoteError` in place of waiting.

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
                 comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, *, route: RouteName | None = None, buffer_bytes: int | None = None,
                 nested_handlers: bool = True) -> None: ...

    @on_ranks_overloaded
    def __init__(self, *, route: RouteName | None = None, buffer_bytes: int | None = None, nested_handlers: bool = True,
                 comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Mailbox") as call:
            by = None if route is None else choice("route", route, ROUTES)
            most = None if buffer_bytes is None else whole("buffer_bytes", buffer_bytes, 1, 2**62 - 1)
            nested = flag("nested_handlers", nested_handlers)
            call.same(f"by route {by} with {most} bytes, nested handlers {nested}")
        self._native = call.native
        self.comm = comm if isinstance(comm, Communicator) else Communicator(comm)
        self._mail = _weft.Mailbox(self._native, by, most, nested)
        close_before_end(self)

    def channel(self, dtype: DTypeLike, handler: Handler, *, combine: Literal["sum", "min", "max"] | None = None, key: str | None = None) -> Channel:
        """Makes a channel of items of a dtype. Collective.

        Parameters
        ----------
        dtype : dtype
            At most 256 bytes, without Python objects; the same on all ranks.
        handler : function or handler of `weft.handlers`
            `handler(batch)` or `handler(batch, source)`: takes an array of items, shape (n,), that it may keep. The
            compiled ones of `weft.handlers` never call back into Python.
        combine : {"sum", "min", "max"}, optional
            Items of one key and one destination that meet on their way are combined: their other fields, by this operator.
            The dtype is structured, of 32 bytes at most. Then there is no source, no order and no broadcast.
        key : str, optional
            With `combine`: the field that is the key, of integers; the first one without.

        Raises
        ------
        UsageError
            On all ranks: a bad argument on one, channels that differ between ranks.
        """
        with agreed(self._native, "channel") as call:
            wire = _Wire("dtype", dtype, _ITEM_SIZES if combine is None else _COMBINED_SIZES)
            native, sourced = self._compiled(handler, wire)
            call.same(f"of {text_of(wire.dtype)}")
            if combine is not None:
                if sourced:
                    raise UsageError("handler: it takes a source, and items that are combined have none")
                fields, of_key = self._combined_fields(wire.dtype, combine, key)
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
            At most 32 bytes each; the same on all ranks.
        handler : function
            Takes an array of queries, shape (n,), and returns as many answers. It sends nothing else.

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
            queries, answers = _Wire("query", query, _SERVICE_SIZES), _Wire("answer", answer, _SERVICE_SIZES)
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
        """Waits until nothing is in flight on any rank and all messages are handled. Collective.

        Raises
        ------
        Exception
            The exception that a handler raised on this rank, with its traceback.
        RemoteError
            On the others: the rank and the text. The mailbox can be used again.
        UsageError
            In a handler.
        """
        self._mail.drain()

    def test_empty(self) -> bool:
        """Returns True if `drain` would return: for programs with work of their own, which ask whenever they have no work.

        Collective: no, but all ranks ask until it is True, once for each phase. Raises: as `drain`, when True.
        """
        return self._mail.test_empty()

    def poll(self) -> bool:
        """Receives and handles pending messages; returns True if there were any. Local."""
        return self._mail.poll()

    def close(self) -> None:
        """Frees buffers and handlers. Messages that were not drained are lost, and ranks that wait are told. Local."""
        self._mail.close()

    @property
    def sent(self) -> int:
        """Messages that this rank has sent so far; a broadcast counts once for every rank."""
        return self._mail.counts[0]

    @property
    def handled(self) -> int:
        """Messages that this rank has handled so far."""
        return self._mail.counts[1]

    @property
    def route(self) -> str:
        """The route of messages between nodes."""
        return self._mail.route

    @property
    def shares_memory(self) -> bool:
        """True if ranks of a node hand buffers over in shared memory."""
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

    @staticmethod
    def _compiled(handler: Handler, wire: _Wire) -> tuple[_weft.Handler, bool]:
        if isinstance(handler, ArrayUpdate):
            return handler.compile(wire.dtype, wire.item_bytes), False
        if not callable(handler):
            raise UsageError(f"handler: expected a function or a handler of weft.handlers, not {type(handler).__name__}")
        call = handler
        if _wants_source(call):
            return _weft.Handler.function(lambda raw, source: call(wire.view(raw), source), name_of(call)), True
        return _weft.Handler.function(lambda raw, source: call(wire.view(raw)), name_of(call)), False

    @staticmethod
    def _combined_fields(dtype: np.dtype[Any], combine: str, key: str | None) -> tuple[list[tuple[int, str, int]],
                                                                                      tuple[int, str, int]]:
        if not isinstance(combine, str) or combine not in ("sum", "min", "max"):
            raise UsageError(f"combine: {combine!r} is no operator; expected sum, min or max")
        if dtype.names is None or len(dtype.names) < 2:
            raise UsageError(f"dtype: {dtype}; items that are combined have a key and other fields")
        name = dtype.names[0] if key is None else text("key", key)
        if name not in dtype.names:
            raise UsageError(f"key: the dtype has no field {name!r}")
        for each in dtype.names:
            of = dtype[each]
            if of.kind not in ("iu" if each == name else "iuf") or of.itemsize not in (4, 8) or not of.isnative:
                raise UsageError(f"dtype: its field {each!r} is {of}; expected "
                                 f"{'integers' if each == name else 'integers or floats'} of 4 or 8 bytes")
        parts = fields_of(dtype)
        return [part for each, part in parts.items() if each != name], parts[name]

    def __repr__(self) -> str:
        return f"<weft.Mailbox: {self.sent} sent, {self.handled} handled>" if self._mail.is_open else "<weft.Mailbox, closed>"
