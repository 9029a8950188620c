/// Degrees counted by messages. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// How many neighbours each vertex of this rank has: of every stored edge the owner of the far end is told.
/// Counts are not combined on their way (`combine_by`): on one node that took 1.5 to 2 times as long, though
/// a fifth of the messages was left. Collective: yes, within a gate. Cost: one phase of a mailbox, 4 bytes an
/// edge between ranks. Throws: what the gate has kept, and for want of memory, agreed. Source: Priest, Steil,
/// Sanders, Pearce, YGM, 2019, Algorithm 1.
[[nodiscard]] std::vector<std::int64_t> count_neighbors_by_mail(gate& call, simple_graph const& graph);

} // namespace weft
