#include "local_components.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <limits>

namespace weft {

namespace {

void check_size(simple_graph const& graph) {
    // Vertices and ghosts of a rank are counted in 32 bits, which halves the memory that joining walks
    // through.
    constexpr auto limit = std::int64_t{std::numeric_limits<std::uint32_t>::max()};
    auto const stored = static_cast<std::int64_t>(graph.stored_others().size());
    if (graph.local_count() + std::min(stored, graph.vertex_count()) >= limit)
        throw usage_error("find_components: a rank holds too large a part of the graph; use more ranks");
}

} // namespace

local_components::local_components(simple_graph const& graph)
    : first_(graph.first_vertex()),
      local_count_(graph.local_count()),
      vertex_count_(graph.vertex_count()),
      all_(vertex_count_ <= std::ssize(graph.stored_others())),
      sets_(static_cast<std::size_t>(all_ ? vertex_count_ : local_count_)) {
    check_size(graph);
    if (all_)
        join_all(graph);
    else
        join_numbered(graph);
}

void local_components::join_all(simple_graph const& graph) {
    for (std::int64_t local = 0; local < local_count_; ++local)
        for (global_id const other : graph.stored_neighbors(local)) {
            std::int64_t const offset = other - first_;
            sets_.unite(
                static_cast<index>(local), static_cast<index>(offset < 0 ? offset + vertex_count_ : offset));
        }
}

void local_components::join_numbered(simple_graph const& graph) {
    for (std::int64_t local = 0; local < local_count_; ++local)
        for (global_id const other : graph.stored_neighbors(local)) {
            std::int64_t const offset = other - first_;
            if (offset >= 0 && offset < local_count_) {
                sets_.unite(static_cast<index>(local), static_cast<index>(offset));
                continue;
            }
            std::int64_t const ghost = ghosts_.number_of(other) + local_count_;
            if (ghost == static_cast<std::int64_t>(sets_.size())) (void)sets_.add();
            sets_.unite(static_cast<index>(local), static_cast<index>(ghost));
        }
}

} // namespace weft
