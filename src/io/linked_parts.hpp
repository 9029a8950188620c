/// Graphs of dense parts with few edges between them. Private.
#pragma once

#include <weft/graph/edge_list.hpp>

#include <cstdint>
#include <functional>

namespace weft {

class communicator;

/// Options of `generate_linked_parts`.
struct linked_parts_options {
    std::int64_t parts = 1;
    std::int64_t vertices = 0; ///< of a part
    std::int64_t links = 6;    ///< edges that a part has to random vertices of random other parts
    double probability = 0.03; ///< that two vertices of a part are neighbours
    std::uint64_t seed = 1;
    /// As of the other generators; counts parts.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Generates the graph of the breadth-first search of the paper on sparse exchange: random graphs, links
/// between them, and a cycle through all vertices in their order. Collective: yes, with the same options.
/// Blocks: until all ranks agree on errors. Cost: O(edges / P), by whole parts. Throws: as the generators of
/// weft/io/generators.hpp. Source: Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 5.1.1.
[[nodiscard]] edge_list generate_linked_parts(communicator const& comm, linked_parts_options const& options);

} // namespace weft
