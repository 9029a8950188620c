/// Degrees and their distribution.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// The way in which ranks exchange counts of neighbours. The degrees do not depend on it.
enum class degree_engine : std::uint8_t {
    /// Each rank adds up its counts for a vertex; then one sparse exchange with one item per ghost follows.
    exchange,
    /// One message of 4 bytes for each edge that leads to another rank, counted while others are sent.
    mailbox,
};

/// The degrees of a simple graph. Scalars and the histogram are equal on all ranks.
struct degree_summary {
    std::vector<std::int64_t> degree; ///< of every vertex of this rank
    std::int64_t max_degree = 0;      ///< The largest degree.
    global_id max_vertex = -1;        ///< the smallest vertex of that degree; -1 in a graph without vertices
    std::int64_t sum_squares = 0;     ///< the sum of the squares of all degrees
    std::map<std::int64_t, std::int64_t> histogram; ///< degree to the number of vertices that have it
};

/// Counts the neighbours of every vertex. Collective: yes, with the same engine on all ranks. Blocks: until
/// all ranks have called. Cost: O(edges / P) local work, and the messages of the engine; two small exchanges
/// for the histogram. Throws: `mpi_error`. Source: with a mailbox, Priest, Steil, Sanders, Pearce, YGM, 2019,
/// Algorithm 1.
[[nodiscard]] degree_summary find_degrees(
    simple_graph const& graph, degree_engine engine = degree_engine::exchange);

} // namespace weft
