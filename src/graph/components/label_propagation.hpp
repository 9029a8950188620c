/// Components by label propagation. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Returns for each vertex of this rank the smallest vertex of its component. Vertices with more than
/// `threshold` neighbours (0: an automatic bound) are delegates; `delegates` is set to their number.
/// Collective: yes, within a gate. Throws: as `delegate_hubs`. Cost: O(edges / P + delegates) memory; three
/// phases of a mailbox, the last with a message of 16 bytes each time that a label falls, for each
/// neighbour on another rank that may have a larger one.
[[nodiscard]] std::vector<global_id> label_by_propagation(
    gate& call, simple_graph const& graph, std::int64_t threshold, std::int64_t& delegates);

} // namespace weft
