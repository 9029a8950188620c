"""Algorithms on graphs, given as arrays, sparse matrices or files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import flag, number, path, whole
from ._arrays import as_array
from ._collective import all_gather, gather
from ._communicator import AnyCommunicator, agreed
from ._errors import UsageError
from ._results import Result

__all__ = ["Components", "Degrees", "Distances", "PageRank", "bfs", "components", "degrees", "pagerank", "triangles"]


def _gathered(result: Any, names: tuple[str, ...]) -> Any:
    """The result with the arrays of all ranks, on rank 0."""
    every = gather(result._comm, [getattr(result, name) for name in names])
    if every is None:
        return None
    whole: dict[str, Any] = {}
    for index, name in enumerate(names):
        parts = [of_rank[index] for of_rank in every]
        whole[name] = sum(parts, []) if isinstance(parts[0], list) else np.concatenate(parts)
    return replace(result, **whole)


def _with_offsets(comm: AnyCommunicator, found: dict[str, Any]) -> dict[str, Any]:
    """What was found, and which rank has which part of the arrays."""
    counts = all_gather(comm, len(found["vertices"]))
    return {**found, "offsets": np.cumsum([0, *counts]), "_comm": comm}


Names = Union[NDArray[np.int64], "list[str]"]  # text where a file has text

_NO_EDGES = np.empty((0, 2), np.int64)


@dataclass(frozen=True)
class Components(Result):
    """Connected components. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    """Their names in the input, ascending over all ranks."""
    labels: Names
    """The smallest vertex of the component of each."""
    vertex_count: int
    """On all ranks."""
    components: int
    isolated: int
    """Components of one vertex."""
    largest: list[int]
    """The sizes of the largest ten, descending."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Components | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Components | None = _gathered(self, ("vertices", "labels"))
        return made


@dataclass(frozen=True)
class Degrees(Result):
    """Degrees. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    degrees: NDArray[np.int64]
    largest: int
    histogram: dict[int, int]
    """From a degree to the number of vertices that have it."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Degrees | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Degrees | None = _gathered(self, ("vertices", "degrees"))
        return made


@dataclass(frozen=True)
class Distances(Result):
    """Distances from a vertex. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    distances: NDArray[np.int64]
    """In edges; -1 where the vertex was not reached."""
    levels: list[int]
    """How many vertices are at distance 0, 1, 2, ..."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    parents: Names | None = None
    """The vertex before each on a path, itself at the source and where no path leads; None where they were not asked for."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> Distances | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: Distances | None = _gathered(self, ("vertices", "distances", *(() if self.parents is None else ("parents",))))
        return made


@dataclass(frozen=True)
class PageRank(Result):
    """PageRank. Arrays are of the vertices of this rank; the rest is equal on all ranks."""

    vertices: Names
    values: NDArray[np.float64]
    """Those of all ranks add up to 1."""
    iterations: int
    converged: bool
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""
    _comm: Any = field(default=None, repr=False)

    def gather(self) -> PageRank | None:
        """Returns the same with the arrays of all ranks on rank 0; None elsewhere. Collective."""
        made: PageRank | None = _gathered(self, ("vertices", "values"))
        return made


def _is_sparse(edges: Any) -> bool:
    return hasattr(edges, "tocoo") and hasattr(edges, "shape")


def _pairs(edges: Any, vertices: int) -> tuple[NDArray[np.int64], int]:
    if _is_sparse(edges):
        coo = edges.tocoo()
        if coo.shape[0] != coo.shape[1]:
            raise UsageError(f"edges: a matrix of shape {coo.shape}; expected a square one")
        return np.stack([coo.row, coo.col], axis=1).astype(np.int64), coo.shape[0]
    array = as_array("edges", edges)
    if array.size == 0:
        array = _NO_EDGES
    if array.ndim != 2 or array.shape[1] != 2:
        raise UsageError(f"edges: an array of shape {array.shape}; expected (edges, 2)")
    if array.dtype.kind not in "iu":
        raise UsageError(f"edges: an array of {array.dtype}; expected integers")
    if array.dtype == np.uint64 and int(array.max(initial=0)) > np.iinfo(np.int64).max:
        raise UsageError("edges: a vertex is beyond the 64-bit integers")
    return np.ascontiguousarray(array, np.int64), vertices


def _vertex(name: str, value: Any) -> str:
    return value if isinstance(value, str) else str(whole(name, value))


class _Question(agreed):
    """A question about a graph: its arguments are converted and compared inside."""

    def graph(self, edges: Any, vertices: Any, directed: Any = False) -> _weft.GraphInput:
        leads = flag("directed", directed)
        file: str | None = None
        pairs, count = _NO_EDGES, -1
        if isinstance(edges, (str, os.PathLike)):
            file = path("edges", edges)
            if vertices is not None:
                raise UsageError("vertices: a file says itself how many it has")
        else:
            pairs, count = _pairs(edges, -1 if vertices is None else whole("vertices", vertices, 0, 2**62))
        made = file is not None and _weft.names_generator(file) and not os.path.exists(file)
        self.same(f"of {f'the file {file}' if file else f'edges of {count} vertices'}, directed {leads}, made {made}")
        return _weft.GraphInput(file, made, 1, pairs, None, False, count, leads)


