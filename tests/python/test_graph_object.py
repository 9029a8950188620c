"""Questions about one graph that is built once, beside networkx."""

import warnings

import networkx
import numpy as np
import pytest
from scipy import sparse

import weft


def random_graph(seed):
    """Vertices, edges and weights: loops, duplicates, isolated vertices and several components among them; weights of 0, and equal ones."""
    random = np.random.default_rng(seed)
    vertices = int(random.integers(1, 14))
    edges = random.integers(0, vertices, (int(random.integers(0, 3 * vertices)), 2))
    weights = random.integers(0, [1, 2, 9][seed % 3] + 1, len(edges)).astype(float)
    return vertices, edges, weights


def test_random_graphs_are_of_every_kind():
    found = dict.fromkeys(["no edge", "loop", "duplicate", "both directions", "two weights of a pair", "isolated", "disconnected", "connected",
                           "largest of one size", "weight 0", "equal weights", "unequal weights"], 0)
    for seed in range(200):
        vertices, edges, weights = random_graph(seed)
        arcs = [(a, b) for a, b in edges.tolist() if a != b]
        simple = networkx_graph(vertices, edges, weights, False)
        sizes = sorted(map(len, networkx.connected_components(simple)))
        by_pair = {}
        for arc, weight in zip(map(frozenset, edges.tolist()), weights.tolist()):
            by_pair.setdefault(arc, set()).add(weight)
        for kind, holds in zip(found, [
                len(edges) == 0, len(arcs) < len(edges), len(set(arcs)) < len(arcs), any((b, a) in arcs for a, b in arcs),
                any(len(each) > 1 for each in by_pair.values()), sizes[0] == 1 < vertices, len(sizes) > 1, len(sizes) == 1 < vertices,
                sizes[-2:] == 2 * sizes[-1:], 0 in weights, len(set(weights)) < len(weights), len(set(weights)) > 2], strict=True):
            found[kind] += holds
    assert min(found.values()) >= 10, found


def networkx_graph(vertices, edges, weights, directed):
    """Simple: of duplicates the least weight; `total` is their sum."""
    graph = (networkx.DiGraph if directed else networkx.Graph)()
    graph.add_nodes_from(range(vertices))
    for (a, b), weight in zip(edges.tolist(), weights.tolist()):
        if a == b:
            continue
        known = graph.get_edge_data(a, b, {"weight": np.inf, "total": 0.0})
        graph.add_edge(a, b, weight=min(weight, known["weight"]), total=known["total"] + weight)
    return graph


def whole(comm, part):
    return np.concatenate(weft.all_gather(comm, np.asarray(part))).tolist()


def labels_of(sets, vertices):
    label = [0] * vertices
    for each in sets:
        for vertex in each:
            label[vertex] = min(each)
    return label


def expect_distances(found, expected, unreached):
    assert found == [expected.get(vertex, unreached) for vertex in range(len(found))]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("first", range(0, 200, 25))
