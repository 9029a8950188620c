"""Exchange: one collective round in which any rank may send to any other rank."""

from __future__ import annotations

import math
import pickle
from collections.abc import Generator, Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _weft
from ._arguments import choice
from ._arrays import Array, as_bytes, as_ranks, converted, is_scalar, kept_ranks, plain, split_shape, text_of
from ._communicator import AnyCommunicator, agreed, close_before_end, communicator_or_world, waiting_with
from ._convention import on_ranks, on_ranks_overloaded
from ._errors import UsageError
from ._inbox import Inbox, Kind, bytes_of_item, description_of, shaped
from ._tables import TABLES, Frame, Rows, TableInbox, is_table

PROTOCOLS = ("automatic", *_weft.protocol_names())
ProtocolName = Literal["automatic", "nbx", "pex", "pcx", "rsx", "store_and_forward", "nbx_two_level", "pcx_two_level"]


class _Sent:
    """The items that this rank has sent in an exchange, kept to put answers in their places."""

    def __init__(self, native: _weft.Communicator, flat: NDArray[np.int32] | None, pieces: list[int]) -> None:
        self.native = native
        self._flat = flat
        self._pieces = pieces  # their ranks

    def answers(self, sources: NDArray[np.int64], values: Any) -> Any:
        inbox = exchange(self.native, sources, values)
        if self._flat is None:
            assert inbox._kind is not None
            none = shaped(np.empty(0, np.uint8), inbox._kind)
            return {rank: inbox.get(rank, none) for rank in self._pieces}
        values = inbox.array
        if (self._flat[1:] >= self._flat[:-1]).all():
            return values
        made = np.empty_like(values)
        made[np.argsort(self._flat, kind="stable")] = values
        return made


class PendingExchange:
    """An exchange that has begun. Several exchanges may be open, and may be completed in any order.

    Items are copied when the exchange begins, so the arrays may change afterwards. A coroutine can await the handle. A `with` block closes
    the handle at its end.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> with weft.start_exchange(comm, [comm.rank], [1.5]) as pending:
    ...     inbox = pending.get()  # work that needs nothing of it goes before
    >>> inbox.array.tolist()
    [1.5]
    """

    def __init__(self, begun: _weft.OpenExchange, kind: Kind | None, sent: _Sent) -> None:
        self._begun = begun
        self._kind = kind
        self._sent = sent
        close_before_end(self)

    def test(self) -> bool:
        """Makes progress, and returns True if `get` would return without waiting. Local."""
        return self._begun.test()

    def get(self) -> Inbox:
        """Waits for the messages to this rank, and returns them. This method may be called only once. Raises: as `exchange`."""
        inbox = Inbox(self._begun.get(), self._kind)
        inbox._sent = self._sent
        return inbox

    def close(self) -> None:
        """Closes the handle. Messages of this rank are still delivered, but messages to this rank are lost. Local."""
        self._begun.close()

    def __await__(self) -> Generator[Any, None, Inbox]:
        """Waits in a coroutine while the event loop continues, and returns the messages as `get` does."""
        while not self.test():
            yield from _turn_of_loop()
        return self.get()

    def __enter__(self) -> PendingExchange:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<weft.PendingExchange>"


def _turn_of_loop() -> Generator[Any, None, None]:
    """Lets the event loop run once."""
    import asyncio  # takes longer than importing this package

    return asyncio.sleep(0).__await__()


def _pieces_of(destinations: Any, kind: Kind | None) -> tuple[list[int], list[Array]]:
    if not isinstance(destinations, Mapping):
        raise UsageError("array: it is missing; without it, destinations is a dict from ranks to arrays")
    ranks = as_ranks("destinations", list(destinations))
    tables = [rank for rank, piece in destinations.items() if is_table(piece)]
    if tables:
        raise UsageError(f"destinations[{tables[0]}]: a table has a destination for each row; give destinations, and the table as array")
    return ranks.tolist(), [_items(f"destinations[{rank}]", piece, kind) for rank, piece in destinations.items()]


