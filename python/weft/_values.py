"""Values of any type as bytes: arrays are sent as they are, and other objects are pickled."""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_bytes

_ARRAY, _PICKLED = b"A", b"P"


# A program has few kinds of arrays, and pickling one takes longer than a small message.
@lru_cache(maxsize=256)
def _ending_of(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    kind = pickle.dumps((dtype, shape), protocol=4)
    return kind + len(kind).to_bytes(4, "little") + _ARRAY


@lru_cache(maxsize=256)
def _kind_of(ending: bytes) -> tuple[np.dtype[Any], tuple[int, ...]]:
    dtype, shape = pickle.loads(ending[:-5])
    return dtype, shape


def encoded(value: Any) -> tuple[NDArray[np.uint8], bytes]:
    """Returns the bytes of a value (of an array without a copy), and the bytes that describe its type."""
    if type(value) is np.ndarray and not value.dtype.hasobject and value.dtype.itemsize > 0:
        return as_bytes(np.ascontiguousarray(value)), _ending_of(value.dtype, value.shape)
    return np.frombuffer(pickle.dumps(value, protocol=5), np.uint8), _PICKLED


def decoded(raw: NDArray[np.uint8]) -> Any:
    """Returns the value of some bytes; an array is a view of them."""
    if raw[-1:].tobytes() == _PICKLED:
        return joined(raw[:-1], _PICKLED)
    length = int.from_bytes(raw[-5:-1].tobytes(), "little") + 5
    return joined(raw[:-length], raw[-length:].tobytes())


def joined(raw: NDArray[np.uint8], ending: bytes) -> Any:
    """Returns the value from its bytes and the bytes of its description."""
    if ending == _PICKLED:
        return pickle.loads(raw.data)
    dtype, shape = _kind_of(ending)
    return raw.view(dtype).reshape(shape) if raw.size else np.empty(shape, dtype)
