"""A graph that is built once, for several questions, and the questions that are functions too."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import flag, number, path, whole
from ._arrays import plain
from ._communicator import AnyCommunicator, agreed
from ._errors import UsageError
from ._graph import (_NO_EDGES, Components, Degrees, Distances, Names, PageRank, _gathered, _is_sparse, _pairs, _vertex,
                     _with_offsets)
from ._results import Result

__all__ = ["Betweenness", "Clustering", "Communities", "Cores", "Forest", "Graph", "Path", "PathLengths", "betweenness", "clustering",
           "communities", "cores", "forest", "scc", "sssp"]


@dataclass(frozen=True)
class PathLengths(Result):
    """Lengths of shortest paths. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    distances: NDArray[np.float64]
    """Sums of weights; infinite where a vertex is not reached."""
    reached: int
    """Vertices, the source among them."""
    longest: float
    """The largest finite distance."""
    parents: Names | None
    """The vertex before each, itself at the source and where no path leads; None where they were not asked for."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> PathLengths | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: PathLengths | None = _gathered(self, ("vertices", "distances", *(() if self.parents is None else ("parents",))))
        return made


@dataclass(frozen=True)
class Path:
    """A shortest path, the same on all ranks."""

    vertices: Names
    """From the source to the target; empty where none leads there."""
    length: float
    """The sum of weights, or the number of edges; infinite where none leads there."""


@dataclass(frozen=True)
class Communities(Result):
    """Communities by label propagation. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    labels: Names
    """A vertex of the graph for each community."""
    communities: int
    largest: list[int]
    """The sizes of the largest ten, descending."""
    iterations: int
    converged: bool
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Communities | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Communities | None = _gathered(self, ("vertices", "labels"))
        return made


@dataclass(frozen=True)
class Cores(Result):
    """Core numbers. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    cores: NDArray[np.int64]
    largest: int
    histogram: dict[int, int]
    """From a core number to the number of vertices that have it."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Cores | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Cores | None = _gathered(self, ("vertices", "cores"))
        return made


@dataclass(frozen=True)
class Clustering(Result):
    """Clustering coefficients. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    coefficients: NDArray[np.float64]
    mean: float
    triangles: int
    transitivity: float
    """Three times the triangles, as a share of the pairs of neighbours of a vertex."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Clustering | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Clustering | None = _gathered(self, ("vertices", "coefficients"))
        return made


@dataclass(frozen=True)
class Betweenness(Result):
    """Betweenness. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    values: NDArray[np.float64]
    sources: int
    """Vertices at which paths began."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Betweenness | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Betweenness | None = _gathered(self, ("vertices", "values"))
        return made


