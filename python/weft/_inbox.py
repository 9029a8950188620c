"""The messages that a rank has received in an exchange."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arrays import Array, as_bytes, text_of
from ._errors import UsageError

Kind = tuple[np.dtype[Any], tuple[int, ...]]  # the dtype of items, and their shape

# Messages of arrays without a common dtype end with a description of theirs, and its length.
_descriptions: dict[bytes, Kind] = {}


def description_of(kind: Kind) -> bytes:
    text = pickle.dumps(kind, protocol=4)
    return text + len(text).to_bytes(4, "little")


def bytes_of_item(kind: Kind) -> int:
    return kind[0].itemsize * math.prod(kind[1])


class Sent(Protocol):
    """The items that this rank has sent in an exchange, kept to put answers in their places."""

    def answers(self, sources: NDArray[np.int64], values: Any) -> Any: ...


class Inbox(Mapping[int, Array]):
    """The messages that a rank has received, by source.

    An inbox is a mapping from the rank of each sender, ascending, to the array of the items that this sender has sent, in the order of
    sending. The arrays are views of the received bytes, which stay in memory as long as one of the views. NumPy takes an inbox as the array
    of all its items: `np.mean(inbox)` is the mean of all items.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> inbox = weft.exchange(comm, [0], [10 * comm.rank])
    >>> sorted(inbox) == (list(range(comm.size)) if comm.rank == 0 else [])
    True
    >>> comm.rank > 0 or inbox.array.tolist() == [10 * rank for rank in range(comm.size)]
    True
    """

    def __init__(self, messages: _weft.Messages | _Kept, kind: Kind | None) -> None:
        self._messages = messages
        self._kind = kind
        self._sent: Sent | None = None
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
        items = [bytes_of_item(self._kind_of(index)) for index in range(len(self._sources))]
        return self._sizes // np.array([max(each, 1) for each in items], np.int64)

    @property
    def source_of_items(self) -> NDArray[np.int64]:
        """The rank from which each item of `array` comes, ascending; shape (items,)."""
        return np.repeat(self._sources, self.counts)

    def reply(self, values: Any) -> Any:
        """Sends a value back for each received item, and returns the values that other ranks sent back for the items of this rank.

        Collective. Blocks: until all ranks have called. For repeated exchanges a `Route` is faster, as it determines the pattern of
        messages once.

        Parameters
        ----------
        values : array, shape (items, ...)
            The values, in the order of the items in `array`. All values have the same dtype and shape, on all ranks.

        Returns
        -------
        array, shape (sent items, ...), or dict from rank to array
            The returned values, in the order of the items that this rank passed to `exchange`; a dict if this rank passed a dict.

        Raises
        ------
        UsageError
            On all ranks: the number of values is not the number of items, or dtypes differ. On this rank: the inbox was unpickled.

        Examples
        --------
        >>> import numpy as np, weft
        >>> comm = weft.Communicator()
        >>> inbox = weft.exchange(comm, np.arange(3) % comm.size, np.arange(3))
        >>> inbox.reply(inbox.array + 100).tolist()
        [100, 101, 102]
        """
        if self._sent is None:
            raise UsageError("reply: this inbox has been unpickled, and belongs to no communicator")
        return self._sent.answers(self.source_of_items, values)

    @property
    def array(self) -> Array:
        """All items in one array, ordered by source. The array is a copy if there are several sources.

        Raises `UsageError` if messages have items of different dtypes or shapes.
        """
        if len(self._sources) == 1:
            return self._view(0)
        if self._kind is None:
            if len({text_of(*kind) for kind in self._kinds}) > 1:
                raise UsageError("array: the messages have items of different dtypes or shapes")
            return np.concatenate([*self.values()]) if self._kinds else np.empty(0)
        return shaped(self._messages.joined(), self._kind)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        """Returns all items, as `array`; NumPy calls this method."""
        if copy is False and len(self._sources) > 1:
            raise ValueError("an inbox of several messages is no array without a copy")
        array = self.array
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy and len(self._sources) == 1 else array

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (list(self.values()), self._sources, self._kind)

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
        return shaped(self._messages.view(index)[:size], self._kind_of(index))


class _Kept:
    """Messages of an inbox that was pickled."""

    def __init__(self, raw: list[NDArray[np.uint8]], sources: NDArray[np.int64]) -> None:
        self._raw = raw
        self.sources = sources
        self.sizes = np.array([each.size for each in raw], np.int64)

    def view(self, index: int) -> NDArray[np.uint8]:
        return self._raw[index]

    def joined(self) -> NDArray[np.uint8]:
        return np.concatenate(self._raw) if self._raw else np.empty(0, np.uint8)


def _restored(arrays: list[Array], sources: NDArray[np.int64], kind: Kind | None) -> Inbox:
    raw = [as_bytes(np.ascontiguousarray(each)) for each in arrays]
    if kind is None:
        raw = [np.concatenate([each, np.frombuffer(description_of((array.dtype, array.shape[1:])), np.uint8)])
               for each, array in zip(raw, arrays)]
    return Inbox(_Kept(raw, sources), kind)


def shaped(of_bytes: NDArray[np.uint8], kind: Kind) -> Array:
    dtype, trailing = kind
    if of_bytes.size == 0:
        return np.empty((0, *trailing), dtype)
    return of_bytes.view(dtype).reshape(-1, *trailing)