def components(edges: Any, *, vertices: int | None = None, comm: AnyCommunicator = None) -> Components:
    """Finds the connected components of a graph, seen as undirected and simple.

    Parameters
    ----------
    edges : array of integers, shape (edges, 2), or scipy.sparse matrix, or path
        As an array or a matrix: the edges of this rank; each edge on one rank. A matrix has all rows and columns on every
        rank, and those entries that are stored there: each is an edge of no weight, also a stored 0; those of the diagonal
        are left out. As a path: a file, the same on all ranks, of any format that the command reads; or a generator, as in `Graph`.
    vertices : int, optional
        With an array: vertices are 0..vertices-1. Without: those that occur, any 64-bit integers.
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.

    Returns
    -------
    Components
        Vertices are distributed in ascending blocks of equal size.

    Raises
    ------
    UsageError
        On all ranks: an array of another shape or dtype, a vertex out of range, calls that differ.
    InputError
        On all ranks: a file that cannot be read, or breaks its format.

    Notes
    -----
    Collective: yes. The labels do not depend on the number of ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> edges = np.array([[0, 1], [3, 4]]) if comm.rank == 0 else np.empty((0, 2), int)
    >>> weft.components(edges, vertices=5).components
    3
    """
    with _Question(comm, "components") as asked:
        graph = asked.graph(edges, vertices)
    return Components(**_with_offsets(comm, _weft.components(asked.native, graph)))


def degrees(edges: Any, *, vertices: int | None = None, comm: AnyCommunicator = None) -> Degrees:
    """Counts the neighbours of every vertex of a graph, seen as undirected and simple.

    Parameters, errors, distribution: as `components`.

    Notes
    -----
    Collective: yes.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> edges = [[0, 1], [1, 2]] if comm.rank == 0 else []
    >>> weft.degrees(edges, vertices=3).histogram
    {1: 2, 2: 1}
    """
    with _Question(comm, "degrees") as asked:
        graph = asked.graph(edges, vertices)
    return Degrees(**_with_offsets(comm, _weft.degrees(asked.native, graph)))


def bfs(edges: Any, source: int | str, *, vertices: int | None = None, directed: bool = False,
        comm: AnyCommunicator = None) -> Distances:
    """Finds the distances of all vertices from one, in edges.

    Parameters
    ----------
    edges, vertices, comm
        As in `components`.
    source : int or str
        The name of the vertex in the input; the same on all ranks.
    directed : bool
        Of arrays: edges lead from the first vertex to the second only. Files say themselves what they are.

    Raises
    ------
    UsageError
        As `components`; `source` is no vertex.

    Notes
    -----
    Collective: yes.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.bfs([[0, 1], [1, 2]] if comm.rank == 0 else [], 0, vertices=3).levels
    [1, 1, 1]
    """
    with _Question(comm, "bfs") as asked:
        start = _vertex("source", source)
        asked.same(f"from {start}")
        graph = asked.graph(edges, vertices, directed)
    return Distances(**_with_offsets(comm, _weft.bfs(asked.native, graph, start)))


def pagerank(edges: Any, *, vertices: int | None = None, directed: bool = True, damping: float = 0.85,
             tolerance: float = 1e-14, max_iterations: int = 10000, comm: AnyCommunicator = None) -> PageRank:
    """Computes PageRank by power iteration.

    Parameters
    ----------
    edges, vertices, comm
        As in `components`.
    directed : bool
        As in `bfs`.
    damping : float
        The share that follows edges; in 0..1, below 1.
    tolerance : float
        Ends when an iteration changes less, as a sum over all vertices.
    max_iterations : int
        Ends then at the latest.

    Raises
    ------
    UsageError
        As `components`; options out of range, or not the same on all ranks.

    Notes
    -----
    Collective: yes. The values are the same to the last bit at any number of ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> found = weft.pagerank([[0, 1], [1, 0]] if comm.rank == 0 else [], vertices=2)
    >>> sum(weft.all_gather(comm, found.values.tolist()), [])
    [0.5, 0.5]
    """
    with _Question(comm, "pagerank") as asked:
        share, least = number("damping", damping, least=0, below=1), number("tolerance", tolerance, least=0)
        most = whole("max_iterations", max_iterations, 0, 2**62)
        asked.same(f"with damping {share}, tolerance {least}, at most {most} iterations,")
        graph = asked.graph(edges, vertices, directed)
    return PageRank(**_with_offsets(comm, _weft.pagerank(asked.native, graph, share, least, most)))


def triangles(edges: Any, *, vertices: int | None = None, comm: AnyCommunicator = None) -> int:
    """Counts the triangles of a graph, seen as undirected and simple. Parameters, errors: as `components`.

    Notes
    -----
    Collective: yes.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> weft.triangles([[0, 1], [1, 2], [2, 0]] if comm.rank == 0 else [], vertices=3)
    1
    """
    with _Question(comm, "triangles") as asked:
        graph = asked.graph(edges, vertices)
    return _weft.triangles(asked.native, graph)
