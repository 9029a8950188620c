"""Ports, by which callbacks receive and send messages of blocks."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arguments import whole
from ._arrays import Array, as_bytes, converted, plain, split_shape, text_of
from ._errors import UsageError, WireError


class Items:
    """The type of the contents of messages: items of a dtype and a shape, or any objects."""

    def __init__(self, dtype: DTypeLike | None) -> None:
        self.dtype: np.dtype[Any] | None = None
        self.trailing: tuple[int, ...] = ()
        self.number = 0
        self.text = "objects"
        if dtype is not None:
            self.dtype, self.trailing = split_shape(dtype)
            self.text = text_of(self.dtype, self.trailing)
            self.number = _weft.number_of_type(self.text, self.dtype.itemsize)

    def to_bytes(self, items: Any) -> Array:
        if self.dtype is None:
            return np.frombuffer(pickle.dumps(items, protocol=5), np.uint8)
        return as_bytes(self.as_array(items))

    def as_array(self, items: Any) -> Array:
        """Returns items as an array, whose first index is the number of the item."""
        assert self.dtype is not None
        made = converted("items", items, self.dtype)
        if made.size == 0 and made.ndim == 1:
            made = np.empty((0, *self.trailing), self.dtype)
        if made.ndim == len(self.trailing):
            made = made[None]
        if made.ndim != len(self.trailing) + 1 or made.size and made.shape[1:] != self.trailing:
            raise UsageError(f"items: their shape is {made.shape}; expected {('n', *self.trailing)}")
        return np.ascontiguousarray(made)

    def read(self, number: int, raw: NDArray[np.uint8]) -> Any:
        if number != self.number:
            raise WireError(f"port: a message holds {'objects' if number == 0 else 'items of another dtype'}; this callback "
                            f"takes {self.text}")
        if self.dtype is None:
            return pickle.loads(raw.data)
        return raw.view(self.dtype).reshape(-1, *self.trailing) if raw.size else np.empty((0, *self.trailing), self.dtype)


class BlockPort:
    """The object by which a callback receives and sends messages of its block. The port is valid until the callback returns. All calls are
    local.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> blocks = weft.BlockSet(comm, [[1], [0]], lambda id: [])
    >>> blocks.exchange(lambda block, port: port.send(1 - port.id, [port.id + 0.5]), float)
    2
    >>> blocks.exchange(lambda block, port: block.extend(port.received()), float)
    0
    >>> float(blocks.all_reduce(lambda block, id: sum(block)))
    2.0
    """

    def __init__(self, port: _weft.BlockPort, items: Items) -> None:
        self._port = port
        self._items = items

    @property
    def id(self) -> int:
        """The id of the block."""
        return self._port.id

    @property
    def link(self) -> list[int]:
        """The ids of the neighbours of the block, ascending."""
        return self._port.link

    def send(self, to: Any, items: Any) -> None:
        """Sends all items to one block, or each item to a block of its own.

        Parameters
        ----------
        to : int or array of integers, shape (n,)
            The block to which all items go, or the block of each item.
        items : array, shape (n, ...), or object
            Items of the `dtype` that was passed to `exchange` or a similar method, or items that convert to it without loss. If no `dtype`
            was passed: any object that can be pickled.

        Raises
        ------
        UsageError
            A destination is not a block, or items cannot be converted.
        """
        if np.ndim(to) == 0:
            self._port.send(whole("to", to, -2**62, 2**62), self._items.number, self._items.to_bytes(items))
            return
        if self._items.dtype is None:
            raise UsageError("to: an object goes to one block; give a block, or a dtype")
        array, blocks = self._items.as_array(items), plain("to", to)
        if blocks.shape != (len(array),) or blocks.size and blocks.dtype.kind not in "iu":
            raise UsageError(f"to: {blocks.dtype} of shape {blocks.shape}; expected a block for each of {len(array)} items")
        order = np.argsort(blocks, kind="stable")
        found, first = np.unique(blocks[order], return_index=True)
        for block, part in zip(found.tolist(), np.split(array[order], first[1:])):
            self._port.send(block, self._items.number, as_bytes(part))

    def messages(self) -> Iterator[tuple[int, Any]]:
        """Takes the received messages. Each message is the id of the block that sent it, and its items, which the callback may keep.

        In `exchange`, messages are ordered by source, then by the order of sending; in `iexchange`, messages are in the order of arrival.
        Messages that a callback does not take are kept for the next callback of the block.
        """
        while (taken := self._port.take()) is not None:
            source, number, raw = taken
            yield source, self._items.read(number, raw)

    def received(self) -> Any:
        """Takes all messages and returns their items in one array, or in a list of objects if no `dtype` was passed to `exchange` or a
        similar method."""
        parts = [items for _, items in self.messages()]
        if self._items.dtype is None:
            return parts
        return np.concatenate(parts) if parts else np.empty((0, *self._items.trailing), self._items.dtype)

    def flush(self) -> None:
        """Sends messages before the callback returns. A long callback of `iexchange` calls `flush` so that its messages leave earlier."""
        self._port.flush()

    def __repr__(self) -> str:
        return f"<weft.BlockPort of block {self.id}>"


def with_port(callback: Callable[[Any, BlockPort], Any], items: Items) -> Callable[[Any, _weft.BlockPort], Any]:
    """Returns the callback in the form of the C++ extension."""
    return lambda block, port: callback(block, BlockPort(port, items))
