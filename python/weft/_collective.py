"""Reductions, gathers and broadcasts of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import rank
from ._arrays import Array, as_bytes, converted, is_scalar, plain, text_of
from ._communicator import AnyCommunicator, agreed, communicator_or_world, waiting_with
from ._convention import on_ranks
from ._errors import UsageError
from ._exchange import exchange
from ._large_values import LARGE, broadcast_large, gather_large, room_for
from ._values import decoded, encoded

Operator = Union[Literal["sum", "prod", "min", "max", "and", "or", "xor"], Callable[[Array, Array], Any]]

_LOGICAL = ("and", "or", "xor")
_NAMED = ("sum", "prod", "min", "max", *_LOGICAL)


class _Reduction:
    """A copy of the values, and the operator in the form of the C++ extension. An error on one rank is raised on all."""

    def __init__(self, comm: AnyCommunicator, call: str, values: Any, op: Operator, root: Any = None) -> None:
        self.root = None
        with agreed(comm, call) as opened:
            self.scalar = is_scalar(values)
            self.array = plain("values", values).copy()
            self.how = native_operator(op, self.array.dtype)
            if root is not None:
                self.root = rank("root", root, opened.native.size)
            opened.same(f"of {text_of(self.array.dtype)}{[] if self.scalar else list(self.array.shape)} by "
                        f"{op if isinstance(op, str) else 'a function'}, root {self.root}")
        self.native = opened.native
        self.kind, self.element_bytes = self.array.dtype.kind, self.array.itemsize

    def result(self) -> Any:
        return self.array[0] if self.scalar else self.array


def native_operator(op: Operator, dtype: np.dtype[Any]) -> Any:
    """Returns the operator in the form of the C++ extension: a name, or a function of bytes."""
    if isinstance(op, str):
        if op not in _NAMED:
            raise UsageError(f"op: {op!r} is no operator; expected one of {', '.join(_NAMED)}, or a function of two arrays")
        if op in _LOGICAL:
            if dtype.kind not in "biu":
                raise UsageError(f"op: {op!r} takes truth values and integers, bit by bit, not {dtype}")
        elif dtype.kind not in "iuf" or dtype.itemsize > 8 or dtype == np.float16:
            raise UsageError(f"op: {op!r} takes integers, float32 and float64, not {dtype}; give a function of two arrays")
        if not dtype.isnative:
            raise UsageError(f"values: their dtype {dtype} has another byte order than this machine")
        return op
    if not callable(op):
        raise UsageError(f"op: expected a name or a function of two arrays, not {type(op).__name__}")
    return _on_bytes(op, dtype)


def _on_bytes(op: Callable[[Array, Array], Any], dtype: np.dtype[Any]) -> Callable[[bytearray, bytearray], NDArray[np.uint8]]:
    def combine(left: bytearray, right: bytearray) -> NDArray[np.uint8]:
        made = converted("the result of op", op(np.frombuffer(left, dtype), np.frombuffer(right, dtype)), dtype)
        return as_bytes(np.ascontiguousarray(made))

    return combine


@on_ranks
def all_reduce(values: Any, op: Operator = "sum", *, comm: AnyCommunicator = None) -> Any:
    """Combines the values of all ranks, element by element; the result is on all ranks.

    Collective. Blocks: until all ranks have called. Sums of floats are computed over pairs of ranks, so the rounding of a sum depends on
    the number of ranks.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    values : array or scalar
        Values of the same dtype and shape on all ranks.
    op : {"sum", "prod", "min", "max", "and", "or", "xor"} or function
        The operators "and", "or" and "xor" work on booleans, and on integers bit by bit. A function takes two arrays of one dimension, of
        which the first comes from lower ranks, and returns an array of the same length and dtype. The function must be associative, but
        need not be commutative.

    Returns
    -------
    array or scalar
        The combined values, in the form of `values`.

    Raises
    ------
    UsageError
        On all ranks: dtypes, shapes or operators differ between ranks, or a named operator does not take the dtype.
    RemoteError
        On the other ranks, if `op` raised an exception on one rank; that rank raises the exception itself.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> int(weft.all_reduce(comm, 1)) == comm.size
    True
    >>> weft.all_reduce(comm, np.array([comm.rank, 7]), np.minimum).tolist()
    [0, 7]
    """
    of = _Reduction(comm, "all_reduce", values, op)
    _weft.reduce_in_place(of.native, as_bytes(of.array), of.how, of.kind, of.element_bytes, None)
    return of.result()


@on_ranks
def reduce(values: Any, op: Operator = "sum", root: int = 0, *, comm: AnyCommunicator = None) -> Any:
    """Combines the values of all ranks on the root, and returns None on other ranks. All else is the same as for `all_reduce`. Collective.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> total = weft.reduce(comm, 1.5)
    >>> comm.rank != 0 or float(total) == 1.5 * comm.size
    True
    """
    of = _Reduction(comm, "reduce", values, op, root)
    _weft.reduce_in_place(of.native, as_bytes(of.array), of.how, of.kind, of.element_bytes, of.root)
    return of.result() if of.native.rank == of.root else None


@on_ranks
def scan(values: Any, op: Operator = "sum", *, comm: AnyCommunicator = None) -> Any:
    """Combines the values of the ranks from 0 up to this rank, including its own. All else is the same as for `all_reduce`. Collective.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> int(weft.scan(comm, 1)) == comm.rank + 1
    True
    """
    of = _Reduction(comm, "scan", values, op)
    _weft.scan_in_place(of.native, as_bytes(of.array), of.how, of.kind, of.element_bytes)
    return of.result()


@on_ranks
def exscan(values: Any, op: Operator = "sum", initial: Any = None, *, comm: AnyCommunicator = None) -> Any:
    """Combines the values of the ranks before this one. All else is the same as for `all_reduce`. Collective.

    Parameters
    ----------
    initial : object, optional
        The result on rank 0. Default: 0 for sums, 1 for products, False for `or` and `xor`, otherwise None.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> int(weft.exscan(comm, 2)) == 2 * comm.rank
    True
    """
    of = _Reduction(comm, "exscan", values, op)
    _weft.scan_in_place(of.native, as_bytes(of.array), of.how, of.kind, of.element_bytes)
    to_next = {of.native.rank + 1: of.array.reshape(-1)} if of.native.rank + 1 < of.native.size else {}
    before = exchange(of.native, to_next, dtype=of.array.dtype)
    if of.native.rank > 0:
        of.array = before.array.reshape(of.array.shape)
        return of.result()
    if initial is not None or not isinstance(op, str) or op not in _NEUTRAL:
        return initial
    of.array = np.full_like(of.array, _NEUTRAL[op])
    return of.result()


_NEUTRAL = {"sum": 0, "prod": 1, "or": 0, "xor": 0}


@on_ranks
def barrier(*, comm: AnyCommunicator = None) -> None:
    """Waits until all ranks have called.

    Collective. While a rank waits, it sends and receives messages of `start_exchange` and of mailboxes.

    Examples
    --------
    >>> import weft
    >>> weft.barrier()
    """
    with agreed(comm, "barrier"):
        pass


@on_ranks
def broadcast(value: Any = None, root: int = 0, *, comm: AnyCommunicator = None) -> Any:
    """Returns the value of the root on all ranks: an array, or any object that can be pickled.

    Collective. The root, too, gets a copy of the value.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    value : object
        Ranks other than the root may pass anything.
    root : int
        The rank that has the value; the same on all ranks.

    Raises
    ------
    UsageError
        On all ranks: `root` is not a rank, or differs between ranks.
    RemoteError
        On the other ranks, if pickling raised an exception on one rank.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.broadcast(comm, [1, 2] if comm.rank == 0 else None)
    [1, 2]
    """
    with agreed(comm, "broadcast") as call:
        source = rank("root", root, call.native.size)
        call.same(f"of rank {source}")
        raw, ending = encoded(value) if call.native.rank == source else (None, None)
        own = None if raw is None else room_for(raw)
        call.largest = 0 if raw is None else len(raw)
    if call.largest >= LARGE:
        return broadcast_large(call.native, raw, own, ending, source)
    return decoded(_weft.broadcast_bytes(call.native, raw, ending, source))


@on_ranks
def scatter(values: Any = None, root: int = 0, *, comm: AnyCommunicator = None) -> Any:
    """Sends each rank one of the values of the root, and returns this rank's value: an array, or any object that can be pickled.
    Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    values : sequence
        One value for each rank, in the order of ranks. Ranks other than the root may pass anything.
    root : int
        The rank that has the values; the same on all ranks.

    Raises
    ------
    UsageError
        On all ranks: `root` is not a rank or differs between ranks, or the number of values is not the number of ranks.
    RemoteError
        On the other ranks, if pickling raised an exception on one rank.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.scatter(comm, range(comm.size) if comm.rank == 0 else None) == comm.rank
    True
    """
    with agreed(comm, "scatter") as call:
        source = rank("root", root, call.native.size)
        call.same(f"of rank {source}")
        parts = list[Any]()
        if call.native.rank == source:
            if not isinstance(values, Sequence) and not isinstance(values, np.ndarray) or len(values) != call.native.size:
                raise UsageError(f"values: expected a sequence of {call.native.size} values, one for each rank")
            parts = [encoded(values[to]) for to in range(call.native.size)]
    received = _weft.begin_pieces(call.native, list(range(len(parts))), [raw for raw, _ in parts], [ending for _, ending in parts],
                                  "scattered values", 0, None, True, None).get()
    return decoded(received.view(0))


@on_ranks
def gather(value: Any, root: int = 0, *, comm: AnyCommunicator = None) -> list[Any] | None:
    """Returns a list of the values of all ranks, in the order of ranks, on the root, and None on other ranks. Values are arrays, or any
    objects that can be pickled.

    Collective. All values must fit into the memory of the root.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    value : object
    root : int
        The rank that gets the list; the same on all ranks.

    Raises: as `broadcast`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> ranks = weft.gather(comm, comm.rank)
    >>> comm.rank != 0 or ranks == list(range(comm.size))
    True
    """
    with agreed(comm, "gather") as call:
        sink = rank("root", root, call.native.size)
        call.same(f"on rank {sink}")
        raw, ending = encoded(value)
        call.largest = len(raw)
    if call.largest >= LARGE:
        return gather_large(call.native, raw, ending, sink)
    if sink == 0:
        every = _weft.gather_bytes(call.native, raw, ending, None)
    else:
        to_root = _weft.begin_pieces(call.native, [sink], [raw], [ending], "gathered values", 0, None, True, None).get()
        every = [to_root.view(index) for index in range(len(to_root.sources))]
    return [decoded(each) for each in every] if call.native.rank == sink else None


@on_ranks
def all_gather(value: Any, *, comm: AnyCommunicator = None) -> list[Any]:
    """Returns on all ranks a list of the values of all ranks, in the order of ranks. All else is the same as for `gather`. Collective.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.all_gather(comm, comm.rank) == list(range(comm.size))
    True
    """
    native, wrong = communicator_or_world(comm)
    failure: BaseException | None = wrong
    raw: NDArray[np.uint8] | None = None
    ending: bytes | None = None
    try:
        raw, ending = encoded(value)
    except Exception as error:
        failure = failure or error
    with waiting_with(wrong):
        return [decoded(each) for each in _weft.all_gather_bytes(native, raw, ending, failure)]
