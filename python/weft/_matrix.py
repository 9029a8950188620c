"""Sparse matrices over all ranks, and their products with vectors."""

from __future__ import annotations

import os
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import path, whole
from ._arrays import plain
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks, on_ranks_overloaded
from ._errors import UsageError
from ._graph_input import Held, refuse_share_of_file, share_of, text_of_share
from ._log import logged

Floats = NDArray[np.float64]


def _floats(name: str, value: Any) -> Floats:
    array = plain(name, value)
    if array.dtype.kind not in "iufb" or array.ndim != 1:
        raise UsageError(f"{name}: {array.dtype} of shape {array.shape}; expected numbers of one dimension")
    return np.ascontiguousarray(array, np.float64)


def _entries(matrix: Any, shape: Any) -> tuple[NDArray[np.int64], Floats, tuple[int, int]]:
    if hasattr(matrix, "tocoo"):
        coo = matrix.tocoo()
        places, values = np.stack([coo.row, coo.col], axis=1).astype(np.int64), _floats("matrix", coo.data)
        return places, values, (int(coo.shape[0]), int(coo.shape[1]))
    if not isinstance(matrix, (tuple, list)) or len(matrix) != 3:
        raise UsageError(f"matrix: expected a matrix of scipy.sparse, a file, or (rows, columns, values), not "
                         f"{type(matrix).__name__}")
    if shape is None or np.ndim(shape) != 1 or len(shape) != 2:
        raise UsageError(f"shape: {shape!r}; expected (rows, columns)")
    size = whole("shape", shape[0], 0, 2**62 - 1), whole("shape", shape[1], 0, 2**62 - 1)
    values = _floats("values", matrix[2])
    parts = [plain(name, part) for name, part in zip(("rows", "columns"), matrix)]
    for name, part in zip(("rows", "columns"), parts):
        if part.shape != values.shape or part.size and part.dtype.kind not in "iu":
            raise UsageError(f"{name}: {part.dtype} of shape {part.shape}; expected an integer for each of {len(values)} values")
    return np.stack([part.astype(np.int64) for part in parts], axis=1), values, size


class SparseMatrix:
    """A sparse matrix. The rows of the matrix, and the vectors, are distributed over the ranks in blocks of equal size. Collective.

    Parameters
    ----------
    matrix : scipy.sparse matrix, path, or (rows, columns, values)
        The entries that this rank passes, from any part of the matrix; each entry is on one rank only. Duplicates are added. A path is the
        name of a file in any format that the command `weft` reads, the same on all ranks.
    shape : (int, int)
        With three arrays: the numbers of rows and columns of the whole matrix.
    held : {"parts", "whole"}, optional
        "parts" if each rank passes a part of the entries (the default), "whole" if all ranks pass all entries.
    comm : Communicator, mpi4py.MPI.Comm or None

    Raises
    ------
    UsageError
        On all ranks: arrays that are not entries of a matrix, an entry outside of the matrix, shapes that differ between ranks.
    InputError
        On all ranks: a file that cannot be read.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> mine = [0, 1, 2] if comm.rank == 0 else []
    >>> twice = weft.SparseMatrix((mine, mine, [2.0] * len(mine)), shape=(3, 3), comm=comm)
    >>> first, end = twice.column_offsets[comm.rank : comm.rank + 2]
    >>> y = twice @ np.arange(3.0)[first:end]
    >>> np.concatenate(weft.all_gather(comm, y)).tolist()
    [0.0, 2.0, 4.0]
    """

    @overload
    def __init__(self, matrix: Any, *, shape: tuple[int, int] | None = None, held: Held = None, comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, matrix: Any, /, *, shape: tuple[int, int] | None = None, held: Held = None) -> None: ...

    @on_ranks_overloaded
    def __init__(self, matrix: Any, *, shape: tuple[int, int] | None = None, held: Held = None, comm: AnyCommunicator = None) -> None:
        file: str | None = None
        with agreed(comm, "SparseMatrix") as call:
            if isinstance(matrix, (str, os.PathLike)):
                file = path("matrix", matrix)
                refuse_share_of_file(held)
                if shape is not None:
                    raise UsageError("shape: a file says itself how large it is")
                call.same(f"of {file}")
            else:
                places, values, size = _entries(matrix, shape)
                for name, column, most in zip(("rows", "columns"), places.T, size):
                    bad = np.flatnonzero((column < 0) | (column >= most))
                    if len(bad):
                        raise UsageError(f"{name}: entry {bad[0]} is in {column[bad[0]]}; there are {most}")
                call.same(f"of {text_of_share(held, len(values))}shape {size}")
                mine = share_of(held, call.native, len(values))
                places, values = places[mine], values[mine]
        self._native = native = call.native
        self._matrix = (_weft.SparseMatrix.of_file(native, file) if file is not None else
                        _weft.SparseMatrix.of_entries(native, *size, places, values))

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns of the whole matrix."""
        return int(self._matrix.row_offsets[-1]), int(self._matrix.column_offsets[-1])

    @property
    def entries(self) -> int:
        """The number of entries of the whole matrix."""
        return self._matrix.entries

    @property
    def row_offsets(self) -> NDArray[np.int64]:
        """Rank r has the rows from `row_offsets[r]` up to `row_offsets[r + 1]`; shape (size + 1,)."""
        return self._matrix.row_offsets

    @property
    def column_offsets(self) -> NDArray[np.int64]:
        """Rank r has the elements of an input vector from `column_offsets[r]` up to `column_offsets[r + 1]`; shape (size +
        1,)."""
        return self._matrix.column_offsets

    @logged
    def multiply(self, x: Any) -> Floats:
        """Returns this rank's rows of the product of the matrix and a vector.

        Collective. The result is the same to the last bit at any number of ranks.

        Parameters
        ----------
        x : array, shape (columns of this rank,)
            This rank's part of the vector, as given by `column_offsets`.

        Raises
        ------
        UsageError
            On all ranks: the part of one rank has a wrong length.
        """
        with agreed(self._native, "multiply"):
            part = _floats("x", x)
            first, end = self.column_offsets[self._native.rank : self._native.rank + 2]
            if len(part) != end - first:
                raise UsageError(f"x: {len(part)} elements on rank {self._native.rank}; expected {end - first}")
        rows = self.row_offsets[self._native.rank : self._native.rank + 2]
        y = np.empty(int(rows[1] - rows[0]))
        self._matrix.multiply(part, y)
        return y

    __matmul__ = multiply

    def __repr__(self) -> str:
        return f"<weft.SparseMatrix of shape {self.shape}: {self.entries} entries>"


@on_ranks
def spmv(matrix: Any, x: Any, *, shape: tuple[int, int] | None = None, held: Held = None, comm: AnyCommunicator = None) -> Floats:
    """Multiplies a sparse matrix and a vector once, as does `SparseMatrix(matrix, shape=shape, held=held, comm=comm).multiply(x)`.
    Collective.

    Parameters, errors: as `SparseMatrix`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> n = comm.size
    >>> weft.spmv(([comm.rank], [n - 1 - comm.rank], [1.0]), [float(comm.rank)], shape=(n, n)).tolist() == [n - 1 - comm.rank]
    True
    """
    return SparseMatrix(matrix, shape=shape, held=held, comm=comm).multiply(x)
