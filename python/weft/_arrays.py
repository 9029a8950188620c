"""Converts arrays to bytes, and checks arguments that are arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._errors import UsageError

Array = NDArray[Any]
Bytes = NDArray[np.uint8]

_texts: dict[np.dtype[Any], str] = {}


def plain(name: str, value: Any) -> Array:
    """Returns `value` as a contiguous array without references to Python objects."""
    array = as_array(name, value)
    check_dtype(name, array.dtype)
    return np.ascontiguousarray(array) if array.ndim else array.reshape(1)


def as_array(name: str, value: Any) -> Array:
    """Returns `value` as an array, without a copy if it has the buffer protocol or DLPack."""
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
    """Raises an error if elements are references to Python objects, or have no bytes."""
    if dtype.hasobject:
        raise UsageError(f"{name}: its dtype {dtype} has Python objects; expected numbers or a structured dtype of them")
    if dtype.itemsize == 0:
        raise UsageError(f"{name}: its dtype {dtype} has no bytes")


def as_bytes(array: Array) -> Bytes:
    """Returns the bytes of a contiguous array, without a copy."""
    return array.reshape(-1).view(np.uint8)


def is_scalar(value: Any) -> bool:
    """Returns True for a single number, and False for an array."""
    return np.ndim(value) == 0 and not hasattr(value, "__dlpack__")


def in_place(name: str, value: Any) -> Array:
    """Returns `value` if it is an array that can be written in place: of numpy, or with the buffer protocol or DLPack."""
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


def integers(name: str, value: Any) -> NDArray[Any]:
    """Returns `value` as an array of integers of one dimension, or as an empty array."""
    array = as_array(name, value)
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind not in "iu":
        raise UsageError(f"{name}: its dtype is {array.dtype}; expected integers")
    if array.ndim != 1:
        raise UsageError(f"{name}: its shape is {array.shape}; expected one dimension")
    return array


def as_ranks(name: str, value: Any) -> NDArray[np.int32]:
    """Returns ranks as 32-bit integers. Larger numbers become -1, which is an invalid rank, too."""
    ranks = integers(name, value)
    if ranks.size == 0:
        return np.empty(0, np.int32)
    if ranks.dtype == np.int64:
        made: NDArray[np.int32] = _weft.narrowed(np.ascontiguousarray(ranks))
        return made
    if ranks.dtype.itemsize >= 4 and ranks.dtype != np.int32:
        most = np.iinfo(np.int32).max
        if ranks.max() > most or ranks.min() < -most:
            ranks = np.where((ranks >= 0) & (ranks <= most), ranks, -1)
    return np.ascontiguousarray(ranks, dtype=np.int32)


def kept_ranks(name: str, value: Any) -> NDArray[np.int32]:
    """Returns a copy of the ranks, so the caller may change its array."""
    ranks = as_ranks(name, value)
    if ranks.dtype == getattr(value, "dtype", None) or not isinstance(value, (np.ndarray, list, tuple)):
        kept = _weft.room(ranks.nbytes).view(np.int32)
        kept[:] = ranks
        return kept
    return ranks


def text_of(dtype: np.dtype[Any], trailing: tuple[int, ...] = ()) -> str:
    """Returns the text of a dtype and the shape of an item, which ranks compare."""
    text = _texts.get(dtype)
    if text is None:
        text = _texts[dtype] = _described(dtype)
    return f"{text}{list(trailing)}" if trailing else text


def _described(dtype: np.dtype[Any]) -> str:
    if dtype.fields is None:
        return f"({dtype.base.str}, {dtype.shape})" if dtype.shape else dtype.str
    try:
        return str(dtype.descr)
    except ValueError:  # of fields that overlap, or lie in another order
        fields = [f"{name}: {_described(of[0])} at {of[1]}" for name, of in dtype.fields.items()]
        return f"{{{', '.join(fields)}; {dtype.itemsize} bytes}}"


def split_shape(dtype: Any) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Returns a dtype and the shape of an item: `(float, 3)` is three floats."""
    try:
        made = np.dtype(dtype)
    except Exception as error:
        raise UsageError(f"dtype: {error}") from error
    check_dtype("dtype", made.base)
    return made.base, made.shape