@dataclass(frozen=True)
class Forest(Result):
    """A minimum spanning forest. Arrays are of the edges that this rank has; the rest is equal on all ranks."""

    lower: Names
    """The endpoint of an edge that is the lesser one."""
    upper: Names
    weights: NDArray[np.float64]
    edge_count: int
    """On all ranks."""
    trees: int
    """Isolated vertices among them."""
    weight: float
    """Of all edges."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Forest | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Forest | None = _gathered(self, ("lower", "upper", "weights"))
        return made


def _weights_of(edges: Any, weights: Any, count: int) -> NDArray[np.float64] | None:
    """A weight for each edge: those given, or the values of a matrix."""
    if weights is False:
        return None
    if _is_sparse(edges):
        if weights is not None:
            raise UsageError("weights: a matrix has its own; expected None, or False for none")
        weights = edges.tocoo().data
    if weights is None:
        return None
    array = plain("weights", weights)
    if array.dtype.kind not in "iufb" or array.shape != (count,):
        raise UsageError(f"weights: {array.dtype} of shape {array.shape}; expected a number for each of {count} edges")
    return np.ascontiguousarray(array, np.float64)


class Graph:
    """A graph over all ranks, built once for several questions.

    Parameters
    ----------
    edges : array of integers, shape (edges, 2), or scipy.sparse matrix, path, or generator
        As an array or a matrix: the edges of this rank, each edge on one rank; entries of a matrix are edges, also those of a stored 0.
        As a path: a file, the same on all ranks, of any format that the command reads. As a text like "rmat:16", "er:1000:8",
        "rgg:1000", "grid:30x40" or "torus:30x40": a graph that is made, where no file has that name.
    weights : array of numbers, shape (edges,), or None or False
        Of an array of edges: a weight for each. None: the values of a matrix, or the weights of a file if it has some. False: none.
    vertices : int, optional
        With an array: vertices are 0..vertices-1. Without: those that occur, any 64-bit integers.
    directed : bool, optional
        True where edges lead from the first vertex to the second only. None: False for arrays and matrices, and as a file says.
    seed : int
        Of a graph that is made.
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.

    Raises
    ------
    UsageError
        On all ranks: an array of another shape or dtype, a vertex out of range, calls that differ, a direction of edges that have none.
    InputError
        On all ranks: a file that cannot be read, or breaks its format.

    Notes
    -----
    Collective: yes, as all methods are. The graph keeps its edges, and what a question needed, for the next one. Loops do not count, nor do
    duplicates; of their weights the least, and the sum in `pagerank`. Answers do not depend on the number of ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> graph = weft.Graph("grid:5x4", comm=comm)
    >>> graph.components().components, graph.bfs(0).levels, graph.triangles()
    (1, [1, 2, 3, 4, 4, 3, 2, 1], 0)
    >>> graph.path(0, 19).length
    7.0
    """

    def __init__(self, edges: Any, *, weights: Any = None, vertices: int | None = None, directed: bool | None = None, seed: int = 1,
                 comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Graph") as call:
            leads = None if directed is None else flag("directed", directed)
            draw = whole("seed", seed, 0, 2**64 - 1)
            if isinstance(edges, (str, os.PathLike)):
                file = path("edges", edges)
                made = isinstance(edges, str) and _weft.names_generator(file) and not os.path.exists(file)
                if vertices is not None:
                    raise UsageError("vertices: a file says itself how many it has")
                if weights is not None and weights is not False:
                    raise UsageError("weights: a file has its own; expected None, or False for none")
                call.same(f"of {'the generator' if made else 'the file'} {file}, weights {weights is None}, seed {draw},")
                given = _weft.GraphInput(file, made, draw, _NO_EDGES, None, weights is None, -1, False)
            else:
                pairs, count = _pairs(edges, -1 if vertices is None else whole("vertices", vertices, 0, 2**62))
                numbers = _weights_of(edges, weights, len(pairs))
                call.same(f"of edges of {count} vertices, weights {numbers is not None},")
                leads = bool(leads)
                given = _weft.GraphInput(None, False, draw, pairs, numbers, False, count, leads)
            call.same(f"directed {leads}")
        self._native = call.native
        self._graph = _weft.Graph(call.native, given, leads)
        counts = _with_offsets(self._native, {"vertices": self._graph.vertices()})
        self._vertices: Names = counts["vertices"]
        self._offsets: NDArray[np.int64] = counts["offsets"]

    @property
    def vertices(self) -> Names:
        """The names of the vertices of this rank in the input, ascending over all ranks."""
        return self._vertices

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Rank r has the vertices from `offsets[r]` up to `offsets[r + 1]`; shape (size + 1,)."""
        return self._offsets

    @property
    def vertex_count(self) -> int:
        """The number of vertices of all ranks."""
        return self._graph.vertex_count

    @property
    def directed(self) -> bool:
        """True if edges have a direction."""
        return self._graph.directed

    @property
    def weighted(self) -> bool:
        """True if edges have weights."""
        return self._graph.weighted

    def _of_vertices(self, found: dict[str, Any]) -> dict[str, Any]:
        return {**found, "vertices": self._vertices, "offsets": self._offsets, "_comm": self._native}

    def components(self) -> Components:
        """Finds the connected components; directions do not count. Collective."""
        return Components(**self._of_vertices(self._graph.components()), vertex_count=self.vertex_count)

    def scc(self) -> Components:
        """Finds the strongly connected components: vertices that reach each other along edges. Collective."""
        return Components(**self._of_vertices(self._graph.scc()), vertex_count=self.vertex_count)

    def degrees(self) -> Degrees:
        """Counts the neighbours of every vertex; directions do not count. Collective."""
        return Degrees(**self._of_vertices(self._graph.degrees()))

    def triangles(self) -> int:
        """Counts the triangles; directions do not count. Collective."""
        return self._graph.triangles()

    def cores(self) -> Cores:
        """Finds the core numbers of all vertices; directions do not count. Collective."""
        return Cores(**self._of_vertices(self._graph.cores()))

    def clustering(self) -> Clustering:
        """Finds the clustering coefficients of all vertices, as LDBC Graphalytics defines them. Collective."""
        return Clustering(**self._of_vertices(self._graph.clustering()))

    def communities(self, *, max_iterations: int = 10) -> Communities:
        """Finds communities by label propagation, as LDBC Graphalytics defines it (CDLP). Collective.

        Parameters
        ----------
        max_iterations : int
            Ends then at the latest.
        """
        with agreed(self._native, "Graph.communities") as call:
            most = whole("max_iterations", max_iterations, 0, 2**62)
            call.same(f"with at most {most} iterations")
        return Communities(**self._of_vertices(self._graph.communities(most)))

    def bfs(self, source: int | str, *, parents: bool = False) -> Distances:
        """Finds the distances of all vertices from one, in edges. Collective.

        Parameters
        ----------
        source : int or str
            The name of the vertex in the input; the same on all ranks.
        parents : bool
            Also the vertex before each on a shortest path: of several the smallest.
        """
        with agreed(self._native, "Graph.bfs") as call:
            start, wanted = _vertex("source", source), flag("parents", parents)
            call.same(f"from {start}, parents {wanted}")
        return Distances(**self._of_vertices(self._graph.bfs(start, wanted)))

    def sssp(self, source: int | str, *, delta: float | None = None, parents: bool = False) -> PathLengths:
        """Finds the lengths of the shortest paths from one vertex, along edges by their weights, or of 1 each without. Collective.

        Parameters
        ----------
        source : int or str
            The name of the vertex in the input; the same on all ranks.
        delta : float, optional
            The width of a bucket of distances, which only the time depends on.
        parents : bool
            Also the vertex before each on a shortest path: of several the smallest.

        Raises
        ------
        UsageError
            On all ranks: `source` is no vertex, a weight that is negative, infinite or NaN.
        """
        with agreed(self._native, "Graph.sssp") as call:
            start, wanted = _vertex("source", source), flag("parents", parents)
            width = None if delta is None else number("delta", delta, above=0)
            call.same(f"from {start}, delta {width}, parents {wanted}")
        return PathLengths(**self._of_vertices(self._graph.sssp(start, width, wanted)))

    def path(self, source: int | str, target: int | str, *, weighted: bool | None = None) -> Path:
        """Finds a shortest path from one vertex to another. Collective.

        Parameters
        ----------
        source, target : int or str
            The names of the vertices in the input; the same on all ranks.
        weighted : bool, optional
            False counts edges. None: True if the graph has weights.

        Returns
        -------
        Path
            On all ranks.
        """
        with agreed(self._native, "Graph.path") as call:
            start, end = _vertex("source", source), _vertex("target", target)
            counts = self.weighted if weighted is None else flag("weighted", weighted)
            if counts and not self.weighted:
                raise UsageError("weighted: the graph has no weights")
            call.same(f"from {start} to {end}, weighted {counts}")
        found: tuple[Any, float] = self._graph.path(start, end, counts)
        return Path(*found)

    def pagerank(self, *, weighted: bool = False, damping: float = 0.85, tolerance: float = 1e-14,
                 max_iterations: int = 10000) -> PageRank:
        """Computes PageRank by power iteration. Collective.

        Parameters
        ----------
        weighted : bool
            Edges are followed in proportion to their weights.
        damping, tolerance, max_iterations
            As in the function `pagerank`.
        """
        with agreed(self._native, "Graph.pagerank") as call:
            counts = flag("weighted", weighted)
            if counts and not self.weighted:
                raise UsageError("weighted: the graph has no weights")
            share, least = number("damping", damping, least=0, below=1), number("tolerance", tolerance, least=0)
            most = whole("max_iterations", max_iterations, 0, 2**62)
            call.same(f"weighted {counts}, with damping {share}, tolerance {least}, at most {most} iterations")
        return PageRank(**self._of_vertices(self._graph.pagerank(counts, share, least, most)))

    def betweenness(self, *, sources: int | None = None, normalized: bool = False, seed: int = 1) -> Betweenness:
        """Finds for each vertex how many shortest paths between others lead through it, in edges. Collective.

        Parameters
        ----------
        sources : int, optional
            The number of vertices, drawn with `seed`, at which paths begin; values are scaled by n / sources. None: all, for exact values.
        normalized : bool
            Divide by the number of pairs of other vertices.
        """
        with agreed(self._native, "Graph.betweenness") as call:
            some = None if sources is None else whole("sources", sources, 1, 2**62)
            shares, draw = flag("normalized", normalized), whole("seed", seed, 0, 2**64 - 1)
            call.same(f"of {some} sources, normalized {shares}, seed {draw}")
        return Betweenness(**self._of_vertices(self._graph.betweenness(some, shares, draw)))

    def forest(self) -> Forest:
        """Finds the minimum spanning forest, of edges of weight 1 where there are none; directions do not count. Collective."""
        return Forest(**self._graph.forest(), _comm=self._native)


