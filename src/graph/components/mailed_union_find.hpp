/// Components by a union-find whose trees span ranks. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/graph/simple_graph.hpp>

#include <vector>

namespace weft {

/// Returns for each vertex of this rank the smallest vertex of its component. Collective: yes, within a
/// gate. Throws: as `count_neighbors_by_mail`; the gate keeps a failure of the last step. Cost: O(edges /
/// P) local work, then two phases of a mailbox: first a pair of 16 bytes for each ghost, which is sent on
/// if the trees span more ranks, then a question for each parent on another rank.
[[nodiscard]] std::vector<global_id> label_by_union_find(gate& call, simple_graph const& graph);

} // namespace weft
