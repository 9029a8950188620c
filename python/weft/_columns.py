"""Columns of pandas and Arrow as arrays, without loss."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Array
from ._errors import UsageError

Hashes = NDArray[np.uint64]


def without_missing(name: str, value: Any) -> Any:
    """Returns the column, if it is one of pandas or Arrow, and raises an error if it has missing values, which arrays of numpy
    cannot keep."""
    if isinstance(value, (np.ndarray, list, tuple)):
        return value
    missing = 0
    if "pyarrow" in sys.modules and isinstance(value, (sys.modules["pyarrow"].Array, sys.modules["pyarrow"].ChunkedArray)):
        missing = value.null_count
    elif "pandas" in sys.modules and hasattr(value, "isna") and not isinstance(getattr(value, "dtype", None), np.dtype):
        missing = int(value.isna().sum())
    if missing:
        raise UsageError(f"{name}: {missing} of {len(value)} values are missing; leave them out or fill them first")
    return value


def _of_texts(texts: Iterable[str | bytes]) -> Hashes:
    return np.fromiter((zlib.crc32(each if isinstance(each, bytes) else each.encode("utf-8", "surrogatepass")) for each in texts), np.uint64)


def _of_array(column: Array) -> Hashes:
    """Returns a number for each value; equal values have equal ones on all ranks."""
    if column.dtype.kind in "USTO":
        return _of_texts(column.tolist())
    if column.dtype.kind == "f":
        wide = column.astype(np.float64) + 0.0  # -0.0 is 0.0
        wide[np.isnan(wide)] = np.nan  # of one pattern of bits
        return wide.view(np.uint64)
    return column.view(np.int64).astype(np.uint64) if column.dtype.kind in "mM" else column.astype(np.uint64)


def _of_pandas(column: Any) -> Hashes:
    types = sys.modules["pandas"].api.types
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufmM":
        return _of_array(column.to_numpy())
    if types.is_bool_dtype(column.dtype) or types.is_integer_dtype(column.dtype):
        unsigned = "uint" in str(column.dtype)
        return np.asarray(column.to_numpy(np.uint64 if unsigned else np.int64, na_value=0)).astype(np.uint64)
    if types.is_float_dtype(column.dtype):
        return _of_array(column.to_numpy(np.float64, na_value=np.nan))
    return _of_texts("" if missing else str(each) for each, missing in zip(column, column.isna()))


def _of_arrow(column: Any) -> Hashes:
    arrow = sys.modules["pyarrow"]
    of = column.type
    if arrow.types.is_integer(of) or arrow.types.is_boolean(of):
        return np.asarray(column.fill_null(0)).astype(np.uint64)
    if arrow.types.is_floating(of):
        return _of_array(np.asarray(column.fill_null(np.nan)))
    return _of_texts("" if each is None else str(each) for each in column.to_pylist())


def owners_of_rows(keys: list[Any], rows: int, ranks: int) -> NDArray[np.int64]:
    """Returns a rank for each row of columns of keys: the same for equal keys, whichever rank has them."""
    mixed = np.zeros(rows, np.uint64)
    for key in keys:
        if isinstance(key, np.ndarray):
            of = _of_array(key)
        elif "pandas" in sys.modules and isinstance(key, sys.modules["pandas"].Series):
            of = _of_pandas(key)
        else:
            of = _of_arrow(key)
        mixed = (mixed ^ of) * np.uint64(0xFF51AFD7ED558CCD)
        mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
        mixed ^= mixed >> np.uint64(29)
    return ((mixed >> np.uint64(32)) * np.uint64(ranks) >> np.uint64(32)).astype(np.int64)
