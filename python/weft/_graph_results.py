"""Results of graph algorithms."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from ._collective import all_gather, gather
from ._communicator import AnyCommunicator
from ._results import Result

__all__ = ["Betweenness", "Clustering", "Communities", "Components", "Cores", "Degrees", "Distances", "Forest", "PageRank", "Path", "PathLengths"]

Names = Union[NDArray[np.int64], "list[str]"]  # text where a file has text

R = TypeVar("R", bound="OfRanks")


@dataclass(frozen=True)
class OfRanks(Result):
    """A result whose arrays are distributed over the ranks."""

    _arrays: ClassVar[tuple[str, ...]]  # their names
    _comm: Any = field(default=None, repr=False, kw_only=True)

    def gather(self: R) -> R | None:
        """Returns on rank 0 a result with the arrays of all ranks; None on the other ranks. Collective."""
        names = [name for name in self._arrays if getattr(self, name) is not None]
        every = gather(self._comm, [getattr(self, name) for name in names])
        if every is None:
            return None
        whole: dict[str, Any] = {}
        for name, parts in zip(names, zip(*every)):
            whole[name] = sum(parts, []) if isinstance(parts[0], list) else np.concatenate(parts)
        return replace(self, **whole)


@dataclass(frozen=True)
class OfVertices(OfRanks):
    """A result with arrays for the vertices of this rank."""

    vertices: Names
    """The names that this rank's vertices have in the input; names ascend over all ranks."""
    offsets: NDArray[np.int64]
    """Rank r has the vertices from `offsets[r]` up to `offsets[r + 1]`; shape (size + 1,)."""


def with_offsets(comm: AnyCommunicator, found: dict[str, Any]) -> dict[str, Any]:
    """Adds the offsets of ranks and the communicator to the parts of a result."""
    counts = all_gather(comm, len(found["vertices"]))
    return {**found, "offsets": np.cumsum([0, *counts]), "_comm": comm}


@dataclass(frozen=True)
class Components(OfVertices):
    """Connected components. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all
    ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.components([[0, 1], [3, 4]], vertices=5, held="whole")
    >>> found.components, found.largest
    (3, [2, 2, 1])
    """

    _arrays = "vertices", "labels"

    labels: Names
    """The label of each vertex: the smallest vertex of its component."""
    vertex_count: int
    """The number of vertices of all ranks."""
    components: int
    """The number of components, including isolated vertices."""
    isolated: int
    """The number of components that consist of a single vertex."""
    largest: list[int]
    """The sizes of the ten largest components, descending."""


@dataclass(frozen=True)
class Degrees(OfVertices):
    """Degrees. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> weft.degrees([[0, 1], [1, 2]], vertices=3, held="whole").histogram
    {1: 2, 2: 1}
    """

    _arrays = "vertices", "degrees"

    degrees: NDArray[np.int64]
    """The number of neighbours of each vertex."""
    largest: int
    """The largest degree."""
    histogram: dict[int, int]
    """The number of vertices of each degree."""


@dataclass(frozen=True)
class Distances(OfVertices):
    """Distances from a vertex. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all
    ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.bfs([[0, 1], [1, 2]], 0, vertices=4, held="whole")
    >>> found.levels
    [1, 1, 1]
    """

    _arrays = "vertices", "distances", "parents"

    distances: NDArray[np.int64]
    """The distance of each vertex, in edges; -1 if the vertex was not reached."""
    levels: list[int]
    """The numbers of vertices at distance 0, 1, 2, ..."""
    parents: Names | None = None
    """For each vertex the vertex before it on a shortest path; for the source and for vertices that were not reached, the vertex itself.
    None if `parents` was not requested."""


@dataclass(frozen=True)
class PageRank(OfVertices):
    """PageRank. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.pagerank("grid:3x3")
    >>> round(float(weft.all_reduce(None, found.values.sum())), 9)
    1.0
    """

    _arrays = "vertices", "values"

    values: NDArray[np.float64]
    """The PageRank of each vertex; the sum over all ranks is 1."""
    iterations: int
    """The number of iterations."""
    converged: bool
    """True if the last iteration changed the values by less than the tolerance."""


