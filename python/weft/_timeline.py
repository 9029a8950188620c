"""Timelines: pictures of the activity of all ranks over time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from . import _weft
from ._arguments import path, text, whole
from ._communicator import AnyCommunicator, agreed, as_communicator
from ._convention import on_ranks


@on_ranks
@contextmanager
def timeline(file: str | os.PathLike[str], *, title: str = "", comm: AnyCommunicator = None) -> Iterator[None]:
    """Records a timeline of all ranks until the end of the `with` block, and writes it to a file.

    Collective, at the beginning and at the end of the block. If the block raises an exception on a rank, no file is written.

    Parameters
    ----------
    file : path
        `FILE.html` is a page that needs no other file; it shows a row for each rank, coloured by the rank's activity. `FILE.json` can be
        opened in Perfetto or chrome://tracing. Rank 0 writes it.
    title : str
        The text above the picture.
    comm : Communicator, mpi4py.MPI.Comm or None

    Raises
    ------
    UsageError
        On all ranks: the name ends neither in `.html` nor in `.json`, names differ between ranks, or the communicator already has a
        timeline.
    InputError
        On all ranks: the file cannot be written.
    RemoteError
        At the end of the block, if the block raised an exception on another rank. The rank with the exception waits 2 s until the other
        ranks arrive at the end of the block; after this time it raises the exception alone.

    Examples
    --------
    >>> import os, tempfile, weft
    >>> comm = weft.Communicator()
    >>> folder = weft.broadcast(comm, tempfile.mkdtemp() if comm.rank == 0 else None)
    >>> with weft.timeline(os.path.join(folder, "run.html")):
    ...     with weft.span("add up"):
    ...         total = weft.all_reduce(comm, 1)
    >>> os.path.exists(os.path.join(folder, "run.html"))
    True
    """
    with agreed(comm, "timeline") as call:
        page, above = path("file", file), text("title", title)
        call.same(f"of {page}")
    recording = _weft.Recording(call.native, page, above)
    try:
        yield
    except BaseException as error:
        recording.close()
        if isinstance(error, Exception):
            _tell_at_end(call.native, error)
        raise
    _weft.begin_pieces(call.native, [], [], [], _END, 1, None, False, None).get()
    recording.write()


_END = "the end of a timeline"
_SECONDS = 2.0


def _tell_at_end(native: _weft.Communicator, error: Exception) -> None:
    """Sends the error to the ranks that also reach the end of the block. It does not wait long for other ranks: the exception
    then ends this rank, and with it the job."""
    meeting = _weft.begin_pieces(native, [], [], [], _END, 1, None, False, error)
    limit = time.monotonic() + _SECONDS
    while not meeting.test():
        if time.monotonic() > limit:
            meeting.close()
            return
        time.sleep(0.001)
    with suppress(Exception):  # this rank goes on with its own
        meeting.get()


@on_ranks
@contextmanager
def span(name: str, number: int = -1, *, comm: AnyCommunicator = None) -> Iterator[None]:
    """Shows the work inside the `with` block under a name in timelines. Local.

    Parameters
    ----------
    name : str
        The name of the work. Use few different names, since they are kept until the program ends.
    number : int
        A number that the timeline shows, for instance of a step or a block. A negative number is not shown.
    comm : Communicator, mpi4py.MPI.Comm or None

    Raises
    ------
    UsageError
        The name is not a text.

    Examples
    --------
    >>> import weft
    >>> with weft.span("first guess"):
    ...     guess = 1.0
    """
    text("name", name)
    number = whole("number", number, -2**63, 2**63 - 1)
    native = _weft.Span(as_communicator(comm), name, int(number))
    try:
        yield
    finally:
        native.end()
