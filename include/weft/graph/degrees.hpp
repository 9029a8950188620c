/// Degrees and their distribution.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// The degrees of a simple graph. Scalars and the histogram are equal on all ranks.
struct degree_summary {
    std::vector<std::int64_t> degree; ///< of every vertex of this rank
    std::int64_t max_degree = 0;
    global_id max_vertex = -1;    ///< the smallest vertex of that degree; -1 in a graph without vertices
    std::int64_t sum_squares = 0; ///< of all degrees
    std::map<std::int64_t, std::int64_t> histogram; ///< degree to the number of vertices that have it
};

/// Counts the neighbours of every vertex.
/// Collective: yes. Blocks: until all ranks have called. Cost: O(edges / P) local work, one exchange with one
/// item per ghost, two small ones with the histogram. Throws: `mpi_error`.
[[nodiscard]] degree_summary find_degrees(simple_graph const& graph);

} // namespace weft
