/// Degrees counted by messages. Private.
#pragma once

#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// How many neighbours each vertex of this rank has: of every stored edge the owner of the far end is told.
/// Collective: yes. Cost: one phase of a mailbox, 4 bytes an edge between ranks. Source: Priest, Steil,
/// Sanders, Pearce, YGM, 2019, Algorithm 1.
[[nodiscard]] std::vector<std::int64_t> count_neighbors_by_mail(simple_graph const& graph);

} // namespace weft
