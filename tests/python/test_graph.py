import numpy as np
import pytest

import weft

EDGES = np.array([[0, 1], [1, 2], [2, 0], [2, 3], [4, 5], [6, 6]])


def own(comm, edges):
    return edges[comm.rank :: comm.size]


def whole(comm, values):
    return np.concatenate(weft.all_gather(comm, np.asarray(values))).tolist()


def test_components_of_an_array(comm):
    found = weft.components(own(comm, EDGES), vertices=8, comm=comm)
    assert (found.components, found.isolated, found.largest, found.vertex_count) == (4, 2, [4, 2, 1, 1], 8)
    assert whole(comm, found.vertices) == list(range(8))
    assert whole(comm, found.labels) == [0, 0, 0, 0, 4, 4, 6, 7]


def test_vertices_that_occur(comm):
    found = weft.components(own(comm, EDGES * 1000 - 3), comm=comm)
    assert whole(comm, found.vertices) == [v * 1000 - 3 for v in range(7)]
    assert whole(comm, found.labels) == [v * 1000 - 3 for v in [0, 0, 0, 0, 4, 4, 6]]


def test_components_of_a_sparse_matrix(comm):
    from scipy import sparse

    mine = own(comm, EDGES)
    matrix = sparse.csr_array((np.ones(len(mine)), mine.T), shape=(8, 8))
    found = weft.components(matrix, comm=comm)
    assert whole(comm, found.labels) == [0, 0, 0, 0, 4, 4, 6, 7]


def test_components_of_a_file(comm, tmp_path_factory):
    path = None
    if comm.rank == 0:
        path = tmp_path_factory.mktemp("graph") / "graph.txt"
        path.write_text("ann bob\nbob cid\ndan eve\n")
    path = weft.broadcast(comm, path)
    found = weft.components(path, comm=comm)
    assert found.components == 2
    assert whole(comm, found.labels) == ["ann", "ann", "ann", "dan", "dan"]


def test_degrees(comm):
    found = weft.degrees(own(comm, EDGES), vertices=8, comm=comm)
    assert whole(comm, found.degrees) == [2, 2, 3, 1, 1, 1, 0, 0]
    assert found.histogram == {0: 2, 1: 3, 2: 2, 3: 1} and found.largest == 3


def test_distances(comm):
    found = weft.bfs(own(comm, EDGES), 3, vertices=8, comm=comm)
    assert whole(comm, found.distances) == [2, 2, 1, 0, -1, -1, -1, -1] and found.levels == [1, 1, 2]
    found = weft.bfs(own(comm, EDGES), 3, vertices=8, directed=True, comm=comm)
    assert whole(comm, found.distances) == [-1, -1, -1, 0, -1, -1, -1, -1]


def test_pagerank(comm):
    found = weft.pagerank(own(comm, EDGES), vertices=8, comm=comm)
    matrix = np.zeros((8, 8))
    for a, b in EDGES:
        if a != b:
            matrix[b, a] = 1
    out = matrix.sum(axis=0)
    matrix = np.where(out > 0, matrix / np.where(out > 0, out, 1), 1 / 8)
    expected = np.full(8, 1 / 8)
    for _ in range(300):
        expected = 0.85 * matrix @ expected + 0.15 / 8
    assert np.allclose(whole(comm, found.values), expected, atol=1e-12) and found.converged
    with pytest.raises(weft.UsageError, match="personalization: the graph has no vertex 8"):
        weft.pagerank(own(comm, EDGES), vertices=8, personalization={8: 1}, comm=comm)


def test_triangles(comm):
    assert weft.triangles(own(comm, EDGES), vertices=8, comm=comm) == 1
    assert weft.triangles([], comm=comm) == 0


@pytest.mark.parametrize("edges, vertices, text", [
    (np.ones((2, 3), int), None, r"edges: an array of shape \(2, 3\)"),
    (np.ones((2, 2)), None, "edges: an array of float64; expected integers"),
    (np.array([[0, 9]]), 8, "vertex|vertices|endpoint"),
    (np.array([[0, -1]]), 8, "vertex|vertices|endpoint"),
    (np.array([[0, 2**64 - 1]], np.uint64), None, "beyond the 64-bit integers"),
    (np.array([[0, 1]]), -1, "vertices: -1; expected at least 0"),
    ("graph.txt", 3, "vertices: a file says itself"),
])
def test_bad_graphs_of_one_rank_are_errors_of_all(comm, edges, vertices, text):
    good = np.array([[0, 1]]), (vertices if vertices == 8 else None)
    with pytest.raises(weft.UsageError, match=text):
        bad = comm.rank == 0
        weft.components(edges if bad else good[0], vertices=vertices if bad else good[1], comm=comm)


def test_files_that_cannot_be_read(comm):
    with pytest.raises(weft.InputError, match="no_such_file") as caught:
        weft.components("no_such_file.mtx", comm=comm)
    assert isinstance(caught.value, OSError)


def test_a_source_that_is_no_vertex(comm):
    with pytest.raises(weft.UsageError, match="source: the graph has no vertex 9"):
        weft.bfs(own(comm, EDGES), 9, vertices=8, comm=comm)


def test_calls_that_differ(comm):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    with pytest.raises(weft.UsageError, match="where rank 0 calls components of edges of 8 vertices"):
        weft.components(EDGES, vertices=8 if comm.rank == 0 else 9, comm=comm)


def test_whole_results_of_small_graphs(comm):
    edges = np.array([[0, 1], [1, 2], [4, 5]] if comm.rank == 0 else np.empty((0, 2), int))
    for found, expected in [(weft.components(edges, vertices=6, comm=comm), ("labels", [0, 0, 0, 3, 4, 4])),
                            (weft.degrees(edges, vertices=6, comm=comm), ("degrees", [1, 2, 1, 0, 1, 1])),
                            (weft.bfs(edges, 0, vertices=6, comm=comm), ("distances", [0, 1, 2, -1, -1, -1]))]:
        name, values = expected
        mine = slice(*found.offsets[comm.rank : comm.rank + 2])
        assert getattr(found, name).tolist() == values[mine] and found.vertices.tolist() == list(range(6))[mine]
        whole = found.gather()
        assert (whole is None) == (comm.rank != 0)
        assert whole is None or getattr(whole, name).tolist() == values and whole.vertices.tolist() == list(range(6))
    ranks = weft.pagerank(edges, vertices=6, comm=comm).gather()
    assert comm.rank != 0 or abs(ranks.values.sum() - 1) < 1e-9


def test_whole_results_of_names(comm, shared_folder):
    if comm.rank == 0:
        (shared_folder / "graph.txt").write_text("anna bert\nbert carl\ndora emil\n")
    weft.all_gather(comm, None)
    whole = weft.components(shared_folder / "graph.txt", comm=comm).gather()
    assert comm.rank != 0 or sorted(whole.vertices) == ["anna", "bert", "carl", "dora", "emil"]
