"""Positions of the least and the greatest value of all ranks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _weft
from ._arrays import Array, as_bytes, plain, text_of
from ._collective import native_operator
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import UsageError


class Place(NamedTuple):
    """A value, the rank that has it, and its position on that rank.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> found = weft.argmax(comm, [comm.rank, -1])
    >>> (found.value, found.rank, found.position) == (comm.size - 1, comm.size - 1, 0)
    True
    """

    value: Any
    """The smallest or greatest value, in the dtype of the values."""
    rank: int
    """The rank that has the value."""
    position: int
    """The index of the value in the flattened array of the rank `rank`."""


def _place(comm: AnyCommunicator, call: str, values: Any, largest: bool) -> Place:
    with agreed(comm, call) as opened:
        array = plain("values", values).reshape(-1)
        if array.dtype.kind not in "biuf" or not array.dtype.isnative:
            raise UsageError(f"values: {call} takes truth values, integers and floats of this machine's byte order, not {array.dtype}")
        opened.same(f"of {text_of(array.dtype)}")
        best = np.zeros(1, [("value", array.dtype), ("rank", np.int64), ("index", np.int64)])
        best["rank"] = -1
        if array.size:
            index = int(array.argmax() if largest else array.argmin())
            best[0] = array[index], opened.native.rank, index

        def better(left: Array, right: Array) -> Array:
            both = [each[0] for each in (left, right) if each[0]["rank"] >= 0]
            if not both:
                return left
            of_both = np.array([each["value"] for each in both])
            return np.array([both[int(of_both.argmax() if largest else of_both.argmin())]], best.dtype)

        how = native_operator(better, best.dtype)
    _weft.reduce_in_place(opened.native, as_bytes(best), how, best.dtype.kind, best.itemsize, None)
    if best["rank"][0] < 0:
        raise UsageError("values: no rank has any")
    return Place(best["value"][0], int(best["rank"][0]), int(best["index"][0]))


@on_ranks
def argmin(values: Any, *, comm: AnyCommunicator = None) -> Place:
    """Finds the smallest value of all ranks, the rank that has it, and its position on that rank.

    Collective. Blocks: until all ranks have called.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    values : array or scalar
        Values of the same dtype on all ranks; each rank may pass any number of values. An array of several dimensions is flattened.

    Returns
    -------
    Place
        A tuple (value, rank, position). Among equal values, the result is the first value of the lowest rank. If a value is NaN, the result
        is the first NaN.

    Raises
    ------
    UsageError
        On all ranks: dtypes differ or are not numbers, or no rank has values.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> place = weft.argmin(comm, [5 + comm.rank, 3 + comm.rank])
    >>> place.rank, place.position
    (0, 1)
    """
    return _place(comm, "argmin", values, False)


@on_ranks
def argmax(values: Any, *, comm: AnyCommunicator = None) -> Place:
    """Finds the greatest value of all ranks, the rank that has it, and its position on that rank. All else is the same as for `argmin`. Collective.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.argmax(comm, [comm.rank]).rank == comm.size - 1
    True
    """
    return _place(comm, "argmax", values, True)
