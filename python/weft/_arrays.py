"""Arrays as bytes, and what arguments are checked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import UsageError

Array = NDArray[Any]
Bytes = NDArray[np.uint8]

_texts: dict[np.dtype[Any], str] = {}


def plain(name: str, value: Any) -> Array:
    """`value` as a contiguous array whose elements are nothing but bytes."""
    array = as_array(name, value)
    check_dtype(name, array.dtype)
    return np.ascontiguousarray(array) if array.ndim else array.reshape(1)


def as_array(name: str, value: Any) -> Array:
    """`value` as an array, where it is if it has the buffer protocol or DLPack."""
    if np.ma.is_masked(value):
        raise UsageError(f"{name}: it has masked elements, and their values would be used; fill them first, as by .filled(...)")
    try:
        if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray) and not hasattr(value, "__array__"):
            made: Array = np.from_dlpack(value)
            return made
        return np.asarray(value)
    except Exception as error:
        raise UsageError(f"{name}: it is no array: {error}") from error


def check_dtype(name: str, dtype: np.dtype[Any]) -> None:
    """Refuses elements that are references, or that have no bytes."""
    if dtype.hasobject:
        raise UsageError(f"{name}: its dtype {dtype} has Python objects; expected numbers or a structured dtype of them")
    if dtype.itemsize == 0:
        raise UsageError(f"{name}: its dtype {dtype} has no bytes")


def as_bytes(array: Array) -> Bytes:
    """The bytes of a contiguous array, in place."""
    return array.reshape(-1).view(np.uint8)


def is_scalar(value: Any) -> bool:
    """Whether there is one number rather than an array."""
    return np.ndim(value) == 0 and not hasattr(value, "__dlpack__")


def in_place(name: str, value: Any) -> Array:
    """`value`, if it is an array that can be written to where it is: of numpy, by the buffer protocol, or by DLPack."""
    if not isinstance(value, np.ndarray):
        if not (hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__") or _has_buffer(value)):
            raise UsageError(f"{name}: expected an array to write to, not {type(value).__name__}")
    array = as_array(name, value)
    check_dtype(name, array.dtype)
    if not array.flags.c_contiguous:
        raise UsageError(f"{name}: it is not contiguous, and is written to in place")
    if not array.flags.writeable:
        raise UsageError(f"{name}: it is read-only, and is written to")
    return array


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def as_ranks(name: str, value: Any) -> NDArray[np.int32]:
    """Ranks as 32-bit integers. Those beyond become -1, which is no rank either."""
    ranks = as_array(name, value)
    if ranks.size == 0:
        return np.empty(0, np.int32)
    if ranks.dtype.kind not in "iu":
        raise UsageError(f"{name}: its dtype is {ranks.dtype}; expected integers")
    if ranks.ndim != 1:
        raise UsageError(f"{name}: its shape is {ranks.shape}; expected one dimension")
    if ranks.dtype.itemsize >= 4 and ranks.dtype != np.int32:
        most = np.iinfo(np.int32).max
        if ranks.max() > most or ranks.min() < -most:
            ranks = np.where((ranks >= 0) & (ranks <= most), ranks, -1)
    return np.ascontiguousarray(ranks, dtype=np.int32)


def text_of(dtype: np.dtype[Any], trailing: tuple[int, ...] = ()) -> str:
    """What ranks compare: a dtype, and the shape of an item."""
    text = _texts.get(dtype)
    if text is None:
        text = _texts[dtype] = str(dtype.descr) if dtype.names else dtype.str
    return f"{text}{list(trailing)}" if trailing else text


def split_shape(dtype: Any) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """A dtype and the shape of an item: `(float, 3)` is three floats."""
    made = np.dtype(dtype)
    return made.base, made.shape
