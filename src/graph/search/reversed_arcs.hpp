/// The reversed arcs of a graph. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// For each vertex of this rank the vertices that have it as a neighbour, by local numbers as in
/// `arc_graph`, but with ghosts of their own.
struct reversed_arcs {
    std::vector<std::size_t> first; ///< by local vertex, one more at the end
    std::vector<std::uint32_t> neighbors;
    std::vector<global_id> ghosts; ///< ascending
};

/// Collective: yes, within a gate. Cost: one exchange of the arcs, O(arcs / P) time and memory. Throws:
/// `usage_error` where 32 bits do not suffice, and for want of memory, agreed.
[[nodiscard]] reversed_arcs reverse_arcs(gate& call, arc_graph const& graph);

} // namespace weft