def test_answers_are_those_of_networkx(comm, first, directed):
    for seed in range(first, first + 25):
        vertices, edges, weights = random_graph(seed)
        mine = slice(comm.rank, None, comm.size)
        graph = weft.Graph(edges[mine], weights=weights[mine], vertices=vertices, directed=directed, comm=comm)
        expected = networkx_graph(vertices, edges, weights, directed)
        simple = networkx_graph(vertices, edges, weights, False)
        assert (graph.vertex_count, graph.directed) == (vertices, directed)
        assert whole(comm, graph.vertices) == list(range(vertices))

        parts = list(networkx.connected_components(simple))
        found = graph.components()
        assert whole(comm, found.labels) == labels_of(parts, vertices) and found.components == len(parts)
        strong = list(networkx.strongly_connected_components(expected)) if directed else parts
        assert whole(comm, graph.scc().labels) == labels_of(strong, vertices)
        assert whole(comm, graph.degrees().degrees) == [simple.degree(v) for v in range(vertices)]
        assert whole(comm, graph.cores().cores) == [networkx.core_number(simple)[v] for v in range(vertices)]
        assert graph.triangles() == sum(networkx.triangles(simple).values()) // 3
        clustered = graph.clustering()
        assert np.isclose(clustered.transitivity, networkx.transitivity(simple))
        if not directed:
            assert np.allclose(whole(comm, clustered.coefficients), [networkx.clustering(simple)[v] for v in range(vertices)])
        assert np.allclose(whole(comm, graph.betweenness().values),
                           [networkx.betweenness_centrality(expected, normalized=False)[v] for v in range(vertices)])

        check_largest(comm, graph, min(parts, key=lambda part: (-len(part), min(part))), edges, weights)

        source = seed % vertices
        levels = graph.bfs(source, parents=True)
        expect_distances(whole(comm, levels.distances), networkx.single_source_shortest_path_length(expected, source), -1)
        if graph.weighted:
            lengths = graph.sssp(source, parents=True)
            far = networkx.single_source_dijkstra_path_length(expected, source)
            expect_distances(whole(comm, lengths.distances), far, np.inf)
            parents = whole(comm, lengths.parents)
            for vertex, parent in enumerate(parents):
                if parent != vertex:
                    assert far[parent] + expected[parent][vertex]["weight"] == far[vertex]
            check_path(graph, expected, source, (seed * 5) % vertices, far)
            ranked = whole(comm, graph.pagerank(weighted=True).values)
            assert np.allclose(ranked, personal(expected, vertices), atol=1e-9)
            wanted = {0: 1, (seed * 7) % vertices: 2.5}
            ranked = whole(comm, graph.pagerank(weighted=True, personalization=wanted).values)
            assert np.allclose(ranked, personal(expected, vertices, wanted), atol=1e-9)
            forest = graph.forest().gather()
            if comm.rank == 0:
                tree = networkx.minimum_spanning_tree(simple)
                assert forest.edge_count == len(forest.lower) == tree.number_of_edges() and forest.trees == len(parts)
                assert forest.weight == forest.weights.sum() == tree.size("weight")


def check_largest(comm, graph, part, edges, weights):
    largest = graph.largest_component()
    inside = np.isin(edges[:, 0], list(part))
    kept = sorted(set(edges[inside].ravel().tolist()))
    assert whole(comm, largest.vertices) == kept and largest.directed == graph.directed
    place = {vertex: number for number, vertex in enumerate(kept)}
    numbered = np.array([[place[a], place[b]] for a, b in edges[inside].tolist()], np.int64).reshape(-1, 2)
    expected = networkx_graph(len(kept), numbered, weights[inside], graph.directed)
    assert whole(comm, largest.degrees().degrees) == [networkx_graph(len(kept), numbered, weights[inside], False).degree(v) for v in place.values()]
    if kept:
        assert largest.weighted and largest.components().components == 1
        far = networkx.single_source_dijkstra_path_length(expected, 0)
        expect_distances(whole(comm, largest.sssp(kept[0]).distances), far, np.inf)
        assert np.allclose(whole(comm, largest.pagerank(weighted=True).values), personal(expected, len(kept)), atol=1e-9)


def check_path(graph, expected, source, target, far):
    path = graph.path(source, target)
    assert path.length == far.get(target, np.inf)
    steps = list(zip(path.vertices[:-1].tolist(), path.vertices[1:].tolist()))
    assert sum(expected[a][b]["weight"] for a, b in steps) == (path.length if target in far else 0)
    assert path.vertices[[0, -1]].tolist() == [source, target] if target in far else len(path.vertices) == 0


def personal(graph, vertices, wanted=None):
    """PageRank by solving for it, in proportion to the sums of weights, and to the wanted vertices."""
    jumps = np.array([(wanted or {}).get(vertex, 0 if wanted else 1) for vertex in range(vertices)], float)
    jumps /= jumps.sum()
    matrix = np.zeros((vertices, vertices))
    for a, b, data in graph.edges(data=True):
        matrix[b, a] = data["total"]
        if not graph.is_directed():
            matrix[a, b] = data["total"]
    out = matrix.sum(axis=0)
    matrix = np.where(out > 0, matrix / np.where(out > 0, out, 1), jumps[:, None])
    return np.linalg.solve(np.eye(vertices) - 0.85 * matrix, 0.15 * jumps)


