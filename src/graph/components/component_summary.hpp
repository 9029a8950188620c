/// The number of components and their sizes, from their labels. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/components.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Sizes of components, found from labels.
struct component_sizes {
    std::int64_t components = 0;
    std::int64_t single = 0;           ///< components of one vertex
    std::vector<std::int64_t> largest; ///< the sizes of the largest ten, descending
    global_id label_of_largest = -1;   ///< the least if several are largest; -1 without vertices
};

/// Counts the members of each component. `labels` has a label for each vertex of this rank: the vertex that
/// names its component. `edges` is about the number of edges on this rank, or 0 where few labels are
/// vertices of other ranks. Collective: yes, within a gate; one exchange, two censuses, one reduction.
/// Throws: what the gate has kept, and for want of memory, agreed.
[[nodiscard]] component_sizes count_members(
    gate& call, uniform_distribution const& owners, std::span<global_id const> labels, std::size_t edges);

/// Fills in the numbers of `found` from its labels. Otherwise as `count_members`.
void summarise(gate& call, simple_graph const& graph, component_labels& found);

} // namespace weft
