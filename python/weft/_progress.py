"""Reports the progress of long calls to a function or to a bar of tqdm."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol, Union

from . import _weft
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


class _Told:
    """A progress function of this rank, or none. Its exceptions are kept until the end of the call, since the other ranks
    continue."""

    def __init__(self, open: agreed, progress: Any) -> None:
        self._open = open
        self._failure: BaseException | None = None
        open.largest = int(progress is not None)

    def _call(self, function: Callable[[], Any]) -> None:
        if self._failure is not None:
            return
        try:
            function()
        except BaseException as error:
            self._failure = error

    def _raise(self) -> None:
        """Raises the exception of a progress function on all ranks. Collective."""
        with agreed(self._open.native, "progress"):
            if self._failure is not None:
                raise self._failure


class Phases(_Told):
    """Reports the phases of a call of the C++ extension to the progress functions that some ranks have given."""

    def __init__(self, open: agreed, progress: Any, phases: int) -> None:
        super().__init__(open, progress)
        self._phases, self._done = phases, 0
        self._tell = None if progress is None else teller("progress", progress, phases)

    @property
    def tell(self) -> Callable[[], None] | None:
        """Is called by the C++ extension. It raises no exception, since the other ranks continue."""
        return None if self._tell is None else self._next

    def _next(self) -> None:
        self._done += 1
        tell = self._tell
        if tell is not None and self._done <= self._phases:
            self._call(lambda: tell(self._done))

    def end(self) -> None:
        """Reports the phases that are left, and raises on all ranks the exception of a progress function. Collective if a rank
        has one."""
        if not self._open.largest:
            return
        while self._tell is not None and self._done < self._phases:
            self._next()
        self._raise()


class Rounds(_Told):
    """A context in which a question about a graph reports its rounds to the progress functions that some ranks have given.
    Collective at its end, if a rank has one."""

    def __init__(self, open: agreed, progress: Any) -> None:
        super().__init__(open, progress)
        self._progress = progress
        self._bar = hasattr(progress, "update") and hasattr(progress, "total")
        if progress is not None and not self._bar and not callable(progress):
            raise UsageError(f"progress: expected a function of (done, all) or a bar of tqdm, not {type(progress).__name__}")
        self._done = self._all = 0
        self._watch: _weft.RoundWatch | None = None

    def __enter__(self) -> None:
        if self._progress is not None:
            self._watch = _weft.RoundWatch(self._open.native, lambda done, of: self._call(lambda: self._tell(done, of)))

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None) -> None:
        if self._watch is not None:
            self._watch.close()
        if value is None and self._open.largest:
            if self._progress is not None and self._all != self._done:
                self._call(lambda: self._tell(self._done, self._done))
            self._raise()

    def _tell(self, done: int, of: int) -> None:
        new, self._done, self._all = done - self._done, done, of
        if not self._bar:
            self._progress(done, of)
            return
        if of:
            self._progress.total = of
        self._progress.update(new)
