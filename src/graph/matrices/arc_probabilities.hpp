/// Probabilities of the arcs of a graph with weights. Private.
#pragma once

#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/arc_graph.hpp>

#include <vector>

namespace weft {

/// Returns the probability of each incoming arc among the arcs that leave the same vertex, in proportion to
/// weights. Appends to `leads_on`, for each vertex of this rank, true if an arc with a weight above 0 leaves
/// it. The gate keeps final errors. Collective: yes, within a gate. Cost: three runs of a halo; for a
/// directed graph also one exchange of the arcs.
[[nodiscard]] std::vector<double> find_probabilities(
    gate& call, arc_graph const& incoming, std::vector<bool>& leads_on);

} // namespace weft
