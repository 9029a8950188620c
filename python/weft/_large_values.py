"""Large values: bytes are sent from one array into another, without a copy, into memory that later calls use again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._values import joined

Bytes = NDArray[np.uint8]

# From this size on, the copies that are saved cost more than a second message.
LARGE = 1 << 18
_NOTHING = np.empty(0, np.uint8)


def _begin(native: _weft.Communicator, what: str, to: list[int], raw: Bytes) -> _weft.OpenExchange:
    """Begins to send bytes to some ranks. The bytes must not change until they have been received."""
    return _weft.begin_pieces(native, to, [raw] * len(to), [], what, 1, None, True, None)


def room_for(raw: Bytes) -> Bytes | None:
    """Returns memory for the copy on the root, before messages are under way, so an error can still be raised on all ranks. None
    for a small value."""
    return _weft.room(len(raw)) if len(raw) >= LARGE else None


def broadcast_large(native: _weft.Communicator, raw: Bytes | None, own: Bytes | None, ending: bytes | None, root: int) -> Any:
    """Returns the value of the root on all ranks, sent along a binomial tree of ranks. Collective."""
    described = _weft.broadcast_bytes(native, None if ending is None else np.frombuffer(ending, np.uint8), b"", root)
    here = raw
    from_root = (native.rank - root) % native.size
    reached = 1
    while reached < native.size:
        sends = here is not None and from_root + reached < native.size
        began = _begin(native, "a broadcast value", [(native.rank + reached) % native.size] if sends else [],
                       here if sends and here is not None else _NOTHING)
        if raw is not None and own is not None and reached == 1:  # while the others take theirs
            _weft.copy_large(own, raw)
        received = began.get()
        if reached <= from_root < 2 * reached:
            here = received.view(0)
        reached *= 2
    if raw is not None and own is not None:
        if native.size == 1:
            _weft.copy_large(own, raw)
        here = own
    assert here is not None
    return joined(here, described.tobytes())


def gather_large(native: _weft.Communicator, raw: Bytes, ending: bytes, root: int) -> list[Any] | None:
    """Returns the values of all ranks on the root. Collective."""
    described = _weft.begin_pieces(native, [root], [np.frombuffer(ending, np.uint8)], [], "kinds of gathered values", 1, None, False, None)
    rows = _weft.gather_rows(native, raw, root)
    endings = described.get()
    if native.rank != root:
        return None
    return [joined(row, endings.view(source).tobytes()) for source, row in enumerate(rows)]
