/// Local clustering coefficients and transitivity.
#pragma once

#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The clustering of a graph. Scalars are equal on all ranks.
struct clustering_coefficients {
    std::vector<std::int64_t> links; ///< of every vertex of this rank: the arcs between its neighbours
    std::vector<double>
        coefficient; ///< links as a share of the largest possible number; 0 with fewer than 2 neighbours
    double mean = 0; ///< of all vertices
    std::int64_t triangles = 0; ///< sets of three vertices of which any two are neighbours
    std::int64_t wedges = 0;    ///< pairs of neighbours of a vertex, over all vertices
    double transitivity = 0;    ///< three times the triangles, as a share of the wedges; 0 without wedges
};

/// Finds the clustering coefficient of every vertex, as LDBC Graphalytics defines it (LCC): the neighbours of
/// a vertex are those in either direction, each once; of d neighbours, the arcs that lead from one to another
/// are counted, out of d (d - 1). In a graph of both directions an edge is two arcs, so that the `links` of a
/// vertex are twice the triangles around it. Triangles and wedges ignore directions.
///
/// Triangles are found as `count_triangles` does. The vertex of middle rank finds them, counts them for
/// itself, adds up those of its arcs for their ends, and answers the vertex that asked.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: as `count_triangles`, with 16 bytes back for
/// each of its messages, and two exchanges of 24 bytes for each vertex at which arcs of a rank end; memory
/// O(arcs / P). Order: the result does not depend on the number of ranks; the mean is added up in integers.
/// Throws: `mpi_error`. Source: as `count_triangles`; Iosup and others, The LDBC Graphalytics benchmark,
/// 2016, for the coefficients of directed graphs.
[[nodiscard]] clustering_coefficients find_clustering(arc_graph const& graph);

} // namespace weft