def _items(name: str, value: Any, kind: Kind | None) -> Array:
    """Returns items, converted to a dtype if one is given."""
    if kind is None:
        return plain(name, value)
    dtype, trailing = kind
    made = converted(name, value, dtype)
    if made.size == 0 and made.ndim == 1:
        made = np.empty((0, *trailing), dtype)
    if made.ndim == len(trailing):
        made = made[None]
    if made.ndim != len(trailing) + 1 or made.shape[1:] != trailing:
        raise UsageError(f"{name}: its shape is {made.shape}; expected {('n', *trailing)}")
    return np.ascontiguousarray(made)


def _flat_of(destinations: Any, array: Any, kind: Kind | None) -> tuple[NDArray[np.int32], Array]:
    items = _items("array", array, kind)
    ranks = np.repeat(as_ranks("destinations", [destinations]), len(items)) if is_scalar(destinations) else kept_ranks("destinations", destinations)
    if len(ranks) != len(items):
        raise UsageError(f"destinations: {len(ranks)} of them for {len(items)} items of array")
    if items.dtype.itemsize * math.prod(items.shape[1:]) == 0:
        raise UsageError(f"array: its items have no bytes; its shape is {items.shape}")
    return ranks, items


class _Request:
    """Items that this rank sends in an exchange. An error in its arguments reaches the other ranks with the exchange."""

    def __init__(self, comm: AnyCommunicator, destinations: Any, array: Any, dtype: DTypeLike | None, protocol: Any,
                 blocks: bool) -> None:
        self.native, self.wrong = communicator_or_world(comm)
        self._blocks = blocks
        self.kind: Kind | None = None
        self.protocol: str | None = None
        self._failure: BaseException | None = self.wrong
        self._flat: tuple[NDArray[np.int32], Array] | None = None
        self._pieces: tuple[list[int], list[Array]] = ([], [])
        self._untyped = False
        self.table: Rows | None = None
        _weft.enter_callback(self.native, "exchange")
        try:
            self.protocol = None if protocol is None else choice("protocol", protocol, PROTOCOLS)
            if dtype is not None:
                self.kind = split_shape(dtype)
            if is_table(array):
                if dtype is not None:
                    raise UsageError("dtype: the columns of a table have their own")
                if not blocks:
                    raise UsageError("array: a table goes by exchange alone")
                self.table, self.kind = Rows(destinations, array), TABLES
            elif array is None:
                self._pieces = _pieces_of(destinations, self.kind)
            else:
                self._flat = _flat_of(destinations, array, self.kind)
                # An empty list has no dtype of its own.
                self._untyped = self.kind is None and self._flat[1].shape == (0,) and not hasattr(array, "dtype")
                self.kind = self._flat[1].dtype, self._flat[1].shape[1:]
        except Exception as error:
            self._failure = self._failure or error
            self.protocol = None
        finally:
            _weft.leave_callback()

    def begin(self) -> _weft.OpenExchange:
        if self.protocol is not None:
            # Ranks that use protocols of their own would never meet: first they meet by that of the knob, in the type of no items.
            with waiting_with(self.wrong):
                _weft.begin_pieces(self.native, [], [], [], f"items by protocol {self.protocol}", 1, None,
                                   self._blocks, None).get()
        if self._failure is not None:
            return _weft.begin_pieces(self.native, [], [], [], "", 0, None, self._blocks, self._failure)
        if self._flat is not None:
            assert self.kind is not None
            ranks, items = self._flat
            return _weft.begin_flat(self.native, ranks, as_bytes(items), text_of(*self.kind), bytes_of_item(self.kind),
                                    self.protocol, self._blocks, None)
        to, pieces = self._pieces
        endings: list[bytes] = []
        if self.kind is None:
            endings = [description_of((piece.dtype, piece.shape[1:])) for piece in pieces]
        text, item_bytes = ("described arrays", 0) if self.kind is None else (text_of(*self.kind), bytes_of_item(self.kind))
        return _weft.begin_pieces(self.native, to, [as_bytes(piece) for piece in pieces], endings, text, item_bytes,
                                  self.protocol, self._blocks, None)

    def run(self) -> Inbox:
        try:
            with waiting_with(self.wrong):
                inbox = Inbox(self.begin().get(), self.kind)
        except UsageError:
            if not self._takes_kind_of_others():
                raise
            inbox = Inbox(self.begin().get(), self.kind)
        inbox._sent = self.sent()
        return inbox

    def sent(self) -> _Sent:
        """Returns the plan that sends answers back to the senders of items."""
        flat = self.table.ranks if self.table is not None else None if self._flat is None else self._flat[0]
        return _Sent(self.native, flat, [*self._pieces[0]])

    def _takes_kind_of_others(self) -> bool:
        """Returns True, after an exchange that failed on all ranks, if one rank had an empty list and all others have the same
        dtype."""
        mine = None if self._failure is not None or self._flat is None else (self._untyped, self.kind)
        raw = np.frombuffer(pickle.dumps(mine), np.uint8)
        every = [pickle.loads(each.data) for each in _weft.all_gather_bytes(self.native, raw, b"", None)]
        kinds = {text_of(*each[1]): each[1] for each in every if each is not None and not each[0]}
        if None in every or len(kinds) != 1 or not any(untyped for untyped, _ in every):
            return False
        if self._untyped and self._flat is not None:
            (self.kind,) = kinds.values()
            dtype, trailing = self.kind
            self._flat = self._flat[0], np.empty((0, *trailing), dtype)
        return True


