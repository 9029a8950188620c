"""The group of ranks that communicate."""

from __future__ import annotations

import atexit
import sys
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, Union

from . import _weft
from ._errors import UsageError


class _Closable(Protocol):
    def close(self) -> None: ...


_environment: _weft.Environment | None = None
# What must be let go of before MPI ends.
_open: weakref.WeakSet[_Closable] = weakref.WeakSet()


_failed = False


def _close_all() -> None:
    global _environment
    for each in list(_open):
        each.close()
    if _environment is not None:
        _environment.finish(_failed)
    _environment = None


def _tell_of_uncaught(before: Any) -> Any:
    """An exception that nobody catches ends this rank, and the others may wait for it."""

    def hook(kind: Any, value: Any, traceback: Any) -> None:
        global _failed
        _failed = True
        before(kind, value, traceback)

    return hook


@contextmanager
def agreed(native: _weft.Communicator, call: str) -> Iterator[None]:
    """Raises on all ranks what fails inside on one, or a `UsageError` where `call` differs between ranks. Collective."""
    failure: BaseException | None = None
    try:
        yield
    except Exception as error:
        failure = error
    native.agree_same(call, failure)


def _own_world() -> _weft.Communicator:
    global _environment
    if _environment is None:
        _environment = _weft.Environment()
        atexit.register(_close_all)
        sys.excepthook = _tell_of_uncaught(sys.excepthook)
        for text in _environment.warnings:
            warnings.warn(text, RuntimeWarning, stacklevel=3)
    return _environment.world()


def _from_mpi4py(comm: Any) -> _weft.Communicator:
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is None or not isinstance(comm, mpi.Comm):
        raise UsageError(f"comm: expected a communicator of mpi4py or None, not {type(comm).__name__}")
    # Another library of MPI in the process would give meaningless handles.
    theirs = mpi.Get_library_version().strip("\0\n ")
    ours = _weft.library_version().strip("\0\n ")
    if theirs != ours:
        raise UsageError(f"comm: mpi4py runs on {theirs.splitlines()[0]!r}, Weft was built with {ours.splitlines()[0]!r}; "
                         "build one of the two with the MPI of the other")
    _own_world()  # closes what is open before MPI ends
    return _weft.Communicator.at(mpi._addressof(comm))


class Communicator:
    """The ranks that communicate, with all that Weft keeps for them.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        An intra-communicator. Weft duplicates it once and finds the duplicate again: messages of mpi4py and of Weft never
        mix. Without it, the communicator has all ranks of the program; mpi4py is not needed, and MPI is initialised here
        if nobody did. A program that was not started by `mpirun` has one rank.

    Raises
    ------
    UsageError
        `comm` is no such communicator, or mpi4py runs on another MPI.

    Notes
    -----
    Collective: over `comm`, the first time for each `comm`; local afterwards.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> 0 <= comm.rank < comm.size
    True
    """

    def __init__(self, comm: Any = None) -> None:
        if isinstance(comm, Communicator):
            self._comm: _weft.Communicator = comm._comm
        else:
            self._comm = _own_world() if comm is None else _from_mpi4py(comm)

    @property
    def rank(self) -> int:
        """The number of this rank, from 0."""
        return self._comm.rank

    @property
    def size(self) -> int:
        """The number of ranks."""
        return self._comm.size

    def split(self, color: int, key: int = 0) -> Communicator:
        """Returns the communicator of the ranks that give the same color, ordered by key, then by rank.

        Parameters
        ----------
        color : int
            Not negative.
        key : int
            Orders the ranks of a color.

        Raises
        ------
        UsageError
            On all ranks, for a negative color on one.

        Notes
        -----
        Collective: yes.

        Examples
        --------
        >>> import weft
        >>> comm = weft.Communicator()
        >>> comm.split(comm.rank).size
        1
        """
        made = Communicator.__new__(Communicator)
        made._comm = self._comm.split(color, key)
        return made

    def __repr__(self) -> str:
        return f"<weft.Communicator: rank {self.rank} of {self.size}>"


AnyCommunicator = Union[Communicator, Any, None]


def as_communicator(comm: AnyCommunicator) -> _weft.Communicator:
    """The communicator of the library for one of Weft, one of mpi4py, or None: all ranks."""
    return comm._comm if isinstance(comm, Communicator) else Communicator(comm)._comm


def close_before_end(what: _Closable) -> None:
    """Closes `what` before MPI ends, if it is still there then."""
    _open.add(what)
