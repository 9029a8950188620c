"""Reductions, gathers and broadcasts of values."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import rank
from ._arrays import Array, as_bytes, converted, is_scalar, plain, text_of
from ._communicator import AnyCommunicator, agreed, communicator_or_world, waiting_with
from ._errors import UsageError

Operator = Union[str, Callable[[Array, Array], Any]]

_NAMED = ("sum", "prod", "min", "max")


class _Reduction:
    """A copy of the values, and the operator as the extension takes it. Agreed."""

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
    """The operator as the extension takes it: a name, or a function of bytes."""
    if isinstance(op, str):
        if op not in _NAMED:
            raise UsageError(f"op: {op!r} is no operator; expected one of {', '.join(_NAMED)}, or a function of two arrays")
        if dtype.kind not in "iuf" or dtype.itemsize > 8 or dtype == np.float16:
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


def all_reduce(comm: AnyCommunicator, values: Any, op: Operator = "sum") -> Any:
    """Combines the values of all ranks, element by element; the result is on all ranks.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    values : array or scalar
        Of one dtype and shape on all ranks.
    op : {"sum", "prod", "min", "max"} or function
        A function takes two arrays of one dimension, the left one from lower ranks, and returns an array of the same length
        and dtype; it must be associative, and need not commute.

    Returns
    -------
    array or scalar
        As `values`.

    Raises
    ------
    UsageError
        On all ranks: dtypes, shapes or operators differ; a named operator does not take the dtype.
    RemoteError
        Elsewhere, where `op` raised; there the exception itself.

    Notes
    -----
    Collective: yes. Blocks: until all ranks have called. Sums of floats are taken in pairs of ranks, which depend on the
    number of ranks.

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


def reduce(comm: AnyCommunicator, values: Any, op: Operator = "sum", root: int = 0) -> Any:
    """Combines the values of all ranks on the root; None elsewhere. Else as `all_reduce`.

    Notes
    -----
    Collective: yes.

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


def scan(comm: AnyCommunicator, values: Any, op: Operator = "sum") -> Any:
    """Combines the values of the ranks 0 to this one. Else as `all_reduce`.

    Notes
    -----
    Collective: yes.

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


def _pickled(value: Any) -> tuple[bytes | None, BaseException | None]:
    try:
        return pickle.dumps(value, protocol=5), None
    except Exception as error:
        return None, error


def broadcast(comm: AnyCommunicator, value: Any = None, root: int = 0) -> Any:
    """Returns the value of the root on all ranks: an array, or anything that pickle takes.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    value : object
        Not looked at elsewhere than on the root.
    root : int
        The same on all ranks.

    Raises
    ------
    UsageError
        On all ranks: `root` is no rank, or differs.
    RemoteError
        Elsewhere, where pickling raised.

    Notes
    -----
    Collective: yes. The root gets a copy too.

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
        mine = pickle.dumps(value, protocol=5) if call.native.rank == source else None
    return pickle.loads(_weft.broadcast_bytes(call.native, mine, source, None))


def gather(comm: AnyCommunicator, value: Any) -> list[Any] | None:
    """Returns the values of all ranks, by rank, on rank 0; None elsewhere. Arrays, or anything that pickle takes.

    Raises
    ------
    RemoteError
        Elsewhere, where pickling raised.

    Notes
    -----
    Collective: yes. All values must fit into the memory of rank 0.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> ranks = weft.gather(comm, comm.rank)
    >>> comm.rank != 0 or ranks == list(range(comm.size))
    True
    """
    native, wrong = communicator_or_world(comm)
    mine, failure = _pickled(value)
    with waiting_with(wrong):
        all_values = _weft.gather_bytes(native, mine, wrong or failure)
    return [pickle.loads(each) for each in all_values] if native.rank == 0 else None


def all_gather(comm: AnyCommunicator, value: Any) -> list[Any]:
    """Returns the values of all ranks, by rank, on all ranks. Else as `gather`.

    Notes
    -----
    Collective: yes.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.all_gather(comm, comm.rank) == list(range(comm.size))
    True
    """
    native, wrong = communicator_or_world(comm)
    mine, failure = _pickled(value)
    with waiting_with(wrong):
        return [pickle.loads(each) for each in _weft.all_gather_bytes(native, mine, wrong or failure)]
