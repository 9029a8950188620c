"""Graph algorithms for arrays, sparse matrices and files, one algorithm per call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _weft
from ._arguments import flag, number, whole
from ._communicator import AnyCommunicator
from ._convention import on_ranks
from ._errors import UsageError
from ._graph_input import Held, Question, vertex_names, weights_by_name
from ._graph_object import Graph
from ._graph_results import (Betweenness, Clustering, Communities, Components, Cores, Degrees, Distances, Forest, PageRank, PathLengths,
                             with_offsets)
from ._progress import Progress, Rounds

__all__ = ["betweenness", "bfs", "clustering", "communities", "components", "cores", "degrees", "forest", "pagerank", "scc", "sssp",
           "triangles"]


@on_ranks
def components(edges: Any, *, vertices: int | None = None, held: Held = None, comm: AnyCommunicator = None) -> Components:
    """Finds the connected components of a graph, seen as undirected and simple.

    Collective. The labels do not depend on the number of ranks.

    Parameters
    ----------
    edges : array of integers, shape (edges, 2), or scipy.sparse matrix, or path
        An array or a matrix has the edges of this rank; each edge is on one rank only. A matrix has the full shape on every rank, and
        contains the entries of this rank. Each stored entry is an edge without a weight, even a stored 0; entries of the diagonal are left
        out. A path is the name of a file in any format that the command `weft` reads, or of a generated graph as in `Graph`; all ranks pass
        the same text.
    vertices : int, optional
        With an array: the vertices are 0 to `vertices` - 1. By default, the vertices are the 64-bit integers that occur in the edges.
    held : {"parts", "whole"}, optional
        For an array or a matrix: "parts" if each rank passes a part of the edges (the default), "whole" if all ranks pass all
        edges.
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.

    Returns
    -------
    Components
        Vertices are distributed over the ranks in ascending blocks of equal size.

    Raises
    ------
    UsageError
        On all ranks: an array of a wrong shape or dtype, a vertex out of range, or arguments that differ between ranks.
    InputError
        On all ranks: a file that cannot be read, or breaks its format.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> edges = np.array([[0, 1], [3, 4]]) if comm.rank == 0 else np.empty((0, 2), int)
    >>> weft.components(edges, vertices=5).components
    3
    """
    with Question(comm, "components") as asked:
        graph = asked.graph(edges, vertices, held=held)
    return Components(**with_offsets(comm, _weft.components(asked.native, graph)))


@on_ranks
def degrees(edges: Any, *, vertices: int | None = None, held: Held = None, comm: AnyCommunicator = None) -> Degrees:
    """Counts the neighbours of every vertex of a graph, seen as undirected and simple. Collective.

    Parameters, errors, distribution: as `components`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> edges = [[0, 1], [1, 2]] if comm.rank == 0 else []
    >>> weft.degrees(edges, vertices=3).histogram
    {1: 2, 2: 1}
    """
    with Question(comm, "degrees") as asked:
        graph = asked.graph(edges, vertices, held=held)
    return Degrees(**with_offsets(comm, _weft.degrees(asked.native, graph)))


@on_ranks
def bfs(edges: Any, source: int | str | Iterable[int | str], *, vertices: int | None = None, directed: bool = False,
        held: Held = None, progress: Progress | None = None, comm: AnyCommunicator = None) -> Distances:
    """Finds the distance, in edges, of each vertex from one vertex, or from the nearest of several vertices. Collective.

    Parameters
    ----------
    edges, vertices, held, comm
        As in `components`.
    source : int or str, or several in a list, a tuple or an array
        The name of the vertex in the input, or the names of several vertices; the same on all ranks, in the same order.
    directed : bool
        For arrays: True if edges lead only from the first vertex to the second. For a file, its format or its content decides if edges are
        directed.
    progress : function of (done, all) or a bar of tqdm, optional
        Called after each level of the search; see `Graph`.

    Raises
    ------
    UsageError
        As in `components`; also if `source` is not a vertex.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.bfs([[0, 1], [1, 2]] if comm.rank == 0 else [], 0, vertices=3).levels
    [1, 1, 1]
    """
    with Question(comm, "bfs") as asked:
        start = vertex_names("source", source)
        asked.same(f"from {start}")
        graph = asked.graph(edges, vertices, directed, held)
        rounds = Rounds(asked, progress)
    with rounds:
        found = _weft.bfs(asked.native, graph, start)
    return Distances(**with_offsets(comm, found))


@on_ranks
def pagerank(edges: Any, *, weights: Any = None, weighted: bool = False, vertices: int | None = None, directed: bool = True,
             damping: float = 0.85, tolerance: float = 1e-14, max_iterations: int = 10000,
             personalization: Mapping[Any, float] | None = None, held: Held = None, progress: Progress | None = None,
             comm: AnyCommunicator = None) -> PageRank:
    """Computes PageRank by power iteration.

    All edges are equally likely to be followed, unless `weighted` is True. Edges from a vertex to itself are left out. Collective. The
    values are the same to the last bit at any number of ranks.

    Parameters
    ----------
    edges, vertices, held, comm
        As in `components`.
    weights : array of numbers, shape (edges,), or None
        A weight for each edge, if edges are an array and `weighted` is True.
    weighted : bool
        True to follow edges with a probability in proportion to their weights: the given weights, the values of a SciPy matrix, or the
        weights of a file. The weights of duplicate edges are added up.
    directed : bool
        As in `bfs`.
    damping : float
        The probability to follow an edge, at least 0 and below 1.
    tolerance : float
        Iterations end when the sum of the changes of all values is below this number.
    max_iterations : int
        The greatest number of iterations.
    progress : function of (done, all) or a bar of tqdm, optional
        Called after each iteration; see `Graph`.
    personalization : mapping from vertices to numbers, optional
        The vertices at which a random walk continues when it follows no edge. The probability of a vertex is in proportion to the number
        that the mapping gives for it. Numbers are at least 0 and not all 0, and the same on all ranks. The default is all vertices with
        equal probability.

    Raises
    ------
    UsageError
        The errors of `components`; also a vertex that does not exist, options that are out of range or differ between ranks, `weighted`
        without weights, or `weights` without `weighted`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> found = weft.pagerank([[0, 1], [1, 0]] if comm.rank == 0 else [], vertices=2)
    >>> sum(weft.all_gather(comm, found.values.tolist()), [])
    [0.5, 0.5]
    """
    with Question(comm, "pagerank") as asked:
        counts = flag("weighted", weighted)
        if weights is not None and not counts:
            raise UsageError("weights: they count with weighted=True alone")
        asked.same(f"weighted {counts},")
        share, least = number("damping", damping, least=0, below=1), number("tolerance", tolerance, least=0)
        most = whole("max_iterations", max_iterations, 0, 2**62)
        personal = weights_by_name("personalization", personalization)
        asked.same(f"with damping {share}, tolerance {least}, at most {most} iterations, personalization {personal},")
        leads = None if isinstance(edges, (str, os.PathLike)) else flag("directed", directed)
        graph = None if counts else asked.graph(edges, vertices, directed, held)
        rounds = None if counts else Rounds(asked, progress)
    if graph is None or rounds is None:
        kept = Graph(edges, weights=weights, vertices=vertices, directed=leads, held=held, comm=comm)
        return kept.pagerank(weighted=True, damping=share, tolerance=least, max_iterations=most, personalization=personalization,
                             progress=progress)
    with rounds:
        found = _weft.pagerank(asked.native, graph, share, least, most, personal)
    return PageRank(**with_offsets(comm, found))


@on_ranks
def triangles(edges: Any, *, vertices: int | None = None, held: Held = None, comm: AnyCommunicator = None) -> int:
    """Counts the triangles of a graph, seen as undirected and simple. Parameters, errors: as `components`. Collective.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.triangles([[0, 1], [1, 2], [2, 0]] if comm.rank == 0 else [], vertices=3)
    1
    """
    with Question(comm, "triangles") as asked:
        graph = asked.graph(edges, vertices, held=held)
    return _weft.triangles(asked.native, graph)


@on_ranks
def sssp(edges: Any, source: int | str, *, weights: Any = None, vertices: int | None = None, directed: bool | None = None,
         delta: float | None = None, parents: bool = False, held: Held = None,
         progress: Progress | None = None, comm: AnyCommunicator = None) -> PathLengths:
    """Finds the lengths of the shortest paths from one vertex.

    Collective. Distances are those of Dijkstra's algorithm to the last bit, at any number of ranks.

    Parameters, errors: those of `Graph`, and of its method `sssp`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> edges, weights = ([[0, 1], [1, 2], [0, 2]], [1, 2, 5]) if comm.rank == 0 else ([], [])
    >>> weft.sssp(edges, 0, weights=weights, vertices=3).longest
    3.0
    """
    kept = Graph(edges, weights=weights, vertices=vertices, directed=directed, held=held, comm=comm)
    return kept.sssp(source, delta=delta, parents=parents, progress=progress)


@on_ranks
def scc(edges: Any, *, vertices: int | None = None, directed: bool | None = None, held: Held = None,
        progress: Progress | None = None, comm: AnyCommunicator = None) -> Components:
    """Finds the strongly connected components: vertices that reach each other along edges.

    Collective. The labels do not depend on the number of ranks.

    Parameters, errors: those of `Graph`, but edges of arrays and matrices are directed if `directed` is None.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.scc([[0, 1], [1, 0], [1, 2]] if comm.rank == 0 else [], vertices=3).components
    2
    """
    leads = True if directed is None and not isinstance(edges, (str, os.PathLike)) else directed
    return Graph(edges, weights=False, vertices=vertices, directed=leads, held=held, comm=comm).scc(progress=progress)


@on_ranks
def cores(edges: Any, *, vertices: int | None = None, held: Held = None,
          progress: Progress | None = None, comm: AnyCommunicator = None) -> Cores:
    """Finds the core number of every vertex: the largest k for which the vertex is in a subgraph where each vertex has at least k
    neighbours. Collective.

    Parameters, errors: those of `Graph`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.cores([[0, 1], [1, 2], [2, 0], [2, 3]] if comm.rank == 0 else [], vertices=4).histogram
    {1: 1, 2: 3}
    """
    return Graph(edges, weights=False, vertices=vertices, held=held, comm=comm).cores(progress=progress)


@on_ranks
def clustering(edges: Any, *, vertices: int | None = None, directed: bool | None = None, held: Held = None, comm: AnyCommunicator = None) -> Clustering:
    """Finds the clustering coefficients of all vertices, as LDBC Graphalytics defines them, and the transitivity. Collective.

    Parameters, errors: those of `Graph`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.clustering([[0, 1], [1, 2], [2, 0], [2, 3]] if comm.rank == 0 else [], vertices=4).transitivity
    0.6
    """
    return Graph(edges, weights=False, vertices=vertices, directed=directed, held=held, comm=comm).clustering()


@on_ranks
def communities(edges: Any, *, vertices: int | None = None, directed: bool | None = None, max_iterations: int = 10,
                held: Held = None, progress: Progress | None = None, comm: AnyCommunicator = None) -> Communities:
    """Finds communities by label propagation, as LDBC Graphalytics defines it (CDLP).

    Collective. The labels do not depend on the number of ranks.

    Parameters, errors: those of `Graph`, and of its method `communities`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.communities([[0, 1], [1, 2], [2, 0], [3, 4]] if comm.rank == 0 else [], vertices=5).communities
    3
    """
    kept = Graph(edges, weights=False, vertices=vertices, directed=directed, held=held, comm=comm)
    return kept.communities(max_iterations=max_iterations, progress=progress)


@on_ranks
def betweenness(edges: Any, *, vertices: int | None = None, directed: bool | None = None, sources: int | None = None,
                normalized: bool = False, seed: int = 1, held: Held = None,
                progress: Progress | None = None, comm: AnyCommunicator = None) -> Betweenness:
    """Finds the betweenness of each vertex: the share of the shortest paths (in edges) between two other vertices that lead through the
    vertex, summed over all pairs.

    Collective. The values are the same to the last bit at any number of ranks.

    Parameters, errors: those of `Graph`, and of its method `betweenness`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> found = weft.betweenness([[0, 1], [1, 2]] if comm.rank == 0 else [], vertices=3)
    >>> sum(weft.all_gather(comm, found.values.tolist()), [])
    [0.0, 1.0, 0.0]
    """
    kept = Graph(edges, weights=False, vertices=vertices, directed=directed, held=held, comm=comm)
    return kept.betweenness(sources=sources, normalized=normalized, seed=seed, progress=progress)


@on_ranks
def forest(edges: Any, *, weights: Any = None, vertices: int | None = None, held: Held = None,
           progress: Progress | None = None, comm: AnyCommunicator = None) -> Forest:
    """Finds the minimum spanning forest of a graph.

    Collective. Among edges of equal weight, the edge with smaller endpoints counts as lighter, so that the forest is unique.

    Parameters, errors: those of `Graph`.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> edges, weights = ([[0, 1], [1, 2], [0, 2]], [1, 2, 5]) if comm.rank == 0 else ([], [])
    >>> weft.forest(edges, weights=weights, vertices=3).weight
    3.0
    """
    return Graph(edges, weights=weights, vertices=vertices, held=held, comm=comm).forest(progress=progress)
