"""The logger `weft`, which logs calls and their times at the level DEBUG."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

_inside = False  # a call of the package in a call of the package is not told apart

P = ParamSpec("P")
T = TypeVar("T")


def listener() -> Any:
    """Returns the logger if its level is DEBUG, otherwise None. If the program has not imported `logging`, returns None and does
    not import it, since this takes a while."""
    logging = sys.modules.get("logging")
    if logging is None or _inside:
        return None
    logger = logging.getLogger("weft")
    return logger if logger.isEnabledFor(logging.DEBUG) else None


def logged(function: Callable[P, T]) -> Callable[P, T]:
    """Returns the function in a form that logs the time and the exception of each call."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        logger = listener()
        return function(*args, **kwargs) if logger is None else told(logger, function, *args, **kwargs)

    return called


def told(logger: Any, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls the function and logs the call."""
    global _inside
    _inside = True
    begin = time.perf_counter()
    name = function.__qualname__.removesuffix(".__init__")
    try:
        made = function(*args, **kwargs)
    except BaseException as error:
        seconds = time.perf_counter() - begin
        logger.debug("%s raised %s after %.6f s", name, type(error).__name__, seconds, extra={"call": name, "seconds": seconds})
        raise
    finally:
        _inside = False
    seconds = time.perf_counter() - begin
    logger.debug("%s took %.6f s", name, seconds, extra={"call": name, "seconds": seconds})
    return made
