"""Converts scalar arguments, and raises errors that name the argument."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ._errors import UsageError


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Returns an integer within bounds; booleans and texts are not accepted."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        made = operator.index(value)
    except TypeError:
        raise UsageError(f"{name}: {value!r}; expected an integer, not {type(value).__name__}") from None
    if least is not None and made < least:
        raise UsageError(f"{name}: {made}; expected at least {least}")
    if most is not None and made > most:
        raise UsageError(f"{name}: {made}; expected at most {most}")
    return made


def rank(name: str, value: Any, size: int) -> int:
    """Returns a rank of a communicator with `size` ranks."""
    made = whole(name, value)
    if not 0 <= made < size:
        raise UsageError(f"{name}: {made} is no rank; ranks are 0..{size - 1}")
    return made


def number(name: str, value: Any, *, least: float | None = None, above: float | None = None, most: float | None = None,
           below: float | None = None) -> float:
    """Returns a finite real number within bounds."""
    try:
        if isinstance(value, (str, bytes, bool, np.bool_)) or np.ndim(value) != 0:
            raise TypeError
        made = float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name}: {value!r}; expected a number, not {type(value).__name__}") from None
    if not np.isfinite(made):
        raise UsageError(f"{name}: {value!r} is not finite")
    for bad, said in ((least is not None and made < least, f"at least {least}"), (above is not None and made <= above, f"more than {above}"),
                      (most is not None and made > most, f"at most {most}"), (below is not None and made >= below, f"less than {below}")):
        if bad:
            raise UsageError(f"{name}: {value!r}; expected {said}")
    return made


def optional_number(name: str, value: Any, **bounds: float) -> float | None:
    """Returns a finite real number within bounds, or None."""
    return None if value is None else number(name, value, **bounds)


def bound(name: str, value: Any) -> int | float:
    """Returns a finite number with which values are compared; 64-bit integers stay exact."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return whole(name, value, -2**63, 2**64 - 1)
    return number(name, value)


def several(name: str, value: Any, what: str = "numbers") -> list[Any]:
    """Returns the elements of a sequence or an array; a text is not accepted."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise UsageError(f"{name}: {value!r}; expected {what}")
    return list(value)


def numbers(name: str, value: Any, count: int | None = None, *, what: str = "numbers") -> list[float]:
    """Returns finite numbers from a sequence or an array of one dimension."""
    made = [number(name, each) for each in several(name, value, f"{'' if count is None else f'{count} '}{what}")]
    if count is not None and len(made) != count:
        raise UsageError(f"{name}: {value!r}; expected {count} {what}")
    return made


def lengths(name: str, value: Any, count: int) -> list[float]:
    """Returns a positive length for each dimension; a single number is for all dimensions."""
    if np.ndim(value) == 0:
        return [number(name, value, above=0)] * count
    made = numbers(name, value, count, what="lengths, or one for all dimensions")
    return [number(name, each, above=0) for each in made]


def pair(name: str, value: Any) -> tuple[int | float, int | float] | None:
    """Returns two numbers with which values are compared, or None."""
    if value is None:
        return None
    numbers(name, value, 2)
    low, high = value
    return bound(name, low), bound(name, high)


def flag(name: str, value: Any) -> bool:
    """Returns a boolean; 1 and 0 are accepted, too."""
    if isinstance(value, (bool, np.bool_)) or isinstance(value, (int, np.integer)) and value in (0, 1):
        return bool(value)
    raise UsageError(f"{name}: {value!r}; expected True or False")


def choice(name: str, value: Any, names: Sequence[str]) -> str:
    """Returns one of the given names."""
    if not isinstance(value, str) or value not in names:
        raise UsageError(f"{name}: {value!r} is not known; expected one of {', '.join(names)}")
    return value


def text(name: str, value: Any) -> str:
    """Returns a text."""
    if not isinstance(value, str):
        raise UsageError(f"{name}: expected a text, not {type(value).__name__}")
    return _encodable(name, value)


def path(name: str, value: Any) -> str:
    """Returns the name of a file."""
    try:
        made = os.fspath(value)
    except TypeError:
        raise UsageError(f"{name}: expected the name of a file, not {type(value).__name__}") from None
    name_of_file = made if isinstance(made, str) else os.fsdecode(made)
    if "\0" in name_of_file:
        raise UsageError(f"{name}: {name_of_file!r}; the name of a file has no null character")
    return _encodable(name, name_of_file)


def _encodable(name: str, value: str) -> str:
    """Returns the text, which can be given to the C++ extension."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{name}: {value!r}; expected a text that has a form in UTF-8") from None
    return value


def function(name: str, value: Any) -> Callable[..., Any]:
    """Returns an object that can be called."""
    if not callable(value):
        raise UsageError(f"{name}: expected a function, not {type(value).__name__}")
    made: Callable[..., Any] = value
    return made
