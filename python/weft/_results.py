"""The common part of results of collective calls."""

from __future__ import annotations

from typing import Any


class Result:
    """A result whose arrays are distributed over the ranks. A pickled result has only the arrays of this rank, and no
    communicator."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_comm": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
