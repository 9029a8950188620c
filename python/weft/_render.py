"""Pictures of volumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import flag, number, pair, text, whole
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._decomposition import RegularGrid
from ._progress import Phases, Progress
from ._volume_input import VolumeInput


@on_ranks
def render(volume: Any, view: str = "30,20", *, preset: Literal["grey", "tissue", "heat"] = "grey", opacity: float = 1.0, maximum: bool = False,
           shaded: bool = False, perspective: bool = False, zoom: float = 1.0, width: int = 0, height: int = 0,
           range: tuple[float, float] | None = None, spacing: float | Sequence[float] | None = None, missing: float | None = None,
           held: Literal["whole", "parts"] | None = None, grid: RegularGrid | None = None,
           progress: Progress | None = None, comm: AnyCommunicator = None) -> NDArray[np.float32] | None:
    """Draws a volume by casting rays through it.

    Collective. The picture is the same to the last bit at any number of ranks.

    Parameters
    ----------
    volume, missing, held, grid, comm
        As in `label`; the volume has three dimensions. If each rank passes only a part of the volume, each rank draws a slab and gets the
        values of its slab from the other ranks.
    view : str
        `x`, `y`, `z`, `-x`, `-y`, `-z`, or azimuth and elevation in degrees, as `"30,20"`.
    preset : {"grey", "tissue", "heat"}
        The scale that gives values their colours and opacities.
    opacity : float
        A factor for the opacity of the preset, from 0 to 1.
    maximum : bool
        True to show the greatest value along each ray.
    shaded : bool
        True to shade the volume, with light from the viewer.
    perspective : bool
    zoom : float
    width, height : int
        The size of the picture in pixels. If the width is 0, Weft chooses the width; if the height is 0, Weft chooses the height.
    range : (float, float), optional
        The values at the ends of the colour scale. The default is the least and the greatest value of the volume.
    spacing : float or sequence of float, optional
        The distance between points along x, y and z, or one number for all three axes. The default is the distance that the file gives, or
        1.
    progress : function of (done, all), or bar of tqdm, optional
        Called after each phase. Any rank may pass a function. If the function raises an exception, all ranks raise an exception at the end
        of the call.

    Returns
    -------
    array of float32, shape (height, width, 4), or None
        The picture on rank 0: red, green and blue (each multiplied by the opacity), and the opacity. With `maximum`, red, green and blue
        are all equal to the value, scaled from 0 to 1. None on other ranks.

    Raises
    ------
    UsageError
        On all ranks: in the cases in which `label` raises UsageError, and for an unknown view or preset.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> picture = weft.render(np.random.default_rng(0).random((8, 8, 8)), width=32, height=24)
    >>> comm.rank != 0 or picture.shape == (24, 32, 4)
    True

    Each rank has a part of the array:

    >>> grid = weft.RegularGrid((8, 8, 8), comm.size)
    >>> picture = weft.render(np.ones(grid.shape(comm.rank)), width=32, height=24, grid=grid, comm=comm)
    >>> comm.rank != 0 or picture.shape == (24, 32, 4)
    True
    """
    with agreed(comm, "render") as call:
        volume_given = VolumeInput(call.native, volume, missing, spacing, (3,), held=held, grid=grid)
        given = _weft.Picture()
        wanted = dict(view=text("view", view), preset=text("preset", preset), opacity=number("opacity", opacity),
                      perspective=flag("perspective", perspective), maximum=flag("maximum", maximum), shaded=flag("shaded", shaded),
                      zoom=number("zoom", zoom), width=whole("width", width, 0, 2**31 - 1), height=whole("height", height, 0, 2**31 - 1),
                      range=pair("range", range))
        for name, value in wanted.items():
            setattr(given, name, value)
        told = Phases(call, progress, 3)
        call.same(f"{wanted}, {volume_given.text}")
    blocks, ranks = volume_given.part.blocks() if volume_given.part else (None, [])
    found: Any = _weft.render(call.native, volume_given.native, given, blocks, ranks, told.tell)
    told.end()
    if call.native.rank != 0:
        return None
    pixels: NDArray[np.float32] = found["pixels"].reshape(found["height"], found["width"], 4)
    if maximum:
        value = pixels[..., :1]
        pixels = np.concatenate([np.repeat(np.maximum(value, 0), 3, axis=2), np.asarray(value >= 0, np.float32)], axis=2)
    return pixels
