/// The vertices that a rank's own edges join. Private.
#pragma once

#include "graph/ghost_index.hpp"

#include <weft/detail/core/union_find.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>

namespace weft {

/// Local vertices come first in the sets, then ghosts, the far ends of edges that other ranks own. A ghost
/// has an edge to a local vertex, so every root is a local vertex, and the smallest of its set.
struct local_components {
    using index = std::uint32_t;

    ghost_index ghosts;
    detail::union_find<index> sets;
    global_id first; ///< the first local vertex

    /// The root of a local vertex, as a vertex.
    [[nodiscard]] global_id root_of(std::int64_t local) noexcept {
        return first + sets.find(static_cast<index>(local));
    }
    /// The root of a ghost, which is numbered by `ghosts`.
    [[nodiscard]] global_id root_of_ghost(std::size_t ghost, std::int64_t local_count) noexcept {
        return root_of(local_count + static_cast<std::int64_t>(ghost));
    }
};

/// Local; for `gate::guard`. Cost: O(edges / P). Throws: `usage_error` where 32 bits do not suffice.
[[nodiscard]] local_components join_locally(simple_graph const& graph);

} // namespace weft
