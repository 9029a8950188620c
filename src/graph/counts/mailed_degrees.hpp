/// Degrees counted by messages. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Returns the number of neighbours of each vertex of this rank. A message for each stored edge goes to the
/// owner of its far end. Counts are not combined on their way (`combine_by`): on one node this took 1.5 to
/// 2 times as long, although it left a fifth of the messages. Collective: yes, within a gate. Cost: one
/// phase of a mailbox, 4 bytes an edge between ranks. Throws: what the gate has kept, and for want of
/// memory, agreed. Source: Priest, Steil, Sanders, Pearce, YGM, 2019, Algorithm 1.
[[nodiscard]] std::vector<std::int64_t> count_neighbors_by_mail(gate& call, simple_graph const& graph);

} // namespace weft
