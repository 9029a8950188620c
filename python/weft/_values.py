"""Values of any kind as bytes: an array as its own, everything else pickled."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_bytes

_ARRAY, _PICKLED = b"A", b"P"
LARGE_MARK = b"L"  # of the header of a value that follows


def encoded(value: Any) -> tuple[NDArray[np.uint8], bytes]:
    """The bytes of a value, of an array where they are, and the ones behind them that say what it is."""
    if type(value) is np.ndarray and not value.dtype.hasobject and value.dtype.itemsize > 0:
        kind = pickle.dumps((value.dtype, value.shape), protocol=4)
        return as_bytes(np.ascontiguousarray(value)), kind + len(kind).to_bytes(4, "little") + _ARRAY
    return np.frombuffer(pickle.dumps(value, protocol=5), np.uint8), _PICKLED


def decoded(raw: NDArray[np.uint8]) -> Any:
    """The value again; an array lies in these bytes."""
    if raw[-1:].tobytes() == _PICKLED:
        return joined(raw[:-1], _PICKLED)
    length = int.from_bytes(raw[-5:-1].tobytes(), "little") + 5
    return joined(raw[:-length], raw[-length:].tobytes())


def joined(raw: NDArray[np.uint8], ending: bytes) -> Any:
    """The same from the two parts."""
    if ending == _PICKLED:
        return pickle.loads(raw.data)
    dtype, shape = pickle.loads(ending[:-5])
    return raw.view(dtype).reshape(shape) if raw.size else np.empty(shape, dtype)
