/// Indices for the vertices of other ranks that this rank's edges reach. Private.
#pragma once

#include <weft/core/ids.hpp>
#include <weft/detail/core/id_table.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Gives every vertex that is asked for an index, 0, 1, 2, ... in the order of first asking. If the graph
/// has no more vertices than this rank has edges, this is a table over all vertices, which takes no more
/// memory than the edges and is faster than a hash table. For larger graphs it is a hash table.
class ghost_index {
public:
    explicit ghost_index(simple_graph const& graph)
        : ghost_index(graph.vertex_count(), graph.stored_others().size()) {}

    /// For a graph with this number of vertices, and this number of edges on this rank.
    ghost_index(std::int64_t vertices, std::size_t edges) {
        if (vertices <= static_cast<std::int64_t>(edges))
            table_.assign(static_cast<std::size_t>(vertices), none);
    }

    std::int64_t index_of(global_id vertex) {
        if (table_.empty()) return hashed_.number_of(vertex);
        std::uint32_t& index = table_[static_cast<std::size_t>(vertex)];
        if (index == none) {
            index = static_cast<std::uint32_t>(ids_.size());
            ids_.push_back(vertex);
        }
        return index;
    }

    /// The vertices, by index.
    [[nodiscard]] std::vector<global_id> const& ids() const noexcept {
        return table_.empty() ? hashed_.ids() : ids_;
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;

    detail::id_table<std::int64_t> hashed_;
    std::vector<std::uint32_t> table_;
    std::vector<global_id> ids_;
};

} // namespace weft
