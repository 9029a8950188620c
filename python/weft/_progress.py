"""Progress of long calls, told to a function or to a bar of tqdm."""

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
    """A function of the steps that are done."""
    if hasattr(progress, "update") and hasattr(progress, "total"):
        progress.total = steps
        return lambda done: progress.update(1)
    if not callable(progress):
        raise UsageError(f"{name}: expected a function of (done, all) or a bar of tqdm, not {type(progress).__name__}")
    return lambda done: progress(done, steps)


class Phases:
    """Phases of a call that runs in the extension, told to the progress that ranks may give or not; in a door, `open`, of that call."""

    def __init__(self, open: agreed, progress: Any, phases: int) -> None:
        self._open, self._phases, self._done = open, phases, 0
        self._tell = None if progress is None else teller("progress", progress, phases)
        self._failure: BaseException | None = None
        open.largest = int(progress is not None)

    @property
    def tell(self) -> Callable[[], None] | None:
        """For the extension; it raises nothing, since the other ranks go on."""
        return None if self._tell is None else self._next

    def _next(self) -> None:
        self._done += 1
        try:
            if self._tell is not None and self._failure is None and self._done <= self._phases:
                self._tell(self._done)
        except Exception as error:
            self._failure = error

    def end(self) -> None:
        """Tells the phases that were left out, and raises on all ranks what one was told with. Collective where a rank has progress."""
        if not self._open.largest:
            return
        while self._tell is not None and self._done < self._phases:
            self._next()
        with agreed(self._open.native, "progress"):
            if self._failure is not None:
                raise self._failure
