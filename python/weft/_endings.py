"""Whether this rank fails: by an exception that nobody catches, or by `sys.exit` with a status."""

from __future__ import annotations

import sys
from typing import Any, NoReturn


class Endings:
    """What is known of the end of this process when the interpreter begins to end."""

    def __init__(self) -> None:
        self.failed = False

    def watch(self, *, and_exits: bool) -> None:
        """Begins to watch; also `sys.exit` where MPI ends with the interpreter, before the status of the process is known."""
        before = sys.excepthook

        def hook(kind: Any, value: Any, traceback: Any) -> None:
            self.failed = True
            before(kind, value, traceback)

        sys.excepthook = hook
        if and_exits:
            sys.exit = _exit


endings = Endings()


class _Exit(SystemExit):
    """Knows when the interpreter reads its status: where nobody has caught it no frame is left."""

    def __init__(self, status: Any) -> None:
        super().__init__(status)
        self._status = status

    @property
    def code(self) -> Any:  # type: ignore[override]
        if sys._getframe().f_back is None and self._status not in (None, 0):
            endings.failed = True
        return self._status


def _exit(status: Any = None, /) -> NoReturn:
    """Ends the program, as `sys.exit` does otherwise."""
    raise _Exit(status)
