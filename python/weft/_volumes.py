"""What the command does with volumes and fields, on arrays."""
# In one file: calls that share how arrays and files are described; half of the lines are docstrings.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as dataclasses_field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arrays import Array, as_array, as_bytes
from ._collective import all_gather, gather
from ._communicator import AnyCommunicator, as_communicator
from ._errors import UsageError
from ._exchange import exchange

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Labels:
    """Connected components of a volume. The labels of its layers lie on the ranks in order; the rest is equal on all."""

    labels: Array
    """Of the layers of this rank: from 1 in the order of first voxels, 0 for background."""
    offsets: Integers
    """Rank r has the layers from `offsets[r]` up to `offsets[r + 1]`."""
    components: int
    foreground: int
    """Voxels."""
    largest: list[int]
    """The sizes of the largest ten, descending."""
    _comm: Any = dataclasses_field(default=None, repr=False)

    def gather(self) -> Array | None:
        """Returns the labels of the whole volume on rank 0; None elsewhere. Collective."""
        parts = gather(self._comm, self.labels)
        return None if parts is None else np.concatenate(parts)


@dataclass(frozen=True)
class Histogram:
    """The values of a volume in bins; equal on all ranks."""

    counts: Integers
    edges: Floats
    """One more than there are bins."""
    finite: int
    missing: int
    """NaN, or the value that stands for none."""
    infinite: int
    below: int
    """Less than all bins."""
    above: int
    minimum: float
    maximum: float
    mean: float
    entropy: float
    """Of the shares of the bins, in bits."""
    quantiles: Floats
    """Exact."""


@dataclass(frozen=True)
class Traces:
    """Where particles have gone. Arrays are of the seeds that this rank gave, in their order."""

    ends: Floats
    """Shape (n, 3)."""
    steps: Integers
    inside: NDArray[np.bool_]
    """False for a particle that left the field, or began outside."""
    lengths: Floats
    """Of their paths."""
    lines: list[NDArray[np.float32]]
    """With `lines=True`: x, y, z and speed at the points of each, shape (points, 4); empty where there is one point."""


def _numbers(name: str, value: Any, dimensions: tuple[int, ...]) -> Array:
    """An array of numbers as volumes take them, in place where it can be; masked real numbers are NaN, which is missing."""
    if np.ma.is_masked(value):
        if value.dtype.kind != "f":
            raise UsageError(f"{name}: it has masked integers; fill them with one that `missing` names, as by .filled(-1)")
        value = value.filled(np.nan)
    array = as_array(name, value)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8 or array.dtype == np.float16:
        raise UsageError(f"{name}: its dtype is {array.dtype}; expected integers, float32 or float64")
    if array.ndim not in dimensions:
        raise UsageError(f"{name}: its shape is {array.shape}; expected {' or '.join(map(str, dimensions))} dimensions")
    if 0 in array.shape:
        raise UsageError(f"{name}: its shape is {array.shape}; there are no values")
    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))


def _volume(value: Any, missing: float | None, spacing: Sequence[float] = ()) -> tuple[_weft.Volume, Array]:
    array = _numbers("volume", value, (1, 2, 3))
    points = [*array.shape[::-1], 1, 1][:3]
    if spacing and (len(spacing) != array.ndim or not all(0 < each < np.inf for each in spacing)):
        raise UsageError(f"spacing: {spacing!r}; expected {array.ndim} lengths")
    axes = [[each * i for i in range(n)] for each, n in zip(tuple(spacing)[::-1], array.shape[::-1])]
    return _weft.Volume([as_bytes(array)], array.dtype.name, points, 1, [*axes, [], [], []][:3],
                        None if missing is None else float(missing)), array


def _agree(native: _weft.Communicator, call: str, array: Array | None, failure: BaseException | None) -> None:
    what = "" if array is None else f" of {array.dtype} of shape {array.shape}"
    native.agree_same(call + what, failure)


