"""Progress of long calls, told to a function or to a bar of tqdm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Union

from ._errors import UsageError


class Bar(Protocol):
    """What a bar of tqdm has."""

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