@dataclass(frozen=True)
class PathLengths(OfVertices):
    """Lengths of shortest paths. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all
    ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.sssp([[0, 1], [1, 2]], 0, weights=[0.5, 2.0], vertices=3, held="whole")
    >>> float(weft.all_reduce(None, found.distances.sum()))
    3.0
    """

    _arrays = "vertices", "distances", "parents"

    distances: NDArray[np.float64]
    """The distance of each vertex, as a sum of weights; infinite if the vertex was not reached."""
    reached: int
    """The number of vertices that were reached, including the source."""
    longest: float
    """The largest finite distance."""
    parents: Names | None
    """For each vertex the vertex before it on a shortest path; for the source and for vertices that were not reached, the vertex itself.
    None if `parents` was not requested."""


@dataclass(frozen=True)
class Path:
    """A shortest path, the same on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.Graph("grid:4x1").path(0, 3)
    >>> found.vertices.tolist(), found.length
    ([0, 1, 2, 3], 3.0)
    """

    vertices: Names
    """The vertices from the source to the target; empty if there is no path."""
    length: float
    """The sum of weights, or the number of edges; infinite if there is no path."""


@dataclass(frozen=True)
class Communities(OfVertices):
    """Communities by label propagation. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal
    on all ranks.

    Examples
    --------
    >>> import weft
    >>> weft.communities([[0, 1], [1, 2], [0, 2]], held="whole").communities
    1
    """

    _arrays = "vertices", "labels"

    labels: Names
    """The label of each vertex: a vertex of the graph that names the community."""
    communities: int
    """The number of communities."""
    largest: list[int]
    """The sizes of the ten largest communities, descending."""
    iterations: int
    """The number of iterations."""
    converged: bool
    """True if the last iteration changed no label."""


@dataclass(frozen=True)
class Cores(OfVertices):
    """Core numbers. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> int(weft.all_reduce(None, weft.cores([[0, 1], [1, 2], [0, 2], [2, 3]], held="whole").cores.sum()))
    7
    """

    _arrays = "vertices", "cores"

    cores: NDArray[np.int64]
    """The core number of each vertex."""
    largest: int
    """The largest core number."""
    histogram: dict[int, int]
    """The number of vertices of each core number."""


@dataclass(frozen=True)
class Clustering(OfVertices):
    """Clustering coefficients. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all
    ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.clustering([[0, 1], [1, 2], [0, 2]], held="whole")
    >>> found.transitivity
    1.0
    """

    _arrays = "vertices", "coefficients", "links"

    coefficients: NDArray[np.float64]
    """The clustering coefficient of each vertex, from 0 to 1."""
    links: NDArray[np.int64]
    """The number of arcs between the neighbours of each vertex; in an undirected graph, twice the number of its triangles."""
    mean: float
    """The mean of all coefficients."""
    triangles: int
    """The number of triangles in the whole graph."""
    transitivity: float
    """Three times the number of triangles, divided by the number of pairs of neighbours of all vertices."""


@dataclass(frozen=True)
class Betweenness(OfVertices):
    """Betweenness. Attributes that are arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.betweenness([[0, 1], [1, 2]], vertices=3, held="whole")
    >>> float(weft.all_reduce(None, found.values.sum()))
    1.0
    """

    _arrays = "vertices", "values"

    values: NDArray[np.float64]
    """The betweenness of each vertex."""
    sources: int
    """The number of vertices at which paths began."""


@dataclass(frozen=True)
class Forest(OfRanks):
    """A minimum spanning forest. Attributes that are arrays have an element for each edge of this rank; other attributes are equal on all
    ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.forest([[0, 1], [1, 2], [0, 2]], weights=[1.0, 2.0, 3.0], held="whole")
    >>> float(weft.all_reduce(None, found.weights.sum()))
    3.0
    """

    _arrays = "lower", "upper", "weights"

    lower: Names
    """The smaller vertex of each edge."""
    upper: Names
    """The larger vertex of each edge."""
    weights: NDArray[np.float64]
    """The weight of each edge."""
    edge_count: int
    """The number of edges of all ranks."""
    trees: int
    """The number of trees, including isolated vertices."""
    weight: float
    """The sum of the weights of all edges."""