def label(volume: Any, threshold: float | None = None, *, below: float | None = None, neighbors: int = 6,
          missing: float | None = None, comm: AnyCommunicator = None) -> Labels:
    """Labels the connected components of a volume, an image or a row of values.

    Parameters
    ----------
    volume : array, shape ([[nz,] ny,] nx)
        The whole, the same on all ranks. A rank reads its own layers alone, so `numpy.load(file, mmap_mode="r")` and
        `numpy.memmap` take no memory for the others.
    threshold : float, optional
        Values of at least this are foreground; one of `threshold` and `below` is needed. NaN never is.
    below : float, optional
        Values of less than this.
    neighbors : {6, 26}
        Of a voxel: those that share a face, or also an edge or a corner (of a pixel: 4 or 8).
    missing : float, optional
        The value that stands for none.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Labels

    Raises
    ------
    UsageError
        On all ranks: no such volume or option; arguments that differ.

    Notes
    -----
    Collective: yes. The labels do not depend on the number of ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.label(np.array([[5, 0, 5], [5, 0, 0], [0, 0, 5]]), 1)
    >>> found.components, found.largest
    (3, [2, 1, 1])
    """
    native = as_communicator(comm)
    failure: BaseException | None = None
    array: Array | None = None
    made: Any = None
    try:
        if threshold is None and below is None:
            raise UsageError("threshold: give it, or below")
        for name, value in (("threshold", threshold), ("below", below), ("missing", missing)):
            if value is not None and not np.isfinite(value):
                raise UsageError(f"{name}: {value!r} is not finite")
        if threshold is not None and below is not None and not threshold < below:
            raise UsageError(f"below: {below} is not more than threshold, {threshold}")
        if neighbors not in (6, 26):
            raise UsageError(f"neighbors: {neighbors!r}; expected 6 or 26")
        made, array = _volume(volume, missing)
    except Exception as error:
        failure = error
    _agree(native, f"label at {threshold} below {below}, missing {missing}, {neighbors} neighbors", array, failure)
    assert array is not None
    found = _weft.label(native, made, array.ndim - 1, float("-inf") if threshold is None else float(threshold),
                        None if below is None else float(below), neighbors == 26)
    labels: Any = found.pop("labels")
    return Labels(labels=labels.reshape(-1, *array.shape[1:]), _comm=comm, **found)


def histogram(volume: Any, bins: int = 64, *, range: tuple[float, float] | None = None, quantiles: Sequence[float] = (),
              missing: float | None = None, comm: AnyCommunicator = None) -> Histogram:
    """Counts the values of a volume in bins.

    Parameters
    ----------
    volume, missing, comm
        As in `label`.
    bins : int
    range : (float, float), optional
        Of the bins; without it, from the least value to the greatest.
    quantiles : sequence of float
        Which to find, each in 0..1.

    Raises
    ------
    UsageError
        On all ranks: as `label`; bins, a range or quantiles that cannot be.

    Notes
    -----
    Collective: yes. The results are the same to the last bit at any number of ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.histogram(np.arange(100.0).reshape(4, 5, 5), 4, quantiles=[0.5])
    >>> found.counts.tolist(), found.quantiles.tolist(), found.mean
    ([25, 25, 25, 25], [49.5], 49.5)
    """
    native = as_communicator(comm)
    failure: BaseException | None = None
    array: Array | None = None
    made: Any = None
    shares, limits = list[float](), None
    try:
        if not isinstance(bins, (int, np.integer)) or bins < 1:
            raise UsageError(f"bins: {bins!r}; expected a number of bins")
        shares = [float(each) for each in quantiles]
        if range is not None:
            limits = float(range[0]), float(range[1])
        made, array = _volume(volume, missing)
    except Exception as error:
        failure = error if isinstance(error, UsageError) else UsageError(f"range, quantiles: {error}")
    _agree(native, f"histogram in {bins} bins, range {limits}, quantiles {shares}, missing {missing}", array, failure)
    found = _weft.histogram(native, made, int(bins), limits, shares)
    return Histogram(**found)


