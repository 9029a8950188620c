"""Volumes and fields as the extension takes them: where they lie in memory or in a mapped file."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _weft
from ._arguments import lengths, optional_number
from ._arrays import Array, as_array
from ._errors import UsageError


def numbers_of(name: str, value: Any, dimensions: tuple[int, ...]) -> Array:
    """An array of numbers as volumes take them, where it is; masked real numbers are NaN, which is missing."""
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
    return array


def native_volume(steps: list[Array], components: int, axes: list[list[float]], missing: float | None) -> _weft.Volume:
    """Arrays of one shape, x last, read box by box with their own strides and order of bytes."""
    array = steps[0]
    of_points = array.ndim - (components > 1)
    points = [*array.shape[:of_points][::-1], 1, 1][:3]
    strides = [*array.strides[:of_points][::-1], 0, 0][:3]
    return _weft.Volume([each.ctypes.data for each in steps], steps, array.dtype.newbyteorder("=").name, points, components, strides,
                        array.strides[-1] if components > 1 else array.itemsize, not array.dtype.isnative, [*axes, [], [], []][:3],
                        missing)


class VolumeInput:
    """The volume of a call with what is said of it, and the text that ranks compare."""

    def __init__(self, volume: Any, missing: Any, spacing: Any = 1.0, dimensions: tuple[int, ...] = (1, 2, 3)) -> None:
        self.array = numbers_of("volume", volume, dimensions)
        none = None if isinstance(missing, float) and np.isnan(missing) else optional_number("missing", missing)
        if none is not None and none != missing:
            raise UsageError(f"missing: {missing} is no number of 64-bit floats; give one of fewer digits")
        between = lengths("spacing", spacing, self.array.ndim)  # along x first
        axes = [[each * i for i in range(n)] for each, n in zip(between, self.array.shape[::-1])]
        self.native = native_volume([self.array], 1, axes, none)
        self.text = f"spacing {between}, missing {none}, of {self.array.dtype.newbyteorder('=')} of shape {self.array.shape}"
