import numpy as np
import pytest
import scipy.sparse

import weft


def whole(parts):
    return np.concatenate(parts)


@pytest.mark.parametrize("shape", [(20, 20), (7, 13), (0, 3), (1, 1)])
def test_products_are_those_of_scipy(comm, shape):
    every = [scipy.sparse.random(*shape, density=0.3, random_state=rank, format="csr") for rank in range(comm.size)]
    matrix = weft.SparseMatrix(every[comm.rank], comm=comm)
    assert matrix.shape == shape and matrix.entries == sum(each.nnz for each in every)
    x = np.random.default_rng(3).random(shape[1])
    first, end = matrix.column_offsets[comm.rank : comm.rank + 2]
    for _ in range(2):
        y = matrix @ x[first:end]
    assert np.diff(matrix.row_offsets)[comm.rank] == len(y)
    assert np.allclose(whole(weft.all_gather(comm, y)), sum(each @ x for each in every))


def test_arrays_and_files(comm, shared_folder):
    mine = ([0, 2], [1, 2], [2.0, 3.0]) if comm.rank == 0 else ([], [], [])
    file = shared_folder / "matrix.mtx"
    if comm.rank == 0:
        file.write_text("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 2.0\n3 3 3.0\n")
    weft.all_gather(comm, None)
    for matrix in (weft.SparseMatrix(mine, shape=(3, 3), comm=comm), weft.SparseMatrix(file, comm=comm)):
        first, end = matrix.column_offsets[comm.rank : comm.rank + 2]
        assert whole(weft.all_gather(comm, matrix @ np.arange(3.0)[first:end])).tolist() == [2.0, 0.0, 6.0]
    first, end = (matrix.column_offsets[comm.rank + i] for i in (0, 1))
    assert whole(weft.all_gather(comm, weft.spmv(file, np.ones(3)[first:end], comm=comm))).tolist() == [2.0, 0.0, 3.0]


@pytest.mark.parametrize("make, text", [
    (lambda bad: ((object() if bad else ([], [], [])), (3, 3)), "matrix: expected a matrix of scipy.sparse"),
    (lambda bad: (([0], [0], [1.0]) if not bad else ([0, 1], [0], [1.0]), (3, 3)), r"rows: int64 of shape \(2,\)"),
    (lambda bad: (([0], [3 if bad else 0], [1.0]), (3, 3)), "columns: entry 0 is in 3; there are 3"),
    (lambda bad: (([0], [0], ["x" if bad else 1.0]), (3, 3)), "values: <U1"),
    (lambda bad: (([0], [0], [1.0]), (3,) if bad else (3, 3)), r"shape: \(3,\); expected"),
    (lambda bad: (([0], [0], [1.0]), (-3, 3) if bad else (3, 3)), "shape: "),
    (lambda bad: ("nowhere.mtx", (3, 3)), "shape: a file says itself"),
])
def test_bad_matrices_of_one_rank_are_errors_of_all(comm, make, text):
    matrix, shape = make(comm.rank == 0)
    with pytest.raises(weft.UsageError, match=text):
        weft.SparseMatrix(matrix, shape=shape, comm=comm)


def test_bad_vectors(comm):
    matrix = weft.SparseMatrix(([], [], []), shape=(4, 4), comm=comm)
    first, end = matrix.column_offsets[comm.rank : comm.rank + 2]
    for bad, text in [(np.ones(9), "x: 9 elements on rank 0"), (np.ones((1, 1)), "x: float64 of shape"), (["a"], "x: <U1")]:
        with pytest.raises(weft.UsageError, match=text):
            matrix @ (bad if comm.rank == 0 else np.ones(end - first))
    with pytest.raises(weft.InputError, match="nowhere.mtx"):
        weft.SparseMatrix("nowhere.mtx", comm=comm)