def render(volume: Any, view: str = "30,20", *, preset: str = "grey", opacity: float = 1.0, maximum: bool = False,
           shaded: bool = False, perspective: bool = False, zoom: float = 1.0, width: int = 0, height: int = 0,
           range: tuple[float, float] | None = None, spacing: Sequence[float] = (), missing: float | None = None,
           comm: AnyCommunicator = None) -> NDArray[np.float32] | None:
    """Draws a volume by casting rays through it.

    Parameters
    ----------
    volume, missing, comm
        As in `label`; of three dimensions.
    view : str
        `x`, `y`, `z`, `-x`, `-y`, `-z`, or azimuth and elevation in degrees, as `"30,20"`.
    preset : {"grey", "tissue", "heat"}
        Colour and opacity of values.
    opacity : float
        Times that of the preset, 0..1.
    maximum : bool
        The greatest value along each ray in place of light.
    shaded : bool
        Lit from the eye.
    perspective : bool
    zoom : float
    width, height : int
        Of the picture; 0: chosen.
    range : (float, float), optional
        The values that are seen as 0 and 1; without it, the least and the greatest.
    spacing : sequence of float, optional
        Between layers, rows and columns.

    Returns
    -------
    array of float32, shape (height, width, 4), or None
        On rank 0: red, green and blue, dimmed by the opacity, and the opacity. Of `maximum`: the value, from 0 to 1, in all
        three. None elsewhere.

    Raises
    ------
    UsageError
        On all ranks: as `label`; a view or a preset that is none.

    Notes
    -----
    Collective: yes. The picture is the same to the last bit at any number of ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> picture = weft.render(np.random.default_rng(0).random((8, 8, 8)), width=32, height=24)
    >>> comm.rank != 0 or picture.shape == (24, 32, 4)
    True
    """
    native = as_communicator(comm)
    failure: BaseException | None = None
    array: Array | None = None
    made: Any = None
    given = _weft.Picture()
    try:
        made, array = _volume(volume, missing, spacing)
        if array.ndim != 3:
            raise UsageError(f"volume: its shape is {array.shape}; expected 3 dimensions")
        wanted = dict(view=view, preset=preset, opacity=opacity, perspective=bool(perspective), maximum=bool(maximum),
                      shaded=bool(shaded), zoom=zoom, width=width, height=height,
                      range=None if range is None else (float(range[0]), float(range[1])))
        for name, value in wanted.items():
            try:
                setattr(given, name, value)
            except TypeError as error:
                raise UsageError(f"{name}: {value!r} is not of the type that is expected") from error
    except Exception as error:
        failure = error if isinstance(error, UsageError) else UsageError(f"range: {error}")
    _agree(native, f"render {[view, preset, opacity, maximum, shaded, perspective, zoom, width, height, range, spacing, missing]}",
           array, failure)
    found: Any = _weft.render(native, made, given)
    if native.rank != 0:
        return None
    pixels: NDArray[np.float32] = found["pixels"].reshape(found["height"], found["width"], 4)
    if maximum:
        value = pixels[..., :1]
        pixels = np.concatenate([np.repeat(np.maximum(value, 0), 3, axis=2), np.asarray(value >= 0, np.float32)], axis=2)
    return pixels


