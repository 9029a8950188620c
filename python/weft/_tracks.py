"""Objects of a sequence of images, and how they follow each other."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclasses_field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError
from ._labels import components_asked
from ._results import Result
from ._volume_input import VolumeInput

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Tracks(Result):
    """Connected objects in the frames of a sequence, and the links between them: two objects of consecutive frames are linked if they share a pixel.

    Arrays have an element for each object of this rank, whose numbers follow those of the rank before. Other attributes are equal
    on all ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> frames = np.zeros((3, 2, 6), bool)
    >>> frames[0, 0, :2] = frames[1, 0, 1:5] = frames[2, 0, 1] = frames[2, 0, 4] = True  # it grows, then parts
    >>> found = weft.track(frames)
    >>> found.objects, found.links, found.splits, found.merges
    (4, 3, 1, 0)
    """

    numbers: Integers
    """From 1, in the order of first pixels in the whole sequence."""
    frame: Integers
    """In which each lies, from 0."""
    component: Integers
    """Of the sequence as a volume, of which each is a part: its track, from 1."""
    first_frame: Integers
    """Of that component."""
    last_frame: Integers
    """Of that component."""
    sizes: Integers
    """In pixels."""
    centroids: Floats
    """x and y, shape (n, 2)."""
    previous: list[Integers]
    """The numbers of the objects of the frame before that each is linked to."""
    next: list[Integers]
    """Those of the next frame."""
    frames: int
    """Their number."""
    objects: int
    """On all ranks, as what follows."""
    links: int
    """Pairs of linked objects."""
    splits: int
    """Objects linked to several of the next frame."""
    merges: int
    """Objects linked to several of the frame before."""
    births: int
    """Objects linked to none of the frame before, but in the first one."""
    deaths: int
    """Objects linked to none of the next frame, but in the last one."""
    _comm: Any = dataclasses_field(default=None, repr=False)


@on_ranks
def track(volume: Any, threshold: float | None = None, *, below: float | None = None, neighbors: Literal[4, 8] = 4,
          missing: float | None = None, comm: AnyCommunicator = None) -> Tracks:
    """Follows the objects of images from frame to frame.

    Collective. The result does not depend on the number of ranks.

    Parameters
    ----------
    volume : array, shape (frames, ny, nx), or Volume
        The whole volume, the same on all ranks, as in `label`.
    threshold, below, missing
        As in `label`.
    neighbors : {4, 8}
        The number of neighbours of a pixel in its frame.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Tracks

    Raises
    ------
    UsageError
        On all ranks: as `label`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> frames = np.zeros((4, 5, 9))
    >>> for t in range(4): frames[t, 2, t : t + 2] = 7  # it moves to the right
    >>> found = weft.track(frames, 5)
    >>> found.objects, found.links, found.births, found.deaths
    (4, 3, 0, 0)
    """
    with agreed(comm, "track") as call:
        least, most = components_asked(volume, threshold, below)
        given = VolumeInput(call.native, volume, missing, None, (3,))
        if neighbors not in (4, 8) or isinstance(neighbors, bool):
            raise UsageError(f"neighbors: {neighbors!r}; expected 4 or 8")
        call.same(f"at {least} below {most}, {neighbors} neighbors, {given.text}")
    found: Any = _weft.track(call.native, given.native, least, most, 26 if neighbors == 8 else 6)
    rows = found.pop("rows").reshape(-1, 6)
    links: dict[str, Any] = {name: np.split(found.pop(name), found.pop(f"{name}_ends"))[: len(rows)] for name in ("previous", "next")}
    names = "numbers", "frame", "component", "first_frame", "last_frame", "sizes"
    columns: dict[str, Any] = {name: rows[:, at].copy() for at, name in enumerate(names)}
    return Tracks(**columns, **links, centroids=found.pop("centroids").reshape(-1, 2), _comm=call.native, **found)