def sssp(edges: Any, source: int | str, *, weights: Any = None, vertices: int | None = None, directed: bool | None = None,
         delta: float | None = None, parents: bool = False, comm: AnyCommunicator = None) -> PathLengths:
    """Finds the lengths of the shortest paths from one vertex.

    Parameters, errors: those of `Graph`, and of its method `sssp`.

    Notes
    -----
    Collective: yes. Distances are those of Dijkstra's algorithm to the last bit, at any number of ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> edges, weights = ([[0, 1], [1, 2], [0, 2]], [1, 2, 5]) if comm.rank == 0 else ([], [])
    >>> weft.sssp(edges, 0, weights=weights, vertices=3).longest
    3.0
    """
    return Graph(edges, weights=weights, vertices=vertices, directed=directed, comm=comm).sssp(source, delta=delta, parents=parents)


def scc(edges: Any, *, vertices: int | None = None, directed: bool | None = None, comm: AnyCommunicator = None) -> Components:
    """Finds the strongly connected components: vertices that reach each other along edges.

    Parameters, errors: those of `Graph`; edges of arrays and matrices are directed here where `directed` is None.

    Notes
    -----
    Collective: yes. The labels do not depend on the number of ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.scc([[0, 1], [1, 0], [1, 2]] if comm.rank == 0 else [], vertices=3).components
    2
    """
    leads = True if directed is None and not isinstance(edges, (str, os.PathLike)) else directed
    return Graph(edges, weights=False, vertices=vertices, directed=leads, comm=comm).scc()


