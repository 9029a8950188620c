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
    """Their names in the input, ascending over all ranks."""
    offsets: NDArray[np.int64]
    """Rank r has the elements from `offsets[r]` up to `offsets[r + 1]` of the whole arrays."""


def with_offsets(comm: AnyCommunicator, found: dict[str, Any]) -> dict[str, Any]:
    """Adds the offsets of ranks and the communicator to the parts of an answer."""
    counts = all_gather(comm, len(found["vertices"]))
    return {**found, "offsets": np.cumsum([0, *counts]), "_comm": comm}


@dataclass(frozen=True)
class Components(OfVertices):
    """Connected components. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.components([[0, 1], [3, 4]], vertices=5, held="whole")
    >>> found.components, found.largest
    (3, [2, 2, 1])
    """

    _arrays = "vertices", "labels"

    labels: Names
    """The smallest vertex of the component of each."""
    vertex_count: int
    """On all ranks."""
    components: int
    """Their number, isolated vertices among them."""
    isolated: int
    """Components of one vertex."""
    largest: list[int]
    """The sizes of the largest ten, descending."""


@dataclass(frozen=True)
class Degrees(OfVertices):
    """Degrees. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

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
    """From a degree to the number of vertices that have it."""


@dataclass(frozen=True)
class Distances(OfVertices):
    """Distances from a vertex. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.bfs([[0, 1], [1, 2]], 0, vertices=4, held="whole")
    >>> found.levels
    [1, 1, 1]
    """

    _arrays = "vertices", "distances", "parents"

    distances: NDArray[np.int64]
    """In edges; -1 where the vertex was not reached."""
    levels: list[int]
    """How many vertices are at distance 0, 1, 2, ..."""
    parents: Names | None = None
    """The vertex before each on a path, itself at the source and where no path leads; None where they were not asked for."""


@dataclass(frozen=True)
class PageRank(OfVertices):
    """PageRank. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.pagerank("grid:3x3")
    >>> round(float(weft.all_reduce(None, found.values.sum())), 9)
    1.0
    """

    _arrays = "vertices", "values"

    values: NDArray[np.float64]
    """Those of all ranks add up to 1."""
    iterations: int
    """The number that was made."""
    converged: bool
    """True if the last iteration changed less than the tolerance."""


@dataclass(frozen=True)
class PathLengths(OfVertices):
    """Lengths of shortest paths. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.sssp([[0, 1], [1, 2]], 0, weights=[0.5, 2.0], vertices=3, held="whole")
    >>> float(weft.all_reduce(None, found.distances.sum()))
    3.0
    """

    _arrays = "vertices", "distances", "parents"

    distances: NDArray[np.float64]
    """Sums of weights; infinite where a vertex is not reached."""
    reached: int
    """Vertices, the source among them."""
    longest: float
    """The largest finite distance."""
    parents: Names | None
    """The vertex before each, itself at the source and where no path leads; None where they were not asked for."""


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
    """From the source to the target; empty where none leads there."""
    length: float
    """The sum of weights, or the number of edges; infinite where none leads there."""


@dataclass(frozen=True)
class Communities(OfVertices):
    """Communities by label propagation. Arrays have an element for each vertex of this rank; other attributes are equal on all
    ranks.

    Examples
    --------
    >>> import weft
    >>> weft.communities([[0, 1], [1, 2], [0, 2]], held="whole").communities
    1
    """

    _arrays = "vertices", "labels"

    labels: Names
    """A vertex of the graph for each community."""
    communities: int
    """Their number."""
    largest: list[int]
    """The sizes of the largest ten, descending."""
    iterations: int
    """The number that was made."""
    converged: bool
    """True if the last iteration changed no label."""


@dataclass(frozen=True)
class Cores(OfVertices):
    """Core numbers. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

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
    """From a core number to the number of vertices that have it."""


@dataclass(frozen=True)
class Clustering(OfVertices):
    """Clustering coefficients. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.clustering([[0, 1], [1, 2], [0, 2]], held="whole")
    >>> found.transitivity
    1.0
    """

    _arrays = "vertices", "coefficients", "links"

    coefficients: NDArray[np.float64]
    """That of each vertex, in 0..1."""
    links: NDArray[np.int64]
    """The number of arcs between the neighbours of each vertex; without directions, twice the triangles at the vertex."""
    mean: float
    """The mean of all coefficients."""
    triangles: int
    """Their number in the whole graph."""
    transitivity: float
    """Three times the triangles, as a share of the pairs of neighbours of a vertex."""


@dataclass(frozen=True)
class Betweenness(OfVertices):
    """Betweenness. Arrays have an element for each vertex of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.betweenness([[0, 1], [1, 2]], vertices=3, held="whole")
    >>> float(weft.all_reduce(None, found.values.sum()))
    1.0
    """

    _arrays = "vertices", "values"

    values: NDArray[np.float64]
    """The shortest paths through each vertex, parts of paths where there are several."""
    sources: int
    """Vertices at which paths began."""


@dataclass(frozen=True)
class Forest(OfRanks):
    """A minimum spanning forest. Arrays have an element for each edge of this rank; other attributes are equal on all ranks.

    Examples
    --------
    >>> import weft
    >>> found = weft.forest([[0, 1], [1, 2], [0, 2]], weights=[1.0, 2.0, 3.0], held="whole")
    >>> float(weft.all_reduce(None, found.weights.sum()))
    3.0
    """

    _arrays = "lower", "upper", "weights"

    lower: Names
    """The endpoint of an edge that is the lesser one."""
    upper: Names
    """The other endpoint."""
    weights: NDArray[np.float64]
    """Of each edge."""
    edge_count: int
    """On all ranks."""
    trees: int
    """Isolated vertices among them."""
    weight: float
    """Of all edges."""