def test_values_of_a_sparse_matrix_are_weights(comm):
    rows, columns, values = np.array([0, 1, 0, 3]), np.array([1, 2, 2, 3]), np.array([1, 0, 5, 7])
    mine = slice(comm.rank, None, comm.size)
    for kind in (sparse.coo_array, sparse.csr_array, sparse.csc_matrix):
        matrix = kind((values[mine], (rows[mine], columns[mine])), shape=(4, 4))
        graph = weft.Graph(matrix, comm=comm)
        assert graph.weighted and not graph.directed
        assert whole(comm, graph.sssp(2).distances) == [1, 0, 0, np.inf]  # along the stored 0
        assert whole(comm, weft.sssp(matrix, 2, directed=True, comm=comm).distances) == [np.inf, np.inf, 0, np.inf]
        assert not weft.Graph(matrix, weights=False, comm=comm).weighted
        assert whole(comm, weft.Graph(matrix, weights=False, comm=comm).sssp(2).distances) == [1, 1, 0, np.inf]


def test_a_file_with_names_and_weights(comm, shared_folder):
    file = shared_folder / "roads.csv"
    if comm.rank == 0:
        file.write_text("from,to,weight\nann,bob,2\nbob,cid,2.5\nann,cid,9\ndan,eve,1\n")
    weft.all_gather(comm, None)
    graph = weft.Graph(file, directed=False, comm=comm)  # a table is directed otherwise
    assert graph.weighted and graph.vertex_count == 5
    path = graph.path("ann", "cid")
    assert (path.vertices, path.length) == (["ann", "bob", "cid"], 4.5)
    assert graph.path("ann", "cid", weighted=False).vertices == ["ann", "cid"]
    assert graph.path("ann", "dan") == weft.Path([], np.inf)
    found = graph.bfs("bob", parents=True).gather()
    assert comm.rank != 0 or (found.vertices, found.parents) == (["ann", "bob", "cid", "dan", "eve"], ["bob", "bob", "bob", "dan", "eve"])
    assert graph.forest().weight == 5.5
    largest = graph.largest_component()
    assert sum(weft.all_gather(comm, largest.vertices), []) == ["ann", "bob", "cid"] and largest.forest().weight == 4.5
    assert largest.path("cid", "ann") == weft.Path(["cid", "bob", "ann"], 4.5)
    with pytest.raises(weft.UsageError, match="source: the graph has no vertex zoe"):
        graph.sssp("zoe")


def test_lists_that_may_be_something_else(comm, shared_folder):
    counted, with_commas = shared_folder / "counted.txt", shared_folder / "commas.txt"
    if comm.rank == 0:
        counted.write_text("3 2\n1 2\n2 3\n")
        with_commas.write_text("1, 2\n2, 3\n")
    weft.all_gather(comm, None)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert weft.Graph(counted, comm=comm).vertex_count == 3
    assert ["line of counts" in str(each.message) for each in told] == [True] * (comm.rank == 0)
    with pytest.raises(weft.InputError, match="expected labels with blanks between them"):
        weft.Graph(with_commas, comm=comm)


def test_graphs_that_are_made(comm):
    graph = weft.Graph("torus:6x5", comm=comm)
    assert (graph.vertex_count, graph.directed, graph.weighted) == (30, False, False)
    assert graph.bfs(0).levels == [1, 4, 8, 10, 6, 1] or sum(graph.bfs(0).levels) == 30
    assert graph.sssp(0).longest == 5 and graph.forest().edge_count == 29
    assert weft.components("grid:3x3", comm=comm).components == 1
    first, second, other = (whole(comm, weft.Graph("er:60:5", seed=seed, comm=comm).degrees().degrees) for seed in (4, 4, 5))
    assert first == second != other
    with pytest.raises(weft.UsageError, match="grid:WIDTHxHEIGHT"):
        weft.Graph("grid:3x", comm=comm)
    with pytest.raises(weft.UsageError, match="directed: the edges of grid:3x3 have no direction"):
        weft.Graph("grid:3x3", directed=True, comm=comm)


