"""Compiled handlers of channels. They update an array and never call back into Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _weft
from ._arrays import Array, as_bytes, in_place
from ._errors import UsageError

Field = tuple[int, str, int]


def field_of(dtype: np.dtype[Any], offset: int = 0) -> Field:
    """Returns the position of a number within an item, and its type."""
    return offset, dtype.kind, dtype.itemsize


def fields_of(dtype: np.dtype[Any]) -> dict[str, Field]:
    """Returns the fields of a structured dtype."""
    assert dtype.fields is not None
    return {name: field_of(entry[0], entry[1]) for name, entry in dtype.fields.items()}


@dataclass(frozen=True)
class ArrayUpdate:
    """The result of `add_at`, `minimum_at` and `maximum_at`: a handler for `Mailbox.channel`."""

    how: str
    array: Array
    first: int

    def compile(self, dtype: np.dtype[Any], item_bytes: int) -> _weft.Handler:
        """Returns the handler for items of a dtype with `item_bytes` bytes each."""
        name = f"handlers.{self.how}_at"
        array = in_place(f"{name}: array", self.array)
        if array.ndim != 1:
            raise UsageError(f"{name}: array: its shape is {array.shape}; expected one dimension")
        if array.dtype.kind not in "iuf" or array.dtype.itemsize not in (4, 8) or not array.dtype.isnative:
            raise UsageError(f"{name}: array: its dtype is {array.dtype}; expected integers or floats of 4 or 8 bytes")
        none: Field = (0, "i", 0)
        if dtype.names is None:
            index, value, index_dtype = field_of(dtype), none, dtype
            if self.how != "add":
                raise UsageError(f"{name}: items are {dtype}; expected a structured dtype of an index and a value")
        else:
            if len(dtype.names) != 2:
                raise UsageError(f"{name}: items have {len(dtype.names)} fields; expected an index and a value")
            index_dtype, value_dtype = (dtype[each] for each in dtype.names)
            if value_dtype != array.dtype:
                raise UsageError(f"{name}: values are {value_dtype}, the array has {array.dtype}; expected the same")
            parts = fields_of(dtype)
            index, value = (parts[each] for each in dtype.names)
        if index_dtype.kind not in "iu" or index_dtype.itemsize not in (4, 8) or not index_dtype.isnative:
            raise UsageError(f"{name}: the index is {index_dtype}; expected integers of 4 or 8 bytes")
        return _weft.Handler.update(self.how, as_bytes(array), field_of(array.dtype), index, value, item_bytes, self.first)


def add_at(array: Array, first: int = 0) -> ArrayUpdate:
    """Makes a handler that adds to elements of an array, as `numpy.add.at` does.

    Parameters
    ----------
    array : array, shape (n,)
        The array to update in place, of integers or floats of 4 or 8 bytes.
    first : int
        The index in an item that stands for the first element of the array.

    Returns
    -------
    ArrayUpdate
        A handler. For a channel of integers, the handler computes `array[item - first] += 1`; for a structured dtype of two fields, an
        index and a value, it computes `array[index - first] += value`. If an index is out of range, `drain` raises `UsageError` on all
        ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> counts = np.zeros(10, np.int64)
    >>> with weft.Mailbox() as mail:
    ...     count = mail.channel(np.int32, weft.handlers.add_at(counts))
    ...     count.send(mail.comm.rank, np.array([3, 3, 7], np.int32))
    ...     mail.drain()
    >>> counts[[3, 7]].tolist()
    [2, 1]
    """
    return ArrayUpdate("add", array, first)


def minimum_at(array: Array, first: int = 0) -> ArrayUpdate:
    """Makes a handler that lowers elements of an array: `array[index - first] = min(array[index - first], value)`. All else is the same as for `add_at`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> least = np.full(2, 9.0)
    >>> with weft.Mailbox() as mail:
    ...     channel = mail.channel(np.dtype([("index", "i8"), ("value", "f8")]), weft.handlers.minimum_at(least))
    ...     channel.send(0, np.array([(1, 3.0)], channel.dtype))
    >>> weft.all_reduce(None, least, "min").tolist()
    [9.0, 3.0]
    """
    return ArrayUpdate("minimum", array, first)


def maximum_at(array: Array, first: int = 0) -> ArrayUpdate:
    """Makes a handler that raises elements of an array: `array[index - first] = max(array[index - first], value)`. All else is the same as for `add_at`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> best = np.zeros(4)
    >>> with weft.Mailbox() as mail:
    ...     channel = mail.channel(np.dtype([("index", "i8"), ("value", "f8")]), weft.handlers.maximum_at(best))
    ...     channel.send(0, np.array([(2, 1.5), (2, 0.5)], channel.dtype))
    >>> weft.all_reduce(None, best, "max").tolist()
    [0.0, 0.0, 1.5, 0.0]
    """
    return ArrayUpdate("maximum", array, first)