def converted(name: str, value: Any, dtype: np.dtype[Any]) -> Array:
    """Converts `value` to an array of a dtype if no value is lost. Integers must fit or be exact as floats, texts and times must
    stay the same, and structures are converted field by field. Floats may be rounded, but must not become infinite."""
    if isinstance(value, np.ndarray) and value.dtype == dtype and not np.ma.isMaskedArray(value):
        return value
    if dtype.names is not None:
        return _structured(name, value, dtype)
    array = as_array(name, value)
    if array.size == 0:
        return np.empty(array.shape, dtype)
    if not _may_convert(array.dtype, dtype):
        raise UsageError(f"{name}: expected items of {dtype}, not {array.dtype}")
    try:
        with np.errstate(all="ignore"):
            made = array.astype(dtype, casting="unsafe", copy=False)
            lost = _lost(array, made)
    except Exception as error:
        raise UsageError(f"{name}: expected items of {dtype}: {error}") from error
    if lost.any():
        first = array.reshape(-1)[int(np.flatnonzero(lost.reshape(-1))[0])]
        raise UsageError(f"{name}: expected items of {dtype}; {first} is out of range or would be cut")
    return made


def _may_convert(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Returns True if some values of one dtype can be values of another."""
    kinds = {"b": "biufc", "i": "iufc", "u": "iufc", "f": "fc", "c": "c", "S": "SU", "U": "SU", "M": "M", "m": "m", "V": "V"}
    return wanted.kind in kinds.get(given.kind, "") and (given.kind != "V" or given == wanted)


def _lost(array: Array, made: Array) -> NDArray[np.bool_]:
    """Returns True for each value that changes when it is converted."""
    if array.dtype.kind in "iu" and made.dtype.kind in "iu":
        limits = np.iinfo(made.dtype)
        least, most = int(array.min()), int(array.max())
        if limits.min <= least and most <= limits.max:
            return np.zeros(1, bool)
        return np.array([not limits.min <= int(each) <= limits.max for each in array.reshape(-1)]).reshape(array.shape)
    if array.dtype.kind in "iu" and made.dtype.kind in "fc":
        exact = 2 ** (np.finfo(made.dtype).nmant + 1)
        if -exact <= int(array.min()) and int(array.max()) <= exact:
            return np.zeros(1, bool)
        return np.array([int(a) != int(b) for a, b in zip(array.reshape(-1), made.real.reshape(-1))]).reshape(array.shape)
    if array.dtype.kind in "fc":
        return np.asarray(np.isfinite(array) & ~np.isfinite(made))
    back = made.astype(array.dtype)
    same = back == array
    if array.dtype.kind in "mM":
        same |= np.isnat(array) & np.isnat(made)
    return np.asarray(~same)


def _structured(name: str, value: Any, dtype: np.dtype[Any]) -> Array:
    assert dtype.names is not None and dtype.fields is not None
    if isinstance(value, np.ndarray) or hasattr(value, "dtype"):
        array = as_array(name, value)
        if array.size == 0:
            return np.empty(array.shape, dtype)
        if array.dtype.names != dtype.names:
            raise UsageError(f"{name}: expected items of {dtype}, not {array.dtype}")
        shape = array.shape
        columns: list[Any] = [array[each] for each in dtype.names]
    else:
        rows: list[Any] = [value] if isinstance(value, tuple) else list(value)
        rows = [row.item() if isinstance(row, np.void) else row for row in rows]
        if any(not isinstance(row, tuple) or len(row) != len(dtype.names) for row in rows):
            raise UsageError(f"{name}: expected items of {dtype}: tuples of {len(dtype.names)} values")
        shape = () if isinstance(value, tuple) else (len(rows),)
        columns = [[row[at] for row in rows] for at in range(len(dtype.names))]
    made = np.zeros(shape, dtype)
    for each, column in zip(dtype.names, columns):
        of = dtype.fields[each][0]
        part = converted(f"{name}[{each!r}]", column, of.base)
        try:
            made[each] = part.reshape(shape + of.shape)
        except ValueError as error:
            raise UsageError(f"{name}[{each!r}]: {error}") from error
    return made
