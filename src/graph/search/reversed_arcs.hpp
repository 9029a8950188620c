/// The arcs of a graph turned round. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/arc_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// With each vertex of this rank those that name it as a neighbour, by local numbers as in `arc_graph`; the
/// ghosts are others.
struct reversed_arcs {
    std::vector<std::size_t> first; ///< by local vertex, one more at the end
    std::vector<std::uint32_t> neighbors;
    std::vector<global_id> ghosts; ///< ascending
};

/// Collective: yes, within a gate. Cost: one exchange of the arcs, O(arcs / P) time and memory. Throws:
/// `usage_error` where 32 bits do not suffice, and for want of memory, agreed.
[[nodiscard]] reversed_arcs reverse_arcs(gate& call, arc_graph const& graph);

} // namespace weft
