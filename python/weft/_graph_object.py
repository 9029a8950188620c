"""A graph that is built once, for several algorithms."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import flag, number, path, whole
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._graph_input import (Held, NO_EDGES, pairs_of, refuse_share_of_file, share_of, text_of_share, vertex_name, vertex_names,
                           weights_by_name, weights_of)
from ._graph_results import (Betweenness, Clustering, Communities, Components, Cores, Degrees, Distances, Forest, Names, PageRank, Path,
                             PathLengths, with_offsets)
from ._log import logged
from ._progress import Progress, Rounds


class Graph:
    """A graph that is distributed over all ranks, and is built once for several algorithms.

    The constructor and all methods are collective. The graph keeps its edges, and data that several algorithms can use. Loops and duplicate
    edges are dropped. An edge that occurs several times has the smallest of its weights, but in `pagerank` the sum of its weights. Results
    do not depend on the number of ranks.

    Methods with a parameter `progress` work in several rounds, which are iterations, levels or batches of sources. If `progress` is a
    function, it is called with `(done, all)` after each round; `all` is 0 until the number of rounds is known, at the latest in the last
    call. If `progress` is a bar of tqdm, its total is set when the number of rounds is known. Each rank may pass a function or None; if a
    function raises an exception, all ranks raise an exception at the end of the call.

    Parameters
    ----------
    edges : array of integers, shape (edges, 2), or scipy.sparse matrix, path, or generator
        An array or a matrix has the edges of this rank; each edge is on one rank only. Each stored entry of a matrix is an edge,
        even a stored 0. A path is the name of a file, the same on all ranks, in any format that the command `weft` reads. A text such as
        "rmat:16", "er:1000:8", "rgg:1000", "grid:30x40", "torus:30x40" or "parts:4x500" is a generated graph, if no file has this name.
    weights : array of numbers, shape (edges,), or None or False
        For an array of edges: a weight for each edge. None uses the values of a matrix, or the weights of a file if it has
        weights. False uses no weights.
    vertices : int, optional
        With an array: the vertices are 0 to `vertices` - 1. By default, the vertices are the 64-bit integers that occur in the edges.
    directed : bool, optional
        True if edges lead only from the first vertex to the second. None means False for arrays and matrices; for a file, None means that
        the file determines the direction.
    seed : int
        The seed of a generated graph.
    held : {"parts", "whole"}, optional
        For an array or a matrix: "parts" if each rank passes a part of the edges (the default), "whole" if all ranks pass all
        edges.
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.

    Raises
    ------
    UsageError
        On all ranks: an array of a wrong shape or dtype, a vertex out of range, arguments that differ between ranks, or `directed` for an
        undirected file.
    InputError
        On all ranks: a file that cannot be read, or breaks its format.

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

    @overload
    def __init__(self, edges: Any, *, weights: Any = None, vertices: int | None = None, directed: bool | None = None, seed: int = 1,
                 held: Held = None, comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, edges: Any, /, *, weights: Any = None, vertices: int | None = None,
                 directed: bool | None = None, seed: int = 1, held: Held = None) -> None: ...

    @on_ranks_overloaded
    def __init__(self, edges: Any, *, weights: Any = None, vertices: int | None = None, directed: bool | None = None, seed: int = 1,
                 held: Held = None, comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Graph") as call:
            leads = None if directed is None else flag("directed", directed)
            draw = whole("seed", seed, 0, 2**64 - 1)
            if isinstance(edges, (str, os.PathLike)):
                file = path("edges", edges)
                refuse_share_of_file(held)
                made = isinstance(edges, str) and _weft.names_generator(file) and not os.path.exists(file)
                if vertices is not None:
                    raise UsageError("vertices: a file says itself how many it has")
                if weights is not None and weights is not False:
                    raise UsageError("weights: a file has its own; expected None, or False for none")
                call.same(f"of {'the generator' if made else 'the file'} {file}, weights {weights is None}, seed {draw},")
                given = _weft.GraphInput(file, made, draw, NO_EDGES, None, weights is None, -1, False)
            else:
                pairs, count = pairs_of(edges, -1 if vertices is None else whole("vertices", vertices, 0, 2**62))
                numbers = weights_of(edges, weights, len(pairs))
                call.same(f"of {text_of_share(held, len(pairs))}edges of {count} vertices, weights {numbers is not None},")
                mine = share_of(held, call.native, len(pairs))
                pairs, numbers = pairs[mine], numbers if numbers is None else numbers[mine]
                leads = bool(leads)
                given = _weft.GraphInput(None, False, draw, pairs, numbers, False, count, leads)
            call.same(f"directed {leads}")
        self._keep(call.native, _weft.Graph(call.native, given, leads))

    def _keep(self, comm: _weft.Communicator, graph: _weft.Graph) -> None:
        self._native = comm
        self._graph = graph
        counts = with_offsets(self._native, {"vertices": self._graph.vertices()})
        self._vertices: Names = counts["vertices"]
        self._offsets: NDArray[np.int64] = counts["offsets"]

    @property
    def vertices(self) -> Names:
        """The names that this rank's vertices have in the input; names ascend over all ranks."""
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

    @logged
    def components(self) -> Components:
        """Finds the connected components; directions of edges are ignored. Collective."""
        return Components(**self._of_vertices(self._graph.components()), vertex_count=self.vertex_count)

    @logged
    def largest_component(self) -> Graph:
        """Makes a graph of the edges of the largest connected component, for which directions of edges are ignored. Collective.

        Vertices keep their names, and edges keep their weights and directions. If several components are largest, the component with the
        smallest vertex is taken. A vertex without edges is left out, so the result is empty if the largest component is a single vertex
        without a loop.

        Returns
        -------
        Graph
            The largest component, over the same ranks.

        Examples
        --------
        >>> import weft
        >>> graph = weft.Graph([[0, 1], [5, 6], [6, 7]], vertices=9, held="whole")
        >>> part = graph.largest_component()
        >>> part.vertex_count, part.path(5, 7).vertices.tolist()
        (3, [5, 6, 7])
        """
        made = Graph.__new__(Graph)
        made._keep(self._native, self._graph.largest_component())
        return made

    @logged
    def scc(self, *, progress: Progress | None = None) -> Components:
        """Finds the strongly connected components: vertices that reach each other along edges. Collective.

        Parameters
        ----------
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.
        """
        with agreed(self._native, "Graph.scc") as call:
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.scc()
        return Components(**self._of_vertices(found), vertex_count=self.vertex_count)

    @logged
    def degrees(self) -> Degrees:
        """Counts the neighbours of every vertex; directions of edges are ignored. Collective."""
        return Degrees(**self._of_vertices(self._graph.degrees()))

    @logged
    def triangles(self) -> int:
        """Counts the triangles; directions of edges are ignored. Collective."""
        return self._graph.triangles()

    @logged
    def cores(self, *, progress: Progress | None = None) -> Cores:
        """Finds the core numbers of all vertices; directions of edges are ignored. Collective.

        Parameters
        ----------
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.
        """
        with agreed(self._native, "Graph.cores") as call:
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.cores()
        return Cores(**self._of_vertices(found))

    @logged
    def clustering(self) -> Clustering:
        """Finds the clustering coefficients of all vertices, as LDBC Graphalytics defines them. Collective."""
        return Clustering(**self._of_vertices(self._graph.clustering()))

    @logged
    def communities(self, *, max_iterations: int = 10, progress: Progress | None = None) -> Communities:
        """Finds communities by label propagation, as LDBC Graphalytics defines it (CDLP). Collective.

        Parameters
        ----------
        max_iterations : int
            The greatest number of iterations.
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.
        """
        with agreed(self._native, "Graph.communities") as call:
            most = whole("max_iterations", max_iterations, 0, 2**62)
            call.same(f"with at most {most} iterations")
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.communities(most)
        return Communities(**self._of_vertices(found))

    @logged
    def bfs(self, source: int | str | Iterable[int | str], *, parents: bool = False, progress: Progress | None = None) -> Distances:
        """Finds the distance, in edges, of each vertex from one vertex, or from the nearest of several vertices. Collective.

        Parameters
        ----------
        source : int or str, or several in a list, a tuple or an array
            The name of the vertex in the input, or the names of several vertices; the same on all ranks, in the same order.
        parents : bool
            True to find for each vertex also its parent: the vertex before it on a shortest path, and the smallest if there are several.
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.

        Examples
        --------
        >>> import weft
        >>> weft.Graph("grid:9x1").bfs([0, 6]).levels
        [2, 3, 3, 1]
        """
        with agreed(self._native, "Graph.bfs") as call:
            start, wanted = vertex_names("source", source), flag("parents", parents)
            call.same(f"from {start}, parents {wanted}")
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.bfs(start, wanted)
        return Distances(**self._of_vertices(found))

    @logged
    def sssp(self, source: int | str, *, delta: float | None = None, parents: bool = False,
             progress: Progress | None = None) -> PathLengths:
        """Finds the lengths of the shortest paths from one vertex, by the weights of edges. Edges of a graph without weights have
        length 1. Collective.

        Parameters
        ----------
        source : int or str
            The name of the vertex in the input; the same on all ranks.
        delta : float, optional
            The width of a bucket of distances in the delta-stepping method. The width changes only the running time.
        parents : bool
            True to find for each vertex also its parent: the vertex before it on a shortest path, and the smallest if there are several.
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.

        Raises
        ------
        UsageError
            On all ranks: `source` is not a vertex, a weight that is negative, infinite or NaN.
        """
        with agreed(self._native, "Graph.sssp") as call:
            start, wanted = vertex_name("source", source), flag("parents", parents)
            width = None if delta is None else number("delta", delta, above=0)
            call.same(f"from {start}, delta {width}, parents {wanted}")
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.sssp(start, width, wanted)
        return PathLengths(**self._of_vertices(found))

    @logged
    def path(self, source: int | str, target: int | str, *, weighted: bool | None = None) -> Path:
        """Finds a shortest path from one vertex to another. Collective.

        Parameters
        ----------
        source, target : int or str
            The names of the vertices in the input; the same on all ranks.
        weighted : bool, optional
            False counts edges. The default is True if the graph has weights.

        Returns
        -------
        Path
            The same on all ranks.
        """
        with agreed(self._native, "Graph.path") as call:
            start, end = vertex_name("source", source), vertex_name("target", target)
            counts = self.weighted if weighted is None else flag("weighted", weighted)
            if counts and not self.weighted:
                raise UsageError("weighted: the graph has no weights")
            call.same(f"from {start} to {end}, weighted {counts}")
        found: tuple[Any, float] = self._graph.path(start, end, counts)
        return Path(*found)

    @logged
    def pagerank(self, *, weighted: bool = False, damping: float = 0.85, tolerance: float = 1e-14,
                 max_iterations: int = 10000, personalization: Mapping[Any, float] | None = None,
                 progress: Progress | None = None) -> PageRank:
        """Computes PageRank by power iteration; edges from a vertex to itself are left out. Collective.

        Parameters
        ----------
        weighted : bool
            True if the random walk follows edges with a probability in proportion to their weights.
        damping, tolerance, max_iterations, personalization
            As in the function `pagerank`.
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.
        """
        with agreed(self._native, "Graph.pagerank") as call:
            counts = flag("weighted", weighted)
            if counts and not self.weighted:
                raise UsageError("weighted: the graph has no weights")
            share, least = number("damping", damping, least=0, below=1), number("tolerance", tolerance, least=0)
            most = whole("max_iterations", max_iterations, 0, 2**62)
            personal = weights_by_name("personalization", personalization)
            call.same(f"weighted {counts}, with damping {share}, tolerance {least}, at most {most} iterations, "
                      f"personalization {personal}")
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.pagerank(counts, share, least, most, personal)
        return PageRank(**self._of_vertices(found))

    @logged
    def betweenness(self, *, sources: int | None = None, normalized: bool = False, seed: int = 1,
                    progress: Progress | None = None) -> Betweenness:
        """Finds the betweenness of each vertex: the share of the shortest paths (in edges) between two other vertices that lead through the
        vertex, summed over all pairs. Collective.

        Parameters
        ----------
        sources : int, optional
            The number of vertices at which paths begin, drawn at random with `seed`; values are multiplied by n / sources. With None, paths
            begin at all vertices, and values are exact.
        normalized : bool
            True to divide each value by the number of pairs of other vertices.
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.
        """
        with agreed(self._native, "Graph.betweenness") as call:
            some = None if sources is None else whole("sources", sources, 1, 2**62)
            shares, draw = flag("normalized", normalized), whole("seed", seed, 0, 2**64 - 1)
            call.same(f"of {some} sources, normalized {shares}, seed {draw}")
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.betweenness(some, shares, draw)
        return Betweenness(**self._of_vertices(found))

    @logged
    def forest(self, *, progress: Progress | None = None) -> Forest:
        """Finds the minimum spanning forest. Edges without weights have weight 1, and directions are ignored. Collective.

        Parameters
        ----------
        progress : function of (done, all) or a bar of tqdm, optional
            Called after each round; see `Graph`.
        """
        with agreed(self._native, "Graph.forest") as call:
            rounds = Rounds(call, progress)
        with rounds:
            found = self._graph.forest()
        return Forest(**found, _comm=self._native)

    def __repr__(self) -> str:
        kind = f"{'directed' if self.directed else 'undirected'}{', weighted' if self.weighted else ''}"
        return f"<weft.Graph: {self.vertex_count} vertices, {kind}>"
