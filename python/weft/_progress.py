"""Reports the progress of long calls to a function or to a bar of tqdm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Union

from ._communicator import agreed
from ._errors import UsageError


class Bar(Protocol):
    """The methods of a bar of tqdm."""

    total: Any

    def update(self, n: Any = 1, /) -> Any: ...

    def refresh(self) -> Any: ...


Progress = Union[Callable[[int, int], Any], Bar]


def teller(name: str, progress: Any, steps: int) -> Callable[[int], Any]:
    """Returns a function to call with the number of finished steps."""
    if hasattr(progress, "update") and hasattr(progress, "total"):
        progress.total = steps
        return lambda done: progress.update(1)
    if not callable(progress):
        raise UsageError(f"{name}: expected a function of (done, all) or a bar of tqdm, not {type(progress).__name__}")
    return lambda done: progress(done, steps)


class Phases:
    """Reports the phases of a call of the C++ extension to the progress functions that some ranks have given."""

    def __init__(self, open: agreed, progress: Any, phases: int) -> None:
        self._open, self._phases, self._done = open, phases, 0
        self._tell = None if progress is None else teller("progress", progress, phases)
        self._failure: BaseException | None = None
        open.largest = int(progress is not None)

    @property
    def tell(self) -> Callable[[], None] | None:
        """Is called by the C++ extension. It raises no exception, since the other ranks continue."""
        return None if self._tell is None else self._next

    def _next(self) -> None:
        self._done += 1
        try:
            if self._tell is not None and self._failure is None and self._done <= self._phases:
                self._tell(self._done)
        except Exception as error:
            self._failure = error

    def end(self) -> None:
        """Reports the phases that are left, and raises on all ranks the exception of a progress function. Collective if a rank
        has one."""
        if not self._open.largest:
            return
        while self._tell is not None and self._done < self._phases:
            self._next()
        with agreed(self._open.native, "progress"):
            if self._failure is not None:
                raise self._failure
