"""Objects in a sequence of images, followed from frame to frame."""

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

    Attributes that are arrays have an element for each object of this rank. The numbers of objects ascend from rank to rank. Other
    attributes are equal on all ranks.

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
    """The number of each object, from 1, in the order of the first pixels of objects in the whole sequence."""
    frame: Integers
    """The frame of each object, from 0."""
    component: Integers
    """The track of each object, from 1: the connected component of the whole sequence, as a volume, to which the object belongs."""
    first_frame: Integers
    """The first frame of the track of each object."""
    last_frame: Integers
    """The last frame of the track of each object."""
    sizes: Integers
    """The size of each object in pixels."""
    centroids: Floats
    """The centroid of each object, as x and y; shape (n, 2)."""
    previous: list[Integers]
    """For each object the numbers of the objects in the frame before to which it is linked."""
    next: list[Integers]
    """For each object the numbers of the objects in the next frame to which it is linked."""
    frames: int
    """The number of frames."""
    objects: int
    """The number of objects of all ranks."""
    links: int
    """The number of pairs of linked objects."""
    splits: int
    """The number of objects that are linked to several objects of the next frame."""
    merges: int
    """The number of objects that are linked to several objects of the frame before."""
    births: int
    """The number of objects, except in the first frame, that are linked to no object of the frame before."""
    deaths: int
    """The number of objects, except in the last frame, that are linked to no object of the next frame."""
    _comm: Any = dataclasses_field(default=None, repr=False)


@on_ranks
def track(volume: Any, threshold: float | None = None, *, below: float | None = None, neighbors: Literal[4, 8] = 4,
          missing: float | None = None, comm: AnyCommunicator = None) -> Tracks:
    """Finds the connected objects in a sequence of images, and follows them from frame to frame.

    Collective. The result does not depend on the number of ranks.

    Parameters
    ----------
    volume : array, shape (frames, ny, nx), or Volume
        The whole volume, the same on all ranks, as in `label`.
    threshold, below, missing
        As in `label`.
    neighbors : {4, 8}
        The number of neighbours of a pixel in its frame: 4 with a common edge, or 8 with a common edge or corner.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Tracks

    Raises
    ------
    UsageError
        On all ranks: in the cases in which `label` raises UsageError.

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
