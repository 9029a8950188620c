"""Large values: their bytes go from one array straight into another one, behind a small header."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arrays import as_bytes
from ._communicator import agreed
from ._values import decoded, joined

# From this size on, the copies that are saved cost more than making a plan.
LARGE = 1 << 18


def broadcast_large(native: _weft.Communicator, call: str, header: NDArray[np.uint8], raw: NDArray[np.uint8] | None, root: int) -> Any:
    """The value of the root on all ranks, by a binomial tree of ranks. Collective."""
    size, ending = pickle.loads(header.data)
    with agreed(native, call):
        made = np.empty(size + len(ending), np.uint8)
        made[size:] = np.frombuffer(ending, np.uint8)
    from_root = (native.rank - root) % native.size
    into = made[:size]
    here = into if raw is None else as_bytes(raw)
    nothing = np.empty(0, np.uint8)
    reached = 1
    while reached < native.size:
        sends = from_root < reached and from_root + reached < native.size
        receives = reached <= from_root < 2 * reached
        plan = _weft.ExchangePlan(native, [(native.rank + reached) % native.size] if sends else [], [1] if sends else [])
        plan.run(here if sends else nothing, into if receives else nothing, size)
        reached *= 2
    if raw is not None:  # while the others have theirs already
        into[:] = raw
    return decoded(made)


def gather_large(native: _weft.Communicator, call: str, raw: NDArray[np.uint8], ending: bytes, root: int) -> list[Any] | None:
    """The values of all ranks on the root. Collective."""
    endings = _weft.begin_pieces(native, [root], [np.frombuffer(ending, np.uint8)], [], "kinds of gathered values", 1, None, True, None).get()
    plan = _weft.ExchangePlan(native, [root], [len(raw)])
    offsets = plan.incoming_offsets
    with agreed(native, call):
        made = np.empty(int(offsets[-1]), np.uint8)
    plan.run(as_bytes(raw), made, 1)
    if native.rank != root:
        return None
    # A rank without bytes is no source of the plan.
    bounds = dict(zip(plan.sources.tolist(), zip(offsets[:-1].tolist(), offsets[1:].tolist())))
    return [joined(made[slice(*bounds.get(source, (0, 0)))], endings.view(source).tobytes()) for source in range(native.size)]
