/// A summary of components beside their labels. Private.
#pragma once

#include "graph/ghost_index.hpp"

#include <weft/core/communicator.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/graph/components.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Sizes of components, found from labels.
struct component_sizes {
    std::int64_t components = 0;
    std::int64_t single = 0;           ///< components of one vertex
    std::vector<std::int64_t> largest; ///< the sizes of the largest ten, descending
};

/// `labels` are those of this rank's vertices, each the smallest vertex of its component; `elsewhere` is an
/// index without entries yet. Collective: yes; three exchanges, one census.
[[nodiscard]] component_sizes count_members(communicator const& comm, uniform_distribution const& owners,
    std::span<global_id const> labels, ghost_index elsewhere);

/// Counts components and finds the largest, from the labels. Collective: yes; three exchanges, one census.
void summarise(simple_graph const& graph, component_labels& found);

} // namespace weft
