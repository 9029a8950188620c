"""Particles in fields of velocities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import flag, lengths, number, numbers, whole
from ._arrays import converted
from ._collective import all_gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError
from ._exchange import exchange
from ._progress import Phases, Progress
from ._volume_files import Volume
from ._volume_input import native_volume, numbers_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Traces:
    """The paths of particles. Attributes that are arrays have an element for each seed that this rank passed, in the same order.

    Examples
    --------
    >>> import numpy as np, weft
    >>> field = np.ones((4, 4, 4, 3))
    >>> found = weft.trace(field, [[0.0, 0, 0]], step=0.5, max_steps=2, lines=True)
    >>> found.ends.round(9).tolist(), found.lines[0].shape
    ([[1.0, 1.0, 1.0]], (3, 4))
    """

    ends: Floats
    """The last point of each path, as x, y and z; shape (n, 3)."""
    steps: Integers
    """The number of steps of each particle."""
    inside: NDArray[np.bool_]
    """For each particle: False if the particle has left the field or began outside, otherwise True."""
    lengths: Floats
    """The length of each path."""
    lines: list[NDArray[np.float32]]
    """With `lines=True`, for each particle an array of x, y, z and speed at the points of its path, shape (points, 4); empty for a path of
    a single point."""


@on_ranks
def trace(field: Any, seeds: Any, *, spacing: float | Sequence[float] | None = None, origin: Sequence[float] | None = None,
          times: float | Sequence[float] = (0.0,),
          adaptive: bool = False, step: float | None = None, max_steps: int = 1000, duration: float | None = None,
          tolerance: float = 1e-6, backward: bool = False, lines: bool = False, blocks: int = 4,
          progress: Progress | None = None, comm: AnyCommunicator = None) -> Traces:
    """Traces particles through a field of velocities.

    Collective. The results are the same to the last bit at any number of ranks.

    Parameters
    ----------
    field : array, shape ([steps,] nz, ny, nx, 3), Volume, or list of Volume
        The velocity along x, y and z at each point. Each rank passes the whole field, as for `label`. A field with steps in time needs
        `times`; a field of several files is a list of `Volume` objects, one for each step.
    seeds : array, shape (n, 3)
        The points x, y and z at which the particles of this rank begin; a rank may pass an empty array.
    spacing : float or sequence of float, optional
        The distance between the points of an array along x, y and z, or one number for all three axes. The default is 1.
    origin : sequence of float, optional
        The position x, y, z of the first point of an array; the default is 0, 0, 0. Files contain their spacing and origin.
    times : float or sequence of float
        The times of the steps of the field, ascending.
    adaptive : bool
        True for the method of Dormand and Prince of order 5, False for the classical Runge-Kutta method of order 4.
    step : float, optional
        The length of a step in time, or of the first step if `adaptive` is True. The default is the time in which the greatest speed of the
        field crosses half a cell.
    max_steps : int
        The greatest number of steps of a particle.
    duration : float, optional
        If `adaptive` is True: the time after which the path of a particle ends.
    tolerance : float
        If `adaptive` is True: the greatest error of a step, divided by the length of the diagonal of the field.
    backward : bool
        True to follow paths against the flow, back in time.
    lines : bool
        True to return all points of the paths as lines.
    blocks : int
        The number of blocks for each rank, when the field is divided into blocks.
    progress : function of (done, all), or bar of tqdm, optional
        Called after each phase: reading the field, tracing, returning the results to the ranks that gave the seeds. Any rank may pass a
        function. If the function raises an exception, all ranks raise an exception at the end of the call.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Traces

    Raises
    ------
    UsageError
        On all ranks: arrays of wrong shapes, options out of range, or arguments that differ between ranks, except for `seeds`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> field = np.zeros((4, 4, 11, 3))
    >>> field[..., 0] = 1.0  # along x
    >>> found = weft.trace(field, [[0.0, 1.0, 2.0]], step=0.5, max_steps=10)
    >>> found.ends.round(9).tolist(), found.steps.tolist()
    ([[5.0, 1.0, 2.0]], [10])
    """
    with agreed(comm, "trace") as call:
        instants = [number("times", times)] if np.ndim(times) == 0 else numbers("times", times)
        given, about = _field(field, spacing, origin, instants)
        places = np.ascontiguousarray(converted("seeds", seeds, np.dtype(np.float64)))
        if places.size == 0:
            places = places.reshape(0, 3)
        if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
            raise UsageError(f"seeds: of shape {places.shape}; expected finite numbers of shape (n, 3)")
        path = _weft.Path()
        path.adaptive, path.backward = flag("adaptive", adaptive), flag("backward", backward)
        path.lines = flag("lines", lines)
        path.step = 0.0 if step is None else number("step", step, above=0)
        path.duration = np.inf if duration is None else number("duration", duration, above=0)
        path.tolerance = number("tolerance", tolerance, above=0)
        path.max_steps, path.blocks = whole("max_steps", max_steps, 0, 2**62), whole("blocks", blocks, 1, 2**31 - 1)
        told = Phases(call, progress, 3)
        call.same(f"{[path.adaptive, path.backward, path.lines, path.step, path.duration, path.tolerance, path.max_steps, path.blocks]}, "
                  f"times {instants}, {about}")
    native = call.native
    bounds = np.cumsum([0, *all_gather(comm, len(places))])
    found: Any = _weft.trace(native, given, instants, places, int(bounds[native.rank]), path, told.tell)
    traces = _brought_home(comm, native.rank, bounds, found, path.lines)
    told.end()
    return traces


def _field(field: Any, spacing: Any, origin: Any, times: list[float]) -> tuple[_weft.Volume, str]:
    files = [field] if isinstance(field, Volume) else field
    if isinstance(files, (list, tuple)) and files and all(isinstance(each, Volume) for each in files):
        if spacing is not None or origin is not None:
            raise UsageError(f"{'origin' if spacing is None else 'spacing'}: the file says where its values lie; leave it out")
        _check_times(times, len(files))
        return _weft.Volume.of_files([each._native for each in files], None), f"of the files {[each.path for each in files]}"
    between = lengths("spacing", 1.0 if spacing is None else spacing, 3)
    first = numbers("origin", (0.0, 0.0, 0.0) if origin is None else origin, 3, what="coordinates")
    array = numbers_of("field", field, (4, 5))
    if array.shape[-1] != 3:
        raise UsageError(f"field: its shape is {array.shape}; expected three values a point")
    if array.dtype.kind != "f":
        array = array.astype(np.float64)
    steps = array if array.ndim == 5 else array[None]
    _check_times(times, len(steps))
    points = [*steps.shape[3:0:-1]]
    axes = [[at + each * i for i in range(n)] for at, each, n in zip(first, between, points)]
    about = f"spacing {between}, origin {first}, of {array.dtype.newbyteorder('=')} of shape {array.shape}"
    return native_volume(list(steps), 3, axes, None), about


def _check_times(times: list[float], steps: int) -> None:
    if len(times) != steps or (np.diff(times) <= 0).any():
        raise UsageError(f"times: {times}; expected {steps} ascending numbers, one a step")


def _brought_home(comm: AnyCommunicator, rank: int, bounds: Integers, found: Any, wanted: bool) -> Traces:
    """Sends the end and the line of each particle to the rank that gave its seed."""
    count = int(bounds[rank + 1] - bounds[rank])
    record = np.zeros(len(found["ids"]), [("id", "i8"), ("steps", "i8"), ("inside", "i8"), ("length", "f8"), ("place", "f8", 3)])
    record["id"], record["steps"], record["inside"] = found["ids"], found["steps"], found["inside"]
    record["length"], record["place"] = found["lengths"], found["places"].reshape(-1, 3)
    ends = np.zeros(count, record.dtype)
    back = exchange(comm, np.searchsorted(bounds, record["id"], side="right") - 1, record).array
    ends[back["id"] - bounds[rank]] = back

    seeds = np.repeat(found["line_seeds"], np.diff(found["line_ends"], prepend=0))
    drawn = np.zeros(len(seeds), [("id", "i8"), ("point", "f4", 4)])
    drawn["id"], drawn["point"] = seeds, found["line_points"].reshape(-1, 4)
    points = exchange(comm, np.searchsorted(bounds, seeds, side="right") - 1, drawn).array
    points = points[np.argsort(points["id"], kind="stable")]
    cuts = np.searchsorted(points["id"], np.arange(bounds[rank] + 1, bounds[rank + 1]))
    lines = np.split(np.ascontiguousarray(points["point"]), cuts) if count and wanted else []
    return Traces(ends["place"].copy(), ends["steps"].copy(), ends["inside"] == 1, ends["length"].copy(), lines)