def trace(field: Any, seeds: Any, *, spacing: Sequence[float] = (), origin: Sequence[float] = (), times: Sequence[float] = (0.0,),
          adaptive: bool = False, step: float | None = None, max_steps: int = 1000, duration: float | None = None,
          tolerance: float = 1e-6, backward: bool = False, lines: bool = False, blocks: int = 4,
          comm: AnyCommunicator = None) -> Traces:
    """Traces particles through a field of velocities.

    Parameters
    ----------
    field : array, shape ([steps,] nz, ny, nx, 3)
        The velocity along x, y and z at each point; the whole, the same on all ranks, as `volume` in `label`. Steps in time
        need `times`.
    seeds : array, shape (n, 3)
        Where the particles of this rank begin, as x, y and z; any rank may have none.
    spacing, origin : sequence of float, optional
        Of the points, along x, y and z: 1 and 0 without.
    times : sequence of float
        Of the steps, ascending.
    adaptive : bool
        Dormand and Prince's method of order 5 in place of the classical one of order 4.
    step : float, optional
        Time of a step, of an adaptive method the first; without it, half a cell at the greatest speed.
    max_steps : int
        Of a particle.
    duration : float, optional
        Time of a particle at most, of an adaptive method.
    tolerance : float
        Error of a step of an adaptive method, as a share of the diagonal of the field.
    backward : bool
        Against the flow, back in time.
    lines : bool
        Whether to return the lines.
    blocks : int
        That each rank has of the field.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Traces

    Raises
    ------
    UsageError
        On all ranks: arrays of other shapes, options out of range, arguments other than `seeds` that differ.

    Notes
    -----
    Collective: yes. The results do not depend on the number of ranks, to the last bit.

    Examples
    --------
    >>> import numpy as np, weft
    >>> field = np.zeros((4, 4, 11, 3))
    >>> field[..., 0] = 1.0  # along x
    >>> found = weft.trace(field, [[0.0, 1.0, 2.0]], step=0.5, max_steps=10)
    >>> found.ends.round(9).tolist(), found.steps.tolist()
    ([[5.0, 1.0, 2.0]], [10])
    """
    native = as_communicator(comm)
    failure: BaseException | None = None
    array: Array | None = None
    made: Any = None
    path = _weft.Path()
    places = np.empty((0, 3))
    try:
        made, array = _field(field, spacing, origin, times)
        places = np.ascontiguousarray(as_array("seeds", seeds), np.float64)
        if places.size == 0:
            places = places.reshape(0, 3)
        if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
            raise UsageError(f"seeds: of shape {places.shape}; expected finite numbers of shape (n, 3)")
        for name, value, least in (("step", step, 0), ("duration", duration, 0), ("tolerance", tolerance, 0)):
            if value is not None and not least < value < np.inf:
                raise UsageError(f"{name}: {value!r}; expected more than {least}")
        for name, value, least in (("max_steps", max_steps, 0), ("blocks", blocks, 1)):
            if not isinstance(value, (int, np.integer)) or value < least:
                raise UsageError(f"{name}: {value!r}; expected an integer of at least {least}")
        path.adaptive, path.backward, path.lines = bool(adaptive), bool(backward), bool(lines)
        path.step, path.duration, path.tolerance = float(step or 0), float(duration or np.inf), float(tolerance)
        path.max_steps, path.blocks = int(max_steps), int(blocks)
    except Exception as error:
        failure = error if isinstance(error, UsageError) else UsageError(f"seeds: {error}")
    _agree(native, f"trace {[adaptive, step, max_steps, duration, tolerance, backward, lines, blocks, spacing, origin, times]}",
           array, failure)
    bounds = np.cumsum([0, *all_gather(comm, len(places))])
    found: Any = _weft.trace(native, made, [float(each) for each in times], places, int(bounds[native.rank]), path)
    return _brought_home(comm, native.rank, bounds, found)


def _field(field: Any, spacing: Sequence[float], origin: Sequence[float], times: Sequence[float]) -> tuple[_weft.Volume, Array]:
    array = _numbers("field", field, (4, 5))
    if array.shape[-1] != 3:
        raise UsageError(f"field: its shape is {array.shape}; expected three values a point")
    if array.dtype.kind != "f":
        array = array.astype(np.float64)
    steps = array if array.ndim == 5 else array[None]
    if len(times) != len(steps) or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        raise UsageError(f"times: {list(times)}; expected {len(steps)} ascending numbers, one a step")
    lengths, first = tuple(spacing) or (1.0,) * 3, tuple(origin) or (0.0,) * 3
    if len(lengths) != 3 or not all(0 < each < np.inf for each in lengths):
        raise UsageError(f"spacing: {spacing!r}; expected three lengths")
    if len(first) != 3 or not np.isfinite(first).all():
        raise UsageError(f"origin: {origin!r}; expected three coordinates")
    points = [*steps.shape[3:0:-1]]
    axes = [[at + each * i for i in range(n)] for at, each, n in zip(first, lengths, points)]
    return _weft.Volume([as_bytes(each) for each in steps], array.dtype.name, points, 3, axes, None), array


def _brought_home(comm: AnyCommunicator, rank: int, bounds: Integers, found: Any) -> Traces:
    """Ends and lines lie where they were found; each goes to the rank that gave its seed."""
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
    lines = np.split(np.ascontiguousarray(points["point"]), cuts) if count and len(found["line_seeds"]) + len(points) else []
    return Traces(ends["place"].copy(), ends["steps"].copy(), ends["inside"] == 1, ends["length"].copy(), lines)
