"""Pictures of what the ranks do when."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from . import _weft
from ._communicator import AnyCommunicator, as_communicator
from ._errors import UsageError


@contextmanager
def timeline(file: str | os.PathLike[str], *, title: str = "", comm: AnyCommunicator = None) -> Iterator[None]:
    """Records what all ranks do until the end of the block, and writes a picture of it.

    Parameters
    ----------
    file : path
        `FILE.html` is a page that needs nothing else: a lane a rank, coloured by what its time went into. `FILE.json` is for
        Perfetto and chrome://tracing. Rank 0 writes it.
    title : str
        What stands above the picture.
    comm : Communicator, mpi4py.MPI.Comm or None

    Raises
    ------
    UsageError
        On all ranks: a name of neither kind; files that differ; this communicator records already.
    InputError
        On all ranks: the file cannot be written.
    RemoteError
        At the end of the block, where it raised on another rank.

    Notes
    -----
    Collective: yes, at both ends. Where the block raises on a rank nothing is written.

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
    native = as_communicator(comm)
    failure: BaseException | None = None
    path = ""
    try:
        path = os.fspath(file)
        if not isinstance(path, str) or not isinstance(title, str):
            raise UsageError("file, title: expected texts")
    except Exception as error:
        failure = error if isinstance(error, UsageError) else UsageError(f"file: {error}")
    native.agree_same(f"timeline of {path}", failure)
    recording = _weft.Recording(native, path, title)
    try:
        yield
    except BaseException as error:
        recording.close()
        if isinstance(error, Exception):
            native.agree_same("end of a timeline", error)
        raise
    native.agree_same("end of a timeline", None)
    recording.write()


@contextmanager
def span(name: str, number: int = -1, *, comm: AnyCommunicator = None) -> Iterator[None]:
    """Names what the program does until the end of the block, in timelines. Local.

    Parameters
    ----------
    name : str
        A program has few: names are kept until it ends.
    number : int
        Of a step, a block, what you like; negative: none.
    comm : Communicator, mpi4py.MPI.Comm or None

    Raises
    ------
    UsageError
        A name that is no text.

    Examples
    --------
    >>> import weft
    >>> with weft.span("first guess"):
    ...     guess = 1.0
    """
    if not isinstance(name, str) or not isinstance(number, int):
        raise UsageError(f"name, number: expected a text and an integer, not {type(name).__name__} and {type(number).__name__}")
    native = _weft.Span(as_communicator(comm), name, number)
    try:
        yield
    finally:
        native.end()
