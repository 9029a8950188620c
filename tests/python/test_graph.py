import os
import subprocess
import sys

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


def test_distances_from_several_sources(comm):
    path = own(comm, np.stack([np.arange(8), np.arange(1, 9)], axis=1))
    for sources in ([0, 6], (6, 0), np.array([0, 6, 0])):
        assert whole(comm, weft.bfs(path, sources, vertices=10, comm=comm).distances) == [0, 1, 2, 3, 2, 1, 0, 1, 2, -1]
        found = weft.Graph(path, vertices=10, comm=comm).bfs(sources, parents=True)
        assert whole(comm, found.parents) == [0, 0, 1, 2, 5, 6, 6, 6, 7, 9] and found.levels == [2, 3, 3, 1]
    assert whole(comm, weft.bfs(path, np.int64(8), vertices=9, comm=comm).distances) == list(range(8, -1, -1))
    for sources, text in (([], "source: expected at least one vertex"), ([0, 10], "source: the graph has no vertex 10"), ([0.5], "source")):
        with pytest.raises(weft.UsageError, match=text):
            weft.bfs(path, sources, vertices=10, comm=comm)


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


def test_pagerank_by_weights(comm):
    networkx = pytest.importorskip("networkx")
    from scipy import sparse

    rng = np.random.default_rng(3)
    edges, weights = rng.integers(0, 30, (150, 2)), rng.integers(1, 9, 150) / 4  # duplicate edges and loops among them
    edges[:5, 1] = edges[:5, 0]
    mine = slice(comm.rank, None, comm.size)
    for directed in (True, False):
        graph = networkx.DiGraph() if directed else networkx.Graph()
        graph.add_nodes_from(range(30))
        for (a, b), weight in zip(edges.tolist(), weights.tolist()):
            if a != b:  # loops are left out
                graph.add_edge(a, b, weight=weight + graph.get_edge_data(a, b, {"weight": 0})["weight"])
        expected = networkx.pagerank(graph, tol=1e-16, max_iter=1000)
        given = dict(vertices=30, directed=directed, weighted=True, comm=comm)
        found = whole(comm, weft.pagerank(edges[mine], weights=weights[mine], **given).values)
        assert np.abs(np.array(found) - [expected[v] for v in range(30)]).max() < 1e-12
        assert whole(comm, weft.pagerank(edges, weights=weights, held="whole", **given).values) == found
        matrix = sparse.coo_array((weights[mine], edges[mine].T), shape=(30, 30))
        assert whole(comm, weft.pagerank(matrix, weighted=True, directed=directed, comm=comm).values) == found
        alike = whole(comm, weft.pagerank(matrix, directed=directed, comm=comm).values)
        assert alike == whole(comm, weft.pagerank(edges[mine], vertices=30, directed=directed, comm=comm).values) != found
    with pytest.raises(weft.UsageError, match="weighted: the graph has no weights"):
        weft.pagerank(edges[mine], vertices=30, weighted=True, comm=comm)
    with pytest.raises(weft.UsageError, match="weights: they count with weighted=True alone"):
        weft.pagerank(edges[mine], vertices=30, weights=weights[mine], comm=comm)


def test_triangles(comm):
    assert weft.triangles(own(comm, EDGES), vertices=8, comm=comm) == 1
    assert weft.triangles([], comm=comm) == 0
    assert whole(comm, weft.clustering(own(comm, EDGES), vertices=8, comm=comm).links) == [2, 2, 2, 0, 0, 0, 0, 0]


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


def test_files_of_built_graphs(comm, shared_folder):
    """Answers of a file with rows are those of the text that it was made of, with its names and directions."""
    text, built = shared_folder / "arcs.mtx", shared_folder / "arcs.wgraph"
    if comm.rank == 0:
        rng = np.random.default_rng(5)
        entries = "".join(f"{a} {b} {w}\n" for a, b, w in zip(*rng.integers(1, 41, (2, 90)), rng.integers(1, 9, 90)))
        text.write_text("%%MatrixMarket matrix coordinate real general\n40 40 90\n" + entries)
        alone = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMI", "HYDRA_"))}
        subprocess.run([sys.executable, "-m", "weft", "convert", text, built, "--quiet"], check=True, env=alone)
    weft.barrier(comm)
    for ask in (lambda file: weft.components(file, comm=comm).labels, lambda file: weft.components(file, comm=comm).vertices,
                lambda file: weft.degrees(file, comm=comm).degrees, lambda file: weft.bfs(file, 7, comm=comm).distances,
                lambda file: weft.pagerank(file, comm=comm).values, lambda file: weft.pagerank(file, weighted=True, comm=comm).values,
                lambda file: [weft.triangles(file, comm=comm)], lambda file: weft.Graph(file, comm=comm).vertices,
                lambda file: weft.Graph(file, directed=False, comm=comm).sssp(7).distances,
                lambda file: weft.Graph(file, directed=True, comm=comm).sssp(7).distances,
                lambda file: weft.Graph(file, comm=comm).scc().labels,
                lambda file: weft.Graph(file, weights=False, comm=comm).sssp(7).distances):
        assert whole(comm, ask(text)) == whole(comm, ask(built))


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
