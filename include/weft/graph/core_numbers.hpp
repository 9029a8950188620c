/// Core numbers.
#pragma once

#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// The core numbers of a graph. Everything but `core` is equal on all ranks.
struct core_numbers {
    std::vector<std::int64_t> core; ///< The core number of every vertex of this rank.
    /// The largest core number, called the degeneracy of the graph.
    std::int64_t largest = 0;
    std::map<std::int64_t, std::int64_t> histogram; ///< The number of vertices of each core number.
    std::int64_t exchanges = 0;                     ///< the number of exchanges
};

/// Finds the core number of every vertex: the largest k for which the vertex is in a subgraph in which
/// each vertex has at least k neighbours.
///
/// The method is peeling: vertices of the least degree are removed, which lowers the degrees of their
/// neighbours, until all remaining vertices have a larger degree; then the next degree follows. A rank first
/// removes all its vertices that it can remove without messages, in the order of their degrees; then owners
/// receive the numbers of neighbours that their vertices have lost on other ranks.
///
/// Collective: yes. Blocks: until all ranks are done. Cost: O(arcs / P) work per rank; for each core number
/// that occurs, a small all-reduce and an exchange, and a further exchange each time that the peeling
/// continues on another rank; at most 8 bytes of traffic per ghost in an exchange. Memory: 24 bytes per
/// vertex of the rank, 8 bytes per ghost, and 8 bytes for each degree up to the largest degree. Order: the
/// result does not depend on the number of ranks. Throws: `usage_error` (a graph whose arcs are stored in
/// only one direction), `mpi_error`. Source: Batagelj, Zaversnik, An O(m) algorithm for cores decomposition
/// of networks, 2003.
[[nodiscard]] core_numbers find_core_numbers(arc_graph const& graph);

} // namespace weft
