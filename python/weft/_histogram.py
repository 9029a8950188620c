"""Histograms of volumes."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import number, numbers, pair, whole
from ._arrays import Array, converted
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._decomposition import RegularGrid
from ._progress import Phases, Progress
from ._volume_input import VolumeInput

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Histogram:
    """The numbers of values of a volume in bins; equal on all ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> found = weft.histogram(np.arange(10.0), 5)
    >>> found.counts.tolist(), found.minimum, found.maximum, found.mean
    ([2, 2, 2, 2, 2], 0.0, 9.0, 4.5)
    """

    counts: Integers
    """The number of values in each bin."""
    edges: Floats
    """The edges of the bins, one more than the number of bins."""
    finite: int
    """The number of finite values."""
    missing: int
    """The number of values that are NaN or mark missing data."""
    infinite: int
    """The number of infinite values, which are counted only here."""
    below: int
    """The number of finite values below the first bin."""
    above: int
    """The number of finite values above the last bin."""
    minimum: float
    """The least finite value."""
    maximum: float
    """The greatest finite value."""
    mean: float
    """The mean of the finite values."""
    entropy: float
    """The entropy of the distribution over the bins, in bits."""
    quantiles: Floats
    """The exact quantiles, in the order of the argument `quantiles`."""


@on_ranks
def histogram(volume: Any, bins: int = 64, *, range: tuple[float, float] | None = None, quantiles: float | Sequence[float] = (),
              missing: float | None = None, held: Literal["whole", "parts"] | None = None, grid: RegularGrid | None = None,
              progress: Progress | None = None, comm: AnyCommunicator = None) -> Histogram:
    """Counts the values of a volume in bins.

    Collective. Results do not depend on the number of ranks, except that the mean may differ by rounding if each rank passes only a part of
    the volume.

    Parameters
    ----------
    volume, missing, held, grid, comm
        As in `label`. If each rank passes a part, integers must be exactly representable as 64-bit floats.
    bins : int
    range : (float, float), optional
        The range of the bins. The default is the range of the values.
    quantiles : float or sequence of float
        The quantiles to find, each from 0 to 1.
    progress : function of (done, all), or bar of tqdm, optional
        Called after each phase. Any rank may pass a function. If the function raises an exception, all ranks raise an exception at the end
        of the call.

    Raises
    ------
    UsageError
        On all ranks: in the cases in which `label` raises UsageError, and for invalid bins, range or quantiles.

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
        given = VolumeInput(call.native, volume, missing, held=held, grid=grid)
        mine = None if given.part is None else _numbers(given.part.array, given.missing)
        told = Phases(call, progress, 3)
        call.same(f"in {count} bins, range {limits}, quantiles {shares}, {given.text}")
    if mine is None or grid is None:
        found = _weft.histogram(call.native, given.native, count, limits, shares, told.tell)
    else:
        sizes = [int(np.prod(grid.shape(rank))) for rank in builtins.range(grid.blocks)]
        found = _weft.histogram_of_parts(call.native, [0, *np.cumsum(sizes).tolist()], mine, count, limits, shares, told.tell)
    told.end()
    return Histogram(**found)


def _numbers(array: Array, missing: float | None) -> Floats:
    """Returns the values of a part, one after the other, with NaN for missing data."""
    made = np.array(converted("volume", array, np.dtype(np.float64))).reshape(-1)
    if missing is not None:
        made[made == missing] = np.nan
    return made