def cores(edges: Any, *, vertices: int | None = None, comm: AnyCommunicator = None) -> Cores:
    """Finds the core number of every vertex: the largest k so that it lies in a part of the graph where each has k neighbours.

    Parameters, errors: those of `Graph`.

    Notes
    -----
    Collective: yes.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.cores([[0, 1], [1, 2], [2, 0], [2, 3]] if comm.rank == 0 else [], vertices=4).histogram
    {1: 1, 2: 3}
    """
    return Graph(edges, weights=False, vertices=vertices, comm=comm).cores()


def clustering(edges: Any, *, vertices: int | None = None, directed: bool | None = None, comm: AnyCommunicator = None) -> Clustering:
    """Finds the clustering coefficients of all vertices, as LDBC Graphalytics defines them, and the transitivity.

    Parameters, errors: those of `Graph`.

    Notes
    -----
    Collective: yes.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.clustering([[0, 1], [1, 2], [2, 0], [2, 3]] if comm.rank == 0 else [], vertices=4).transitivity
    0.6
    """
    return Graph(edges, weights=False, vertices=vertices, directed=directed, comm=comm).clustering()


def communities(edges: Any, *, vertices: int | None = None, directed: bool | None = None, max_iterations: int = 10,
                comm: AnyCommunicator = None) -> Communities:
    """Finds communities by label propagation, as LDBC Graphalytics defines it (CDLP).

    Parameters, errors: those of `Graph`, and of its method `communities`.

    Notes
    -----
    Collective: yes. The labels do not depend on the number of ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.communities([[0, 1], [1, 2], [2, 0], [3, 4]] if comm.rank == 0 else [], vertices=5).communities
    3
    """
    return Graph(edges, weights=False, vertices=vertices, directed=directed, comm=comm).communities(max_iterations=max_iterations)


def betweenness(edges: Any, *, vertices: int | None = None, directed: bool | None = None, sources: int | None = None,
                normalized: bool = False, seed: int = 1, comm: AnyCommunicator = None) -> Betweenness:
    """Finds for each vertex how many shortest paths between others lead through it, in edges.

    Parameters, errors: those of `Graph`, and of its method `betweenness`.

    Notes
    -----
    Collective: yes. The values are the same to the last bit at any number of ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> found = weft.betweenness([[0, 1], [1, 2]] if comm.rank == 0 else [], vertices=3)
    >>> sum(weft.all_gather(comm, found.values.tolist()), [])
    [0.0, 1.0, 0.0]
    """
    kept = Graph(edges, weights=False, vertices=vertices, directed=directed, comm=comm)
    return kept.betweenness(sources=sources, normalized=normalized, seed=seed)


def forest(edges: Any, *, weights: Any = None, vertices: int | None = None, comm: AnyCommunicator = None) -> Forest:
    """Finds the minimum spanning forest of a graph.

    Parameters, errors: those of `Graph`.

    Notes
    -----
    Collective: yes. Of edges of equal weight the one with lesser endpoints counts as lighter, so that there is one such forest.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> edges, weights = ([[0, 1], [1, 2], [0, 2]], [1, 2, 5]) if comm.rank == 0 else ([], [])
    >>> weft.forest(edges, weights=weights, vertices=3).weight
    3.0
    """
    return Graph(edges, weights=weights, vertices=vertices, comm=comm).forest()
