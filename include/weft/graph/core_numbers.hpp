/// Core numbers.
#pragma once

#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// The core numbers of a graph. Everything but `core` is equal on all ranks.
struct core_numbers {
    std::vector<std::int64_t> core;                 ///< of every vertex of this rank
    std::int64_t largest = 0;                       ///< the degeneracy of the graph
    std::map<std::int64_t, std::int64_t> histogram; ///< core number to the number of vertices that have it
    std::int64_t exchanges = 0;                     ///< the number of exchanges
};

/// Finds the core number of every vertex: the largest k for which the vertex lies in a part of the graph
/// where each vertex has at least k neighbours.
///
/// The method is peeling: the vertices of least degree are taken out, and each leaves its neighbours a degree
/// less, down to the level of that least degree, until all that are left have more. A rank takes its vertices
/// out in the order of degrees that are kept sorted by counting, as far as it can alone; then owners receive
/// the numbers of neighbours that their vertices lost elsewhere.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: O(arcs / P) work per rank; for each core number
/// that occurs, a small all-reduce and an exchange, and a further exchange each time its peeling crosses
/// ranks; at most 8 bytes of traffic per ghost in an exchange. Memory: 24 bytes per vertex of the rank, 8 per
/// ghost, 8 a degree up to the largest. Order: the result does not depend on the number of ranks. Throws:
/// `usage_error` (a graph that has one direction of its arcs), `mpi_error`. Source: Batagelj, Zaversnik, An
/// O(m) algorithm for cores decomposition of networks, 2003.
[[nodiscard]] core_numbers find_core_numbers(arc_graph const& graph);

} // namespace weft