@overload
def exchange(destinations: Mapping[int, ArrayLike], *, dtype: DTypeLike | None = None, protocol: ProtocolName | None = None,
             comm: AnyCommunicator = None) -> Inbox: ...


@overload
def exchange(comm: AnyCommunicator, destinations: Mapping[int, ArrayLike], /, *, dtype: DTypeLike | None = None,
             protocol: ProtocolName | None = None) -> Inbox: ...


@overload
def exchange(destinations: ArrayLike, array: Mapping[str, ArrayLike], *, protocol: ProtocolName | None = None,
             comm: AnyCommunicator = None) -> TableInbox[dict[str, Array]]: ...


@overload
def exchange(comm: AnyCommunicator, destinations: ArrayLike, array: Mapping[str, ArrayLike], /, *,
             protocol: ProtocolName | None = None) -> TableInbox[dict[str, Array]]: ...


@overload
def exchange(destinations: ArrayLike, array: ArrayLike, *, dtype: DTypeLike | None = None, protocol: ProtocolName | None = None,
             comm: AnyCommunicator = None) -> Inbox: ...


@overload
def exchange(comm: AnyCommunicator, destinations: ArrayLike, array: ArrayLike, /, *, dtype: DTypeLike | None = None,
             protocol: ProtocolName | None = None) -> Inbox: ...


@overload
def exchange(destinations: ArrayLike, array: Frame, *, protocol: ProtocolName | None = None, comm: AnyCommunicator = None) -> TableInbox[Frame]: ...


@overload
def exchange(comm: AnyCommunicator, destinations: ArrayLike, array: Frame, /, *,
             protocol: ProtocolName | None = None) -> TableInbox[Frame]: ...


@on_ranks_overloaded
def exchange(destinations: Any, array: Any = None, *, dtype: DTypeLike | None = None, protocol: ProtocolName | None = None,
             comm: AnyCommunicator = None) -> Any:
    """Sends items to ranks, finds the ranks that have sent items to this rank, and returns these items.

    Collective. Blocks: until all ranks have called and all messages to this rank have arrived.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.
    destinations : array of integers, shape (n,), or integer, or dict from rank to array
        The rank to which each item goes, or one integer for all items. A dict contains the items for each rank as an array, of any length,
        even 0.
    array : array, shape (n, ...), optional
        The items: `array[i]` goes to `destinations[i]`. Any dtype without Python objects will do, including structured dtypes. An array
        that is not contiguous is copied first. Leave `array` out if `destinations` is a dict. `array` may also be a table, whose rows are
        the items: a dict from names to arrays of equal length, a data frame of pandas, or a table of Arrow. All ranks must pass columns of
        the same names and dtypes, in the same order.
    dtype : dtype, optional
        The dtype of all items, the same on all ranks; `(float, 3)` is for items of three floats. Items of a different dtype are converted
        if nothing is lost. If `destinations` is a dict and `dtype` is given, large arrays are sent without a copy. Without `dtype`, each
        message of a dict contains the dtype of its items, so messages may have different dtypes. Without `dtype`, an empty list takes the
        dtype of the other ranks.
    protocol : str, optional
        One of `automatic`, `nbx`, `pex`, `pcx`, `rsx`, `store_and_forward`, `nbx_two_level`, `pcx_two_level`; Weft checks by an additional
        small exchange that all ranks pass the same protocol. The default is the environment variable WEFT_EXCHANGE.

    Returns
    -------
    Inbox
        The received arrays by source rank, ascending; items of one source are in the order of sending.
    TableInbox
        For a table: the received rows by source, as tables of the same kind. Rows are pickled, and two additional small collective calls
        compare the columns of the ranks.

    Raises
    ------
    UsageError
        On all ranks: a destination is not a rank, lengths differ, a dtype has Python objects, or ranks send items of different
        dtypes or shapes.
    RemoteError
        On the other ranks, if one rank raised an error other than `UsageError` while it prepared its arrays.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> inbox = weft.exchange(comm, np.arange(comm.size), np.full(comm.size, comm.rank))
    >>> bool((inbox.array == np.arange(comm.size)).all())
    True
    >>> people = {"id": [2**60, 7], "name": ["Ada", "Zuse"]}
    >>> weft.exchange(comm, comm.rank, people).table["name"].tolist()
    ['Ada', 'Zuse']
    """
    request = _Request(comm, destinations, array, dtype, protocol, True)
    inbox = request.run()
    return inbox if request.table is None else _exchange_rows(request, request.table)


