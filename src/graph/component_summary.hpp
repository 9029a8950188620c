/// What is said of components beside their labels. Private.
#pragma once

#include <weft/graph/components.hpp>

namespace weft {

/// Counts components and finds the largest, from the labels. Collective: yes; three exchanges, one census.
void summarise(simple_graph const& graph, component_labels& found);

} // namespace weft
