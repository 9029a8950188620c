"""Exchange: one collective round in which any rank may send to any other."""
# In one file: one verb in all its forms; half of the lines are docstrings.

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arrays import Array, as_bytes, as_ranks, check_dtype, in_place, plain, split_shape, text_of
from ._communicator import AnyCommunicator, agreed, as_communicator, close_before_end
from ._errors import UsageError

PROTOCOLS = ("automatic", *_weft.protocol_names())


Kind = tuple[np.dtype[Any], tuple[int, ...]]  # the dtype of items, and their shape

# Messages of arrays without a common dtype end with a description of theirs, and its length.
_descriptions: dict[bytes, Kind] = {}


def _description_of(kind: Kind) -> bytes:
    text = pickle.dumps(kind, protocol=4)
    return text + len(text).to_bytes(4, "little")


def _bytes_of_item(kind: Kind) -> int:
    return kind[0].itemsize * math.prod(kind[1])


class Inbox(Mapping[int, Array]):
    """The messages that a rank has received, by source.

    A mapping from the rank of each sender, ascending, to the array of its items in the order of sending. The arrays are
    views of the received bytes, which they keep alive.
    """

    def __init__(self, messages: _weft.Messages, kind: Kind | None) -> None:
        self._messages = messages
        self._kind = kind
        self._sources = messages.sources
        self._sizes = messages.sizes
        self._kinds: list[Kind] = []
        if kind is None:
            self._kinds = [self._take_description(index) for index in range(len(self._sources))]

    def _take_description(self, index: int) -> Kind:
        raw = self._messages.view(index)
        length = int.from_bytes(raw[-4:].tobytes(), "little")
        text = raw[-4 - length : -4].tobytes()
        self._sizes[index] -= length + 4
        kind = _descriptions.get(text)
        if kind is None:
            kind = _descriptions[text] = pickle.loads(text)
        return kind

    def _kind_of(self, index: int) -> Kind:
        return self._kinds[index] if self._kind is None else self._kind

    @property
    def sources(self) -> NDArray[np.int64]:
        """The ranks that have sent, ascending; shape (messages,)."""
        return self._sources

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of items of each source; shape (messages,)."""
        items = [_bytes_of_item(self._kind_of(index)) for index in range(len(self._sources))]
        return self._sizes // np.array([max(each, 1) for each in items], np.int64)

    @property
    def array(self) -> Array:
        """All items, by source, in one array: a copy unless there is one source.

        Raises `UsageError` where messages have items of different dtypes or shapes.
        """
        if len(self._sources) == 1:
            return self._view(0)
        if self._kind is None:
            if len({text_of(*kind) for kind in self._kinds}) > 1:
                raise UsageError("array: the messages have items of different dtypes or shapes")
            return np.concatenate([*self.values()]) if self._kinds else np.empty(0)
        made = np.empty(int(self._sizes.sum()), np.uint8)
        self._messages.copy_to(made)
        return _shaped(made, self._kind)

    def __getitem__(self, source: int) -> Array:
        index = int(np.searchsorted(self._sources, source))
        if index == len(self._sources) or self._sources[index] != source:
            raise KeyError(source)
        return self._view(index)

    def __iter__(self) -> Iterator[int]:
        return iter(self._sources.tolist())

    def __len__(self) -> int:
        return len(self._sources)

    def __repr__(self) -> str:
        return f"<weft.Inbox: {int(self.counts.sum())} items from {len(self)} ranks>"

    def _view(self, index: int) -> Array:
        size = int(self._sizes[index])
        return _shaped(self._messages.view(index)[:size], self._kind_of(index))


def _shaped(of_bytes: NDArray[np.uint8], kind: Kind) -> Array:
    dtype, trailing = kind
    if of_bytes.size == 0:
        return np.empty((0, *trailing), dtype)
    return of_bytes.view(dtype).reshape(-1, *trailing)


class PendingExchange:
    """An exchange that has begun. Several may be open, and may be completed in any order.

    Items are copied when the exchange begins: the arrays may change afterwards.
    """

    def __init__(self, begun: _weft.OpenExchange, kind: Kind | None) -> None:
        self._begun = begun
        self._kind = kind
        close_before_end(self)

    def test(self) -> bool:
        """Makes progress; returns True if `get` would return at once. Local."""
        return self._begun.test()

    def get(self) -> Inbox:
        """Waits for what was sent to this rank, and returns it. Once. Raises: what `exchange` raises."""
        return Inbox(self._begun.get(), self._kind)

    def close(self) -> None:
        """Drops the handle: what was sent is still delivered, what arrives is lost. Local."""
        self._begun.close()


def _pieces_of(destinations: Any, kind: Kind | None) -> tuple[list[int], list[Array]]:
    if not isinstance(destinations, Mapping):
        raise UsageError("array: it is missing; without it, destinations is a dict from ranks to arrays")
    ranks = as_ranks("destinations", list(destinations))
    pieces = [plain(f"destinations[{rank}]", piece) for rank, piece in destinations.items()]
    for rank, piece in zip(ranks.tolist(), pieces):
        if kind is not None and (piece.dtype, piece.shape[1:]) != kind:
            raise UsageError(f"destinations[{rank}]: its items are {text_of(piece.dtype, piece.shape[1:])}; expected "
                             f"{text_of(*kind)}, as dtype says")
    return ranks.tolist(), pieces


def _flat_of(destinations: Any, array: Any) -> tuple[NDArray[np.int32], Array]:
    items = plain("array", array)
    ranks = as_ranks("destinations", destinations)
    if len(ranks) != len(items):
        raise UsageError(f"destinations: {len(ranks)} of them for {len(items)} items of array")
    if items.dtype.itemsize * math.prod(items.shape[1:]) == 0:
        raise UsageError(f"array: its items have no bytes; its shape is {items.shape}")
    return ranks, items


def _begin(native: _weft.Communicator, destinations: Any, array: Any, dtype: DTypeLike | None, protocol: str | None,
           blocks: bool) -> tuple[_weft.OpenExchange, Kind | None]:
    if protocol is not None and protocol not in PROTOCOLS:
        raise UsageError(f"protocol: {protocol!r} is none; expected one of {', '.join(PROTOCOLS)}")
    kind: Kind | None = None
    try:
        if array is not None:
            ranks, items = _flat_of(destinations, array)
            kind = items.dtype, items.shape[1:]
            return _weft.begin_flat(native, ranks, as_bytes(items), text_of(*kind), _bytes_of_item(kind), protocol,
                                    blocks, None), kind
        if dtype is not None:
            kind = split_shape(dtype)
            check_dtype("dtype", kind[0])
        to, pieces = _pieces_of(destinations, kind)
        endings: list[bytes] = [_description_of((piece.dtype, piece.shape[1:])) for piece in pieces] if kind is None else []
    except Exception as error:
        return _weft.begin_pieces(native, [], [], [], "", 0, protocol, blocks, error), None
    text, item_bytes = ("described arrays", 0) if kind is None else (text_of(*kind), _bytes_of_item(kind))
    return _weft.begin_pieces(native, to, [as_bytes(piece) for piece in pieces], endings, text, item_bytes, protocol,
                              blocks, None), kind


def exchange(comm: AnyCommunicator, destinations: Any, array: Any = None, *, dtype: DTypeLike | None = None,
             protocol: str | None = None) -> Inbox:
    """Sends items to ranks and returns those that were sent to this rank; who sends to it is found out.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.
    destinations : array of integers, shape (n,), or dict from rank to array
        The rank to which each item goes. As a dict: an array for each rank, of any length, also none.
    array : array, shape (n, ...), optional
        The items: `array[i]` goes to `destinations[i]`. Any dtype without Python objects, structured ones too. One that is
        not contiguous is copied first. Not with a dict.
    dtype : dtype, optional
        With a dict: what all items are, with their shape (`(float, 3)`), the same on all ranks. Then large arrays travel
        without a copy. Without, messages carry their dtypes, which may differ.
    protocol : str, optional
        One of `automatic`, `nbx`, `pex`, `pcx`, `rsx`, `store_and_forward`, `nbx_two_level`, `pcx_two_level`; the same on
        all ranks. Without: the knob WEFT_EXCHANGE.

    Returns
    -------
    Inbox
        The received arrays by source, ascending; items of a source in the order of sending.

    Raises
    ------
    UsageError
        On all ranks: a destination is no rank, lengths differ, a dtype has Python objects, or ranks send items of different
        dtypes or shapes.
    RemoteError
        On the other ranks, where making the arrays raised something else on one.

    Notes
    -----
    Collective: yes. Blocks: until all ranks have called and what was sent to this rank is here.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> inbox = weft.exchange(comm, np.arange(comm.size), np.full(comm.size, comm.rank))
    >>> bool((inbox.array == np.arange(comm.size)).all())
    True
    """
    begun, kind = _begin(as_communicator(comm), destinations, array, dtype, protocol, True)
    return Inbox(begun.get(), kind)


def start_exchange(comm: AnyCommunicator, destinations: Any, array: Any = None, *, dtype: DTypeLike | None = None,
                   protocol: str | None = None) -> PendingExchange:
    """Begins an exchange and returns its handle. Parameters, errors: as `exchange`, which `get` of the handle raises.

    Notes
    -----
    Collective: yes, in the same order on all ranks. Blocks: no. Handles may be completed in any order, also in different
    orders on different ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> handle = weft.start_exchange(comm, {comm.rank: [1, 2]})
    >>> handle.get()[comm.rank].tolist()
    [1, 2]
    """
    begun, kind = _begin(as_communicator(comm), destinations, array, dtype, protocol, False)
    return PendingExchange(begun, kind)


def exchange_objects(comm: AnyCommunicator, objects: Mapping[int, Any], *, protocol: str | None = None) -> dict[int, Any]:
    """Sends an object to each of some ranks, pickled: a slower form for what is no array.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    objects : dict from rank to object
        Anything that pickle takes.
    protocol : str, optional
        As in `exchange`.

    Returns
    -------
    dict
        What each rank sent to this one, by rank, ascending.

    Raises
    ------
    UsageError
        As `exchange`.
    RemoteError
        Elsewhere, where pickling or unpickling raised; there the exception itself.

    Notes
    -----
    Collective: yes. Blocks: until all ranks have called.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.exchange_objects(comm, {comm.rank: {"a": None}})[comm.rank]
    {'a': None}
    """
    native = as_communicator(comm)
    failure: BaseException | None = None
    pieces: dict[int, Any] = {}
    try:
        pieces = {rank: np.frombuffer(pickle.dumps(each, protocol=5), np.uint8) for rank, each in objects.items()}
    except Exception as error:
        failure = error
    if failure is not None:
        begun = _weft.begin_pieces(native, [], [], [], "", 0, protocol, True, failure)
    else:
        begun, _ = _begin(native, pieces, None, np.uint8, protocol, True)
    received: dict[int, Any] = {}
    inbox = Inbox(begun.get(), (np.dtype(np.uint8), ()))
    try:
        received = {rank: pickle.loads(of_rank.data) for rank, of_rank in inbox.items()}
    except Exception as error:
        failure = error
    native.agree_same("exchange_objects", failure)
    return received


class ExchangePlan:
    """A pattern of messages that is found out once and run many times.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    destinations : sequence of int
        Ranks, each at most once.
    counts : sequence of int
        `counts[i]` items go to rank `destinations[i]`; 0 is allowed.

    Raises
    ------
    UsageError
        On all ranks: a destination is no rank or occurs twice, a count is negative, lengths differ.

    Notes
    -----
    Collective: yes. Outgoing items lie in one array, by destination in the order given; incoming ones in another, by
    source, ascending.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> plan = weft.ExchangePlan(comm, [(comm.rank + 1) % comm.size], [2])
    >>> there = plan.exchange(np.array([1.5, 2.5]))
    >>> plan.inverse().exchange(there).tolist()
    [1.5, 2.5]
    """

    def __init__(self, comm: AnyCommunicator, destinations: Any, counts: Any) -> None:
        native = as_communicator(comm)
        with agreed(native, "ExchangePlan"):
            ranks = as_ranks("destinations", destinations)
            items = np.asarray(counts)
            if items.size and items.dtype.kind not in "iu":
                raise UsageError(f"counts: its dtype is {items.dtype}; expected integers")
        self._item_bytes = 8  # of the last run
        self._plan = _weft.ExchangePlan(native, ranks.tolist(), items.astype(np.int64).ravel().tolist())

    @property
    def destinations(self) -> NDArray[np.int64]:
        """The ranks that this one sends to, as they were given."""
        return self._plan.destinations

    @property
    def outgoing_offsets(self) -> NDArray[np.int64]:
        """Where the items of each destination begin, and one more: the number of all."""
        return self._plan.outgoing_offsets

    @property
    def sources(self) -> NDArray[np.int64]:
        """The ranks that send to this one, ascending."""
        return self._plan.sources

    @property
    def incoming_offsets(self) -> NDArray[np.int64]:
        """Where the items of each source begin, and one more: the number of all."""
        return self._plan.incoming_offsets

    def inverse(self) -> ExchangePlan:
        """Returns the plan that brings items back to where they came from. Local."""
        made = ExchangePlan.__new__(ExchangePlan)
        made._plan = self._plan.inverse()
        made._item_bytes = self._item_bytes
        return made

    def exchange(self, array: Any, into: Array | None = None) -> Array:
        """Runs the plan once and returns the incoming items.

        Parameters
        ----------
        array : array, shape (outgoing items, ...)
            One dtype and one shape of items on all ranks.
        into : array, shape (incoming items, ...), optional
            Where they go; a new array without.

        Raises
        ------
        UsageError
            An array has another length or dtype: on this rank and on those to which it would have sent.

        Notes
        -----
        Collective: yes, over the ranks that are neighbours in the plan.
        """
        failure: BaseException | None = None
        items = np.empty(0, np.uint8)
        item_bytes = self._item_bytes
        made = np.empty(0, np.uint8)
        incoming = int(self._plan.incoming_offsets[-1])
        try:
            items = plain("array", array)
            item_bytes = _bytes_of_item((items.dtype, items.shape[1:]))
            expected = (incoming, *items.shape[1:])
            made = np.empty(expected, items.dtype) if into is None else in_place("into", into)
            if made.shape != expected or made.dtype != items.dtype:
                raise UsageError(f"into: it is {made.dtype} of shape {made.shape}; expected {items.dtype} of shape {expected}")
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
