/// Degrees and their distribution.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// The way in which ranks exchange counts of neighbours. The degrees do not depend on this choice.
enum class degree_engine : std::uint8_t {
    /// Each rank adds up its counts for a vertex; then one sparse exchange with one item per ghost follows.
    exchange,
    /// Each rank sends a message of 4 bytes for each edge to another rank, and counts the messages that
    /// arrive from other ranks.
    mailbox,
};

/// The degrees of a simple graph. Scalars and the histogram are equal on all ranks.
struct degree_summary {
    std::vector<std::int64_t> degree; ///< The degree of every vertex of this rank.
    std::int64_t max_degree = 0;      ///< The largest degree.
    /// The smallest vertex of the largest degree; -1 for a graph without vertices.
    global_id max_vertex = -1;
    std::int64_t sum_squares = 0;                   ///< the sum of the squares of all degrees
    std::map<std::int64_t, std::int64_t> histogram; ///< The number of vertices of each degree.
};

/// Counts the neighbours of every vertex. Collective: yes, with the same engine on all ranks. Blocks: until
/// all ranks have called. Cost: O(edges / P) local work, and the messages of the engine; two small exchanges
/// for the histogram. Throws: `mpi_error`. Source: with a mailbox, Priest, Steil, Sanders, Pearce, YGM, 2019,
/// Algorithm 1.
[[nodiscard]] degree_summary find_degrees(
    simple_graph const& graph, degree_engine engine = degree_engine::exchange);

} // namespace weft
