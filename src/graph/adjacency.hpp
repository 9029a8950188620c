/// From the edges that the ranks hold to those of each vertex, with its owner. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The endpoint that stores an edge.
enum class stored_with {
    one_end, ///< one of the two, by the parity of their sum: a vertex of high degree stores half of its edges
    source,
    target,
    both_ends
};

/// Returns true if `one_end` is the lower endpoint.
constexpr bool is_stored_with_lower(global_id a, global_id b) noexcept {
    return ((a ^ b) & 1) != 0;
}

/// For each vertex of this rank, the far ends of the edges that it stores: distinct, ascending, without
/// loops.
struct adjacency {
    std::vector<std::size_t> first; ///< by local vertex, one more at the end
    std::vector<global_id> others;
    std::int64_t stored = 0; ///< edges, on all ranks together
    std::int64_t most = 0;   ///< edges of one vertex, on any rank
    std::int64_t loops = 0;  ///< dropped loops, counted as the input lists them, on all ranks together
};

/// Collective: yes, within a gate. Cost: one exchange of the edges, one census; O(edges / P) time and memory
/// a rank. Throws: what the gate has kept, and for want of memory, agreed.
[[nodiscard]] adjacency store_edges(
    gate& call, uniform_distribution const& vertices, std::vector<edge> edges, stored_with which);

/// Fills in the totals over all ranks; `loops` is the number of this rank. Collective: yes, within a gate;
/// one census. Throws: what the gate has kept, agreed.
void agree_on_totals(gate& call, adjacency& arcs, std::int64_t loops);

} // namespace weft
