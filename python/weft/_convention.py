"""The communicator of a call: passed as `comm=`, as the first argument, or left out for all ranks."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from . import _weft
from ._communicator import AnyCommunicator, Communicator
from ._log import logged

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
T = TypeVar("T")


class OnRanks(Protocol[P, R]):
    """A function that takes its communicator by name or as the first argument."""

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    @overload
    def __call__(self, comm: AnyCommunicator, /, *args: P.args, **kwargs: P.kwargs) -> R: ...


def on_ranks(function: Callable[P, R]) -> OnRanks[P, R]:
    """Returns the function, whose last parameter is `comm`, in a form that also takes a communicator as its first argument."""
    made: OnRanks[P, R] = _taking_first(function)
    return made


def on_ranks_overloaded(function: Callable[..., T]) -> Callable[..., T]:
    """Does the same for functions whose overloads show both forms, such as the initializer of a class."""
    made: Callable[..., T] = _taking_first(function)
    return made


def _taking_first(function: Callable[..., Any]) -> Any:
    """Returns `function`, called with `comm=` if the first argument is a communicator. Objects and classes are left as they
    are."""
    positional = [each for each in inspect.signature(function).parameters.values()
                  if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    own = 1 if positional and positional[0].name in ("self", "cls") else 0
    positional = positional[own:]
    needed = [each.name for each in positional if each.default is inspect.Parameter.empty]

    function = logged(function)

    def called(*args: Any, **kwargs: Any) -> Any:
        if len(args) > own and "comm" not in kwargs:
            first, rest = args[own], args[own + 1 :]
            # With one argument too many, the first is what was meant as a communicator: all ranks are to be told that it is none.
            if _is_communicator(first) or len(args) > own + len(positional) or (
                    first is None and all(name in kwargs for name in needed[len(rest) :])):
                return function(*args[:own], *rest, comm=first, **kwargs)
        return function(*args, **kwargs)

    called.__code__ = called.__code__.replace(co_name=function.__name__)  # reports of an interrupt name the call by it
    return functools.wraps(function)(called)


def _is_communicator(value: Any) -> bool:
    if isinstance(value, (Communicator, _weft.Communicator)):
        return True
    mpi = sys.modules.get("mpi4py.MPI")
    return mpi is not None and isinstance(value, mpi.Comm)
