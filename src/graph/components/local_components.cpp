#include "local_components.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <limits>

namespace weft {

namespace {

void check_size(simple_graph const& graph) {
    // Vertices and ghosts of a rank are counted in 32 bits, which halves the memory that joining walks
    // through.
    constexpr auto limit = static_cast<std::int64_t>(std::numeric_limits<local_components::index>::max());
    auto const stored = static_cast<std::int64_t>(graph.stored_others().size());
    if (graph.local_count() + std::min(stored, graph.vertex_count()) >= limit)
        throw usage_error("find_components: a rank holds too large a part of the graph; use more ranks");
}

} // namespace

local_components join_locally(simple_graph const& graph) {
    using index = local_components::index;
    check_size(graph);
    global_id const first = graph.first_vertex();
    std::int64_t const local_count = graph.local_count();
    local_components made{
        ghost_index(graph), detail::union_find<index>(static_cast<std::size_t>(local_count)), first};
    ghost_index& ghosts = made.ghosts;
    detail::union_find<index>& sets = made.sets;
    for (std::int64_t local = 0; local < local_count; ++local) {
        for (global_id const other : graph.stored_neighbors(local)) {
            std::int64_t const offset = other - first;
            if (offset >= 0 && offset < local_count) {
                sets.unite(static_cast<index>(local), static_cast<index>(offset));
                continue;
            }
            std::int64_t const ghost = ghosts.index_of(other) + local_count;
            if (ghost == static_cast<std::int64_t>(sets.size())) (void)sets.add();
            sets.unite(static_cast<index>(local), static_cast<index>(ghost));
        }
    }
    return made;
}

} // namespace weft
