"""Algorithms on volumes and fields, given as arrays."""
# In one file: calls that share how arrays and files are described; half of the lines are docstrings.

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as dataclasses_field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import bound, flag, lengths, number, numbers, pair, text, whole
from ._arrays import Array, converted
from ._collective import all_gather, gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError
from ._exchange import exchange
from ._npy import write_array
from ._results import Result
from ._volume_input import VolumeInput, native_volume, numbers_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Labels(Result):
    """Connected components of a volume. The labels of its layers lie on the ranks in order; the rest is equal on all."""

    labels: Array
    """Of the layers of this rank: from 1 in the order of first voxels, 0 for background."""
    offsets: Integers
    """Rank r has the layers from `offsets[r]` up to `offsets[r + 1]`."""
    components: int
    """Their number."""
    foreground: int
    """Voxels."""
    largest: list[int]
    """The sizes of the largest ten, descending."""
    _comm: Any = dataclasses_field(default=None, repr=False)

    def gather(self) -> Array | None:
        """Returns the labels of the whole volume on rank 0; None elsewhere. Collective."""
        parts = gather(self._comm, self.labels)
        return None if parts is None else np.concatenate(parts)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the labels of the whole volume to a file of NumPy, each rank its own layers. Collective.

        Parameters
        ----------
        path : path
            `FILE.npy`; the same on all ranks, on a file system that they share.

        Raises
        ------
        UsageError
            On all ranks: another ending, paths that differ, results that were unpickled.
        InputError
            On all ranks: the file cannot be written.

        Examples
        --------
        >>> import numpy as np, os, weft
        >>> found = weft.label(np.array([[5, 0, 5], [5, 0, 0], [0, 0, 5]]), 1)
        >>> found.write("labels of an example.npy")
        >>> np.load("labels of an example.npy").tolist()
        [[1, 0, 2], [1, 0, 0], [0, 0, 3]]
        >>> weft.barrier()
        >>> if weft.Communicator().rank == 0: os.remove("labels of an example.npy")
        """
        if self._comm is None:
            raise UsageError("write: these labels have been unpickled, and belong to no communicator")
        write_array(self._comm, path, self.labels, self.offsets)


@dataclass(frozen=True)
class Histogram:
    """The values of a volume in bins; equal on all ranks."""

    counts: Integers
    """The values in each bin."""
    edges: Floats
    """One more than there are bins."""
    finite: int
    """Values that are numbers."""
    missing: int
    """NaN, or the value that marks missing data."""
    infinite: int
    """Infinite values, counted here alone."""
    below: int
    """Less than all bins."""
    above: int
    """More than all bins."""
    minimum: float
    """The least finite value."""
    maximum: float
    """The greatest finite value."""
    mean: float
    """Of the finite values."""
    entropy: float
    """Of the shares of the bins, in bits."""
    quantiles: Floats
    """Exact."""


@dataclass(frozen=True)
class Traces:
    """The paths of particles. Arrays are of the seeds that this rank gave, in their order."""

    ends: Floats
    """Shape (n, 3)."""
    steps: Integers
    """The number that each particle made."""
    inside: NDArray[np.bool_]
    """False for a particle that left the field, or began outside."""
    lengths: Floats
    """Of their paths."""
    lines: list[NDArray[np.float32]]
    """With `lines=True`: x, y, z and speed at the points of each, shape (points, 4); empty where there is one point."""


@on_ranks
def label(volume: Any, threshold: float | None = None, *, below: float | None = None, neighbors: Literal[4, 6, 8, 26] = 6,
          missing: float | None = None, comm: AnyCommunicator = None) -> Labels:
    """Labels the connected components of a volume, an image or a row of values.

    Collective. The labels do not depend on the number of ranks.

    Parameters
    ----------
    volume : array, shape ([[nz,] ny,] nx)
        The whole, the same on all ranks. A rank reads its own layers alone, so `numpy.load(file, mmap_mode="r")` and
        `numpy.memmap` take no memory for the others, in any order of axes and bytes.
    threshold : float, optional
        Values of at least this are foreground; one of `threshold` and `below` is needed, but not for a mask: an array of truth
        values. NaN never is.
    below : float, optional
        Values of less than this.
    neighbors : {6, 26, 4, 8}
        Of a voxel: the 6 that share a face, or also the others that share an edge or a corner, 26 in all. Of a pixel: 4 and 8, or 6 and
        26, which mean the same there.
    missing : float, optional
        The value that marks missing data.
    comm : Communicator, mpi4py.MPI.Comm or None

    Returns
    -------
    Labels

    Raises
    ------
    UsageError
        On all ranks: no such volume or option; arguments that differ.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.label(np.array([[5, 0, 5], [5, 0, 0], [0, 0, 5]]), 1)
    >>> found.components, found.largest
    (3, [2, 1, 1])
    """
    with agreed(comm, "label") as call:
        least, most = (None if value is None else bound(name, value) for name, value in (("threshold", threshold), ("below", below)))
        if least is None and most is None:
            if getattr(volume, "dtype", None) != np.bool_:
                raise UsageError("threshold: give it, or below; only a mask (of truth values) needs neither")
            least = 1
        if least is not None and most is not None and not least < most:
            raise UsageError(f"below: {below} is not more than threshold, {threshold}")
        given = VolumeInput(volume, missing)
        across = _across(neighbors, given.array.ndim)
        call.same(f"at {least} below {most}, {'all' if across else 'face'} neighbors, {given.text}")
    array = given.array
    found = _weft.label(call.native, given.native, array.ndim - 1, least, most, across)
    labels: Any = found.pop("labels")
    return Labels(labels=labels.reshape(-1, *array.shape[1:]), _comm=call.native, **found)


def _across(neighbors: Any, dimensions: int) -> bool:
    """Whether voxels that share an edge or a corner are neighbours."""
    few_and_all = {3: (6, 26)}.get(dimensions, (4, 8, 6, 26))
    if whole("neighbors", neighbors) not in few_and_all:
        raise UsageError(f"neighbors: {neighbors!r}; expected {' or '.join(map(str, few_and_all[:2]))} of an array of {dimensions} dimensions")
    return neighbors in (8, 26)


@on_ranks
def histogram(volume: Any, bins: int = 64, *, range: tuple[float, float] | None = None, quantiles: float | Sequence[float] = (),
              missing: float | None = None, comm: AnyCommunicator = None) -> Histogram:
    """Counts the values of a volume in bins.

    Collective. The results are the same to the last bit at any number of ranks.

    Parameters
    ----------
    volume, missing, comm
        As in `label`.
    bins : int
    range : (float, float), optional
        Of the bins; without it, from the least value to the greatest.
    quantiles : float or sequence of float
        Which to find, each in 0..1.

    Raises
    ------
    UsageError
        On all ranks: as `label`; bins, a range or quantiles that cannot be.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.histogram(np.arange(100.0).reshape(4, 5, 5), 4, quantiles=[0.5])
    >>> found.counts.tolist(), found.quantiles.tolist(), found.mean
    ([25, 25, 25, 25], [49.5], 49.5)
    """
    with agreed(comm, "histogram") as call:
        count = whole("bins", bins, 1, 2**31 - 1)
        shares = numbers("quantiles", quantiles, what="shares") if np.ndim(quantiles) else [number("quantiles", quantiles)]
        limits = pair("range", range)
        given = VolumeInput(volume, missing)
        call.same(f"in {count} bins, range {limits}, quantiles {shares}, {given.text}")
    found = _weft.histogram(call.native, given.native, count, limits, shares)
    return Histogram(**found)


@on_ranks
def render(volume: Any, view: str = "30,20", *, preset: Literal["grey", "tissue", "heat"] = "grey", opacity: float = 1.0, maximum: bool = False,
           shaded: bool = False, perspective: bool = False, zoom: float = 1.0, width: int = 0, height: int = 0,
           range: tuple[float, float] | None = None, spacing: float | Sequence[float] = 1.0, missing: float | None = None,
           comm: AnyCommunicator = None) -> NDArray[np.float32] | None:
    """Draws a volume by casting rays through it.

    Collective. The picture is the same to the last bit at any number of ranks.

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
    spacing : float or sequence of float, optional
        Along x, y and z; one for all.

    Returns
    -------
    array of float32, shape (height, width, 4), or None
        On rank 0: red, green and blue, dimmed by the opacity, and the opacity. Of `maximum`: the value, from 0 to 1, in all
        three. None elsewhere.

    Raises
    ------
    UsageError
        On all ranks: as `label`; an unknown view or preset.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> picture = weft.render(np.random.default_rng(0).random((8, 8, 8)), width=32, height=24)
    >>> comm.rank != 0 or picture.shape == (24, 32, 4)
    True
    """
    with agreed(comm, "render") as call:
        volume_given = VolumeInput(volume, missing, spacing, (3,))
        given = _weft.Picture()
        wanted = dict(view=text("view", view), preset=text("preset", preset), opacity=number("opacity", opacity),
                      perspective=flag("perspective", perspective), maximum=flag("maximum", maximum), shaded=flag("shaded", shaded),
                      zoom=number("zoom", zoom), width=whole("width", width, 0, 2**31 - 1), height=whole("height", height, 0, 2**31 - 1),
                      range=pair("range", range))
        for name, value in wanted.items():
            setattr(given, name, value)
        call.same(f"{wanted}, {volume_given.text}")
    found: Any = _weft.render(call.native, volume_given.native, given)
    if call.native.rank != 0:
        return None
    pixels: NDArray[np.float32] = found["pixels"].reshape(found["height"], found["width"], 4)
    if maximum:
        value = pixels[..., :1]
        pixels = np.concatenate([np.repeat(np.maximum(value, 0), 3, axis=2), np.asarray(value >= 0, np.float32)], axis=2)
    return pixels


@on_ranks
def trace(field: Any, seeds: Any, *, spacing: float | Sequence[float] = 1.0, origin: Sequence[float] = (0.0, 0.0, 0.0),
          times: float | Sequence[float] = (0.0,),
          adaptive: bool = False, step: float | None = None, max_steps: int = 1000, duration: float | None = None,
          tolerance: float = 1e-6, backward: bool = False, lines: bool = False, blocks: int = 4,
          comm: AnyCommunicator = None) -> Traces:
    """Traces particles through a field of velocities.

    Collective. The results do not depend on the number of ranks, to the last bit.

    Parameters
    ----------
    field : array, shape ([steps,] nz, ny, nx, 3)
        The velocity along x, y and z at each point; the whole, the same on all ranks, as `volume` in `label`. Steps in time
        need `times`.
    seeds : array, shape (n, 3)
        Where the particles of this rank begin, as x, y and z; any rank may have an empty array.
    spacing : float or sequence of float, optional
        Of the points, along x, y and z; one for all.
    origin : sequence of float, optional
        The first point, as x, y and z.
    times : float or sequence of float
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
        between, first = lengths("spacing", spacing, 3), numbers("origin", origin, 3, what="coordinates")
        given, about = _field(field, between, first, instants)
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
        call.same(f"{[path.adaptive, path.backward, path.lines, path.step, path.duration, path.tolerance, path.max_steps, path.blocks]}, "
                  f"spacing {between}, origin {first}, times {instants}, {about}")
    native = call.native
    bounds = np.cumsum([0, *all_gather(comm, len(places))])
    found: Any = _weft.trace(native, given, instants, places, int(bounds[native.rank]), path)
    return _brought_home(comm, native.rank, bounds, found, path.lines)


def _field(field: Any, spacing: list[float], origin: list[float], times: list[float]) -> tuple[_weft.Volume, str]:
    array = numbers_of("field", field, (4, 5))
    if array.shape[-1] != 3:
        raise UsageError(f"field: its shape is {array.shape}; expected three values a point")
    if array.dtype.kind != "f":
        array = array.astype(np.float64)
    steps = array if array.ndim == 5 else array[None]
    if len(times) != len(steps) or (np.diff(times) <= 0).any():
        raise UsageError(f"times: {times}; expected {len(steps)} ascending numbers, one a step")
    points = [*steps.shape[3:0:-1]]
    axes = [[at + each * i for i in range(n)] for at, each, n in zip(origin, spacing, points)]
    about = f"of {array.dtype.newbyteorder('=')} of shape {array.shape}"
    return native_volume(list(steps), 3, axes, None), about


def _brought_home(comm: AnyCommunicator, rank: int, bounds: Integers, found: Any, wanted: bool) -> Traces:
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
    lines = np.split(np.ascontiguousarray(points["point"]), cuts) if count and wanted else []
    return Traces(ends["place"].copy(), ends["steps"].copy(), ends["inside"] == 1, ends["length"].copy(), lines)