def _exchange_rows(request: _Request, rows: Rows) -> TableInbox[Any]:
    """Returns the rows of a table, and checks that all ranks pass tables with the same columns. Collective."""
    native = request.native
    empty = rows.agreed_empty(native)
    with agreed(native, "exchange"):
        wrong = np.flatnonzero((rows.ranks < 0) | (rows.ranks >= native.size))
        if wrong.size:
            raise UsageError(f"destinations[{wrong[0]}]: {rows.ranks[wrong[0]]} is no rank; ranks are 0..{native.size - 1}")
        pieces = rows.pieces()
    inbox = _Request(native, pieces, None, np.uint8, request.protocol, True).run()
    with agreed(native, "exchange"):
        received = rows.received(inbox, empty, request.sent())
    return received


@on_ranks
def start_exchange(destinations: ArrayLike | Mapping[int, ArrayLike], array: ArrayLike | None = None, *, dtype: DTypeLike | None = None,
                   protocol: ProtocolName | None = None, comm: AnyCommunicator = None) -> PendingExchange:
    """Begins an exchange and returns a handle. Parameters: as `exchange`, but an empty list needs a `dtype`. The method `get` of the handle
    raises the exceptions that `exchange` would raise.

    Collective, in the same order on all ranks. Blocks: no; with a `protocol`, until all ranks have called. Handles may be
    completed in any order, and the order may differ between ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> handle = weft.start_exchange(comm, {comm.rank: [1, 2]})
    >>> handle.get()[comm.rank].tolist()
    [1, 2]
    """
    request = _Request(comm, destinations, array, dtype, protocol, False)
    return PendingExchange(request.begin(), request.kind, request.sent())


@on_ranks
def exchange_objects(objects: Mapping[int, Any], *, protocol: ProtocolName | None = None, comm: AnyCommunicator = None) -> dict[int, Any]:
    """Sends pickled objects to ranks. The call is slower than `exchange`, and works for objects that are not arrays.

    Collective. Blocks: until all ranks have called.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    objects : dict from rank to object
        Any objects that can be pickled.
    protocol : str, optional
        As in `exchange`.

    Returns
    -------
    dict
        The objects that other ranks have sent to this rank, by source rank, ascending.

    Raises
    ------
    UsageError
        As `exchange`.
    RemoteError
        On the other ranks, if pickling or unpickling raised an exception on one rank; that rank raises the exception itself.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.exchange_objects(comm, {comm.rank: {"a": None}})[comm.rank]
    {'a': None}
    """
    class Pickled(Mapping[int, Any]):  # where it is read, an error is told to all
        def __iter__(self) -> Iterator[int]:
            return iter(objects)

        def __len__(self) -> int:
            return len(objects)

        def __getitem__(self, rank: int) -> Any:
            return np.frombuffer(pickle.dumps(objects[rank], protocol=5), np.uint8)

    request = _Request(comm, Pickled() if isinstance(objects, Mapping) else objects, None, np.uint8, protocol, True)
    with waiting_with(request.wrong):
        inbox = Inbox(request.begin().get(), request.kind)
    with agreed(request.native, "exchange_objects"):
        received = {rank: pickle.loads(of_rank.data) for rank, of_rank in inbox.items()}
    return received
