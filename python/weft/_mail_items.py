"""The items of a mailbox as bytes: the size of a dtype on the wire, and the fields that are combined before they are sent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ._arguments import text
from ._arrays import Array, Bytes, as_bytes, check_dtype, converted
from ._errors import UsageError
from .handlers import fields_of

ITEM_SIZES = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256)
COMBINED_SIZES = (8, 16, 24, 32)
SERVICE_SIZES = (8, 16, 32)


class Wire:
    """The form in which items of a dtype are sent: as they are, or padded to a size for which there is compiled code."""

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
        """Returns the bytes of items, converted to the dtype if no value is lost."""
        flat = np.ascontiguousarray(converted(name, items, self.dtype)).reshape(-1)
        if self._filled is None:
            return as_bytes(flat)
        filled = np.zeros(len(flat), self._filled)
        filled["item"] = flat
        return as_bytes(filled)

    def view(self, raw: Any) -> Array:
        """Returns received bytes as items."""
        if self._filled is None:
            return np.frombuffer(raw, self.dtype)
        return np.frombuffer(raw, self._filled)["item"]


def combined_fields(dtype: np.dtype[Any], combine: str, key: str | None) -> tuple[list[tuple[int, str, int]],
                                                                                  tuple[int, str, int]]:
    """Returns the fields that an operator combines and the key, in the form of the C++ extension."""
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
