/// Local clustering coefficients and transitivity.
#pragma once

#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The clustering coefficients of a graph. Scalars are equal on all ranks.
struct clustering_coefficients {
    /// For every vertex of this rank, the number of arcs between its neighbours.
    std::vector<std::int64_t> links;
    /// For every vertex of this rank, its links divided by the largest possible number of links; 0 with fewer
    /// than 2 neighbours.
    std::vector<double> coefficient;
    double mean = 0;            ///< The mean coefficient of all vertices.
    std::int64_t triangles = 0; ///< The number of sets of three vertices of which any two are neighbours.
    std::int64_t wedges = 0;    ///< The number of pairs of neighbours of a vertex, summed over all vertices.
    double transitivity = 0;    ///< three times the triangles divided by the wedges; 0 without wedges
};

/// Finds the clustering coefficient of every vertex, as LDBC Graphalytics defines it (LCC): the neighbours of
/// a vertex are the ends of its arcs in either direction, each once. The coefficient of a vertex with d
/// neighbours is the number of arcs between two of these neighbours, divided by d (d - 1). In an undirected
/// graph an edge is two arcs, so the `links` of a vertex are twice the number of its triangles. Triangles and
/// wedges ignore directions.
///
/// Triangles are found as `count_triangles` does. In each triangle, the owner of the vertex of middle degree
/// counts the triangle, and sends counts for the two other vertices to their owners.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: as `count_triangles`, with an answer of 16
/// bytes to each message of `count_triangles`, and two exchanges with 24 bytes for each vertex at which arcs
/// of a rank end; memory O(arcs / P). Order: the result does not depend on the number of ranks; the mean is
/// summed in integers. Throws: `mpi_error`. Source: as `count_triangles`; Iosup and others, The LDBC
/// Graphalytics benchmark, 2016, for the coefficients of directed graphs.
[[nodiscard]] clustering_coefficients find_clustering(arc_graph const& graph);

} // namespace weft
