/// Components by labels that fall. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// For each vertex of this rank the smallest vertex of its component. Vertices of more than `threshold`
/// neighbours (0: chosen) are delegates; `delegates` becomes their number. Collective: yes, within a gate.
/// Throws: as `delegate_hubs`. Cost: O(edges / P
/// + delegates) memory; three phases of a mailbox, the last with a message of 16 bytes for every label that
/// falls and every neighbour on another rank it might be news for.
[[nodiscard]] std::vector<global_id> label_by_propagation(
    gate& call, simple_graph const& graph, std::int64_t threshold, std::int64_t& delegates);

} // namespace weft