def test_functions_of_one_question(comm):
    vertices, edges, weights = random_graph(11)
    mine = dict(edges=edges[comm.rank :: comm.size], vertices=vertices, comm=comm)
    graph = weft.Graph(**mine, weights=weights[comm.rank :: comm.size])
    assert whole(comm, weft.cores(**mine).cores) == whole(comm, graph.cores().cores)
    assert weft.clustering(**mine).mean == graph.clustering().mean
    assert whole(comm, weft.communities(**mine).labels) == whole(comm, graph.communities().labels)
    assert whole(comm, weft.betweenness(**mine, sources=3, seed=2).values) == whole(comm, graph.betweenness(sources=3, seed=2).values)
    assert weft.forest(**mine, weights=weights[comm.rank :: comm.size]).weight == graph.forest().weight
    arcs = weft.Graph(**mine, directed=True)
    assert whole(comm, weft.scc(**mine).labels) == whole(comm, arcs.scc().labels)


@pytest.mark.parametrize("arguments, text", [
    (dict(weights=[1.0]), r"weights: float64 of shape \(1,\); expected a number for each of 2 edges"),
    (dict(weights=["a", "b"]), "weights: .*expected a number for each"),
    (dict(seed=-1), "seed: -1"),
    (dict(edges="grid:3x3", weights=[1.0]), "weights: a file has its own"),
    (dict(edges="grid:3x3", vertices=9), "vertices: a file says itself"),
    (dict(edges=sparse.eye_array(3), weights=[1.0, 2.0, 3.0]), "weights: a matrix has its own"),
])
def test_bad_arguments(comm, arguments, text):
    with pytest.raises(weft.UsageError, match=text):
        weft.Graph(**{"edges": [[0, 1], [1, 2]], **arguments}, comm=comm)


def test_questions_that_need_weights(comm):
    graph = weft.Graph([[0, 1]] if comm.rank == 0 else [], vertices=2, comm=comm)
    for question in (lambda: graph.pagerank(weighted=True), lambda: graph.path(0, 1, weighted=True)):
        with pytest.raises(weft.UsageError, match="weighted: the graph has no weights"):
            question()
    negative = weft.Graph([[0, 1]] if comm.rank == 0 else [], weights=[-1] if comm.rank == 0 else [], vertices=2, comm=comm)
    with pytest.raises(weft.UsageError, match="negative|at least 0"):
        negative.sssp(0)


def test_a_whole_and_parts_are_the_same_graph(comm):
    whole_edges = np.random.default_rng(2).integers(0, 40, (80, 2))
    weights = np.arange(80.0)
    mine = slice(comm.rank, None, comm.size)
    parts = weft.Graph(whole_edges[mine], weights=weights[mine], vertices=40)
    held = weft.Graph(whole_edges, weights=weights, vertices=40, held="whole")
    assert held.degrees().histogram == parts.degrees().histogram
    assert np.array_equal(held.sssp(0).distances, parts.sssp(0).distances)
    assert weft.triangles(whole_edges, held="whole") == parts.triangles()
    entries = sparse.random(9, 9, density=0.4, random_state=1)
    matrix = weft.SparseMatrix(entries, held="whole")
    assert matrix.entries == entries.nnz
    x = np.arange(9.0)
    first, end = matrix.column_offsets[comm.rank : comm.rank + 2]
    assert np.allclose(np.concatenate(weft.all_gather(comm, matrix @ x[first:end])), entries @ x)
    with pytest.raises(weft.UsageError, match="held: a file is one for all ranks"):
        weft.Graph("grid:3x3", held="whole")
    with pytest.raises(weft.UsageError, match="held"):
        weft.components(whole_edges, held="all")
