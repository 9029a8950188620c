"""Ends the job if this process ends by an uncaught exception, by `sys.exit` with a status, or by Ctrl-C in a call that waits for other
ranks."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any, NoReturn

from . import _weft

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


class Endings:
    """The reason for which this process ends, as far as known when the interpreter begins to end."""

    def __init__(self) -> None:
        self.failed = False

    def watch(self, *, and_exits: bool) -> None:
        """Begins to watch for the end of the process, including exits that end MPI before the exit status is known."""
        before = sys.excepthook

        def hook(kind: Any, value: Any, traceback: Any) -> None:
            self.failed = True
            before(kind, value, traceback)

        sys.excepthook = hook
        if and_exits:
            sys.exit = _exit
        _watch_interrupts()


endings = Endings()


class _Exit(SystemExit):
    """A `SystemExit` that detects the end of the program: if it was not caught, no frame is left when the interpreter reads its
    status."""

    def __init__(self, status: Any) -> None:
        super().__init__(status)
        self._status = status

    @property
    def code(self) -> Any:  # type: ignore[override]
        if sys._getframe().f_back is None and self._status not in (None, 0):
            endings.failed = True
        return self._status


def _exit(status: Any = None, /) -> NoReturn:
    """Ends the program, in place of `sys.exit`."""
    raise _Exit(status)


_SECONDS_TO_SEE = 1.0


def _watch_interrupts() -> None:
    """Ends the job if SIGINT arrives while this rank waits in a call of Weft.

    Python raises `KeyboardInterrupt` only when the call is over, which may be never; and the other ranks of a collective call
    could not go on without this one.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # Python lets the main thread alone do this
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    earlier = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    if earlier != -1:  # of an event loop, which needs it
        signal.set_wakeup_fd(earlier)
        os.close(reader)
        os.close(writer)
        return
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _leave_pipe(writer))
    threading.Thread(target=_read_signals, args=(reader, threading.main_thread().ident), name="weft: signals", daemon=True).start()


def _leave_pipe(writer: int) -> None:
    earlier = signal.set_wakeup_fd(-1)
    if earlier not in (-1, writer):
        signal.set_wakeup_fd(earlier)


def _read_signals(reader: int, main: Any) -> None:
    while True:
        numbers = os.read(reader, 64)
        if not numbers:
            return
        if signal.SIGINT not in numbers or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            continue
        before = _place_of(main)
        if before is not None and not _moves_on(main, before):
            _weft.abort_job(f"interrupted (SIGINT) in {before[2]}, which waits")


def _moves_on(main: Any, before: Any) -> bool:
    threading.Event().wait(_SECONDS_TO_SEE)
    return bool(_place_of(main) != before)


def _place_of(main: Any) -> Any:
    """Returns the position of the main thread, if it is in a call of Weft: the frame, its instruction, and the name of the
    function."""
    frame = sys._current_frames().get(main)
    if frame is None or os.path.dirname(os.path.abspath(frame.f_code.co_filename)) != _PACKAGE:
        return None
    place, outer = (id(frame), frame.f_lasti), frame
    while outer.f_back is not None and os.path.dirname(os.path.abspath(outer.f_back.f_code.co_filename)) == _PACKAGE:
        outer = outer.f_back
    caller = outer.f_back
    where = "" if caller is None else f" called at {caller.f_code.co_filename}:{caller.f_lineno}"
    return (*place, f"weft.{outer.f_code.co_name}{where}")
