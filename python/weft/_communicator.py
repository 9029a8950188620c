"""The group of ranks that communicate."""

from __future__ import annotations

import atexit
import os
import sys
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Protocol, TypeVar, Union

from . import _weft
from ._arguments import whole
from ._endings import endings
from ._errors import UsageError
from ._log import listener


class _Closable(Protocol):
    def close(self) -> None: ...


_environment: _weft.Environment | None = None
# What must be let go of before MPI ends.
_open: weakref.WeakSet[_Closable] = weakref.WeakSet()


def _close_all() -> None:
    global _environment
    for each in list(_open):
        each.close()
    environment, _environment = _environment, None
    if environment is None:
        return
    if environment.owns_mpi:
        environment.finish_with_process(endings.failed)
    elif endings.failed and _size_of_all > 1:
        _weft.abort_job("this rank has failed, and mpi4py would wait for the others")


_size_of_all = 1


def _own_world() -> _weft.Communicator:
    global _environment, _size_of_all
    if _environment is None:
        _environment = _weft.Environment()
        atexit.register(_close_all)
        _size_of_all = _environment.world().size
        endings.watch(and_exits=not _environment.owns_mpi)
        logger = listener()
        if logger is not None:
            logger.debug("rank %d of %d on %s", _environment.world().rank, _size_of_all, _weft.library_version().strip("\0\n ").splitlines()[0])
        for text in [*_environment.warnings, *_of_another_launcher(_size_of_all)]:
            warnings.warn(text, RuntimeWarning, stacklevel=3)
    return _environment.world()


def _of_another_launcher(size: int) -> list[str]:
    """Raises an error if a launcher has started several processes and MPI finds only one: the launcher then belongs to another
    MPI."""
    started = max((int(os.environ.get(name, "")) for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
                   if os.environ.get(name, "").isdigit()), default=1)
    if size > 1 or started < 2:
        return []
    ours = _weft.library_version().strip("\0\n ").splitlines()[0]
    return [f"a launcher started {started} processes, but this one is alone for MPI: Weft was built with {ours!r}; start it by the "
            "mpirun of that MPI"]


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
    """The group of ranks that communicate, and the state that Weft keeps for it.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        An intra-communicator. Weft duplicates `comm` at the first call and uses the duplicate in later calls, so messages of mpi4py and of
        Weft never mix. Without `comm`, the communicator has all ranks of the program; mpi4py is then not needed, and the call initialises
        MPI if no other code has done so. A program started without a launcher such as `mpirun` or `srun` has one rank.

    Raises
    ------
    UsageError
        `comm` is not an intra-communicator, or mpi4py uses another MPI.

    Notes
    -----
    Collective: the first call for each `comm`, over its ranks. Later calls with the same `comm` are local.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> 0 <= comm.rank < comm.size
    True
    """

    def __init__(self, comm: AnyCommunicator = None) -> None:
        if isinstance(comm, Communicator):
            self._comm: _weft.Communicator = comm._comm
        elif isinstance(comm, _weft.Communicator):
            self._comm = comm
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
        """Returns the communicator of the ranks that pass the same color, ordered by key, then by rank. Collective.

        Parameters
        ----------
        color : int
            The number of the group that this rank will belong to, at least 0.
        key : int
            Determines the order of the ranks that pass the same color.

        Raises
        ------
        UsageError
            On all ranks: a color is negative, or an argument is not an integer.

        Examples
        --------
        >>> import weft
        >>> comm = weft.Communicator()
        >>> comm.split(comm.rank).size
        1
        """
        with agreed(self._comm, "split"):
            at, order = whole("color", color, 0, 2**31 - 1), whole("key", key, -2**31, 2**31 - 1)
        made = Communicator.__new__(Communicator)
        made._comm = self._comm.split(at, order)
        return made

    def __repr__(self) -> str:
        return f"<weft.Communicator: rank {self.rank} of {self.size}>"


class CommLike(Protocol):
    """The methods of `mpi4py.MPI.Comm`, for type checkers."""

    def Get_rank(self) -> int: ...

    def Get_size(self) -> int: ...


AnyCommunicator = Union[Communicator, _weft.Communicator, CommLike, None]


def as_communicator(comm: AnyCommunicator) -> _weft.Communicator:
    """Returns the communicator of the library for one of Weft, one of mpi4py, or None, which means all ranks."""
    return comm._comm if isinstance(comm, Communicator) else Communicator(comm)._comm


def communicator_or_world(comm: Any) -> tuple[_weft.Communicator, UsageError | None]:
    """Returns the communicator for a collective call and None. If the argument is invalid, returns the
    communicator of all ranks, which usually make this call, too, and the error."""
    if isinstance(comm, _weft.Communicator):
        return comm, None
    try:
        return as_communicator(comm), None
    except UsageError as error:
        mpi = sys.modules.get("mpi4py.MPI")
        if mpi is not None and isinstance(comm, mpi.Comm):
            raise  # the ranks of another communicator do not call
        return _own_world(), error


@contextmanager
def waiting_with(wrong: UsageError | None) -> Iterator[None]:
    """Ends the job if a call has no valid communicator on this rank, and the other ranks do not make this call."""
    if wrong is None or _size_of_all == 1:
        yield
        return
    import threading  # takes a tenth of the time of importing this package

    alarm = threading.Timer(_PATIENCE, _weft.abort_job, [f"{wrong}; no other rank came to this call in {_PATIENCE} s"])
    alarm.daemon = True
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()


_PATIENCE = 10.0


_Agreed = TypeVar("_Agreed", bound="agreed")


class agreed:
    """A context in which a collective call converts its arguments, and compares those that must be equal on all ranks.

    Raises an exception of one rank on all ranks, or a `UsageError` if the compared texts differ. Functions of the program that
    run inside may not use the communicator. Collective.
    """

    def __init__(self, comm: Any, call: str) -> None:
        self.native, self._wrong = communicator_or_world(comm)
        self._texts = [call]
        self.largest = 0
        """The size of this rank until the end, then the largest of all ranks."""

    def same(self, text: str) -> None:
        """Adds to the text that is compared."""
        self._texts.append(text)

    def __enter__(self: _Agreed) -> _Agreed:
        _weft.enter_callback(self.native, self._texts[0])
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None) -> None:
        _weft.leave_callback()
        if value is not None and not isinstance(value, Exception):
            return
        # Names of files may have characters that are not UTF-8.
        text = " ".join(self._texts).encode("utf-8", "backslashreplace").decode()
        with waiting_with(self._wrong):
            self.largest = self.native.agree_same(text, self._wrong or value, self.largest)


def close_before_end(what: _Closable) -> None:
    """Closes `what` before MPI ends, if it still exists then."""
    _open.add(what)
