/// Components of the edges of one rank. Private.
#pragma once

#include <weft/detail/core/id_table.hpp>
#include <weft/detail/core/union_find.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>

namespace weft {

/// A union-find over local vertices and, after them, ghosts: the far ends of edges that other ranks own. A
/// ghost has an edge to a local vertex, so every root is a local vertex, and the smallest of its set.
///
/// If the graph has no more vertices than this rank has edges, all vertices are in the sets: after the
/// local ones the vertices of higher ranks, then those of lower ranks. A ghost is then found without a
/// table. In larger graphs ghosts are numbered in the order in which they occur.
///
/// If vertices have many edges, two edges of each join most vertices into one set. From then on a bit for
/// each vertex marks the members of this set. These bits stay in a near cache, and most edges need nothing
/// else.
class local_components {
public:
    /// Joins the ends of all edges of this rank. Local; for `gate::guard`. Cost: O(edges / P). Throws:
    /// `usage_error` where 32 bits do not suffice.
    explicit local_components(simple_graph const& graph);

    /// Returns the root of a local vertex, as a vertex.
    [[nodiscard]] global_id root_of(std::int64_t local) noexcept {
        return first_ + sets_.find(static_cast<index>(local));
    }
    /// Joins the sets of two local vertices.
    void join(std::int64_t a, std::int64_t b) noexcept {
        sets_.unite(static_cast<index>(a), static_cast<index>(b));
    }
    /// Calls `visit` with each ghost and its root.
    template <class Visit>
    void for_each_ghost(Visit&& visit) {
        for (auto i = local_count_; i < static_cast<std::int64_t>(sets_.size()); ++i)
            if (global_id const root = root_of(i);
                root != first_ + i) // others are their own roots: no local edge leads to them
                visit(ghost(i), root);
    }

private:
    using index = std::uint32_t;

    void join_all(simple_graph const& graph);
    void join_around_most(simple_graph const& graph);
    void join_numbered(simple_graph const& graph);

    /// The index of a vertex in the sets if these have all vertices.
    [[nodiscard]] index place_of(global_id vertex) const noexcept {
        std::int64_t const offset = vertex - first_;
        return static_cast<index>(offset < 0 ? offset + vertex_count_ : offset);
    }
    /// The root that most vertices of a sample have.
    [[nodiscard]] index most_common_root();
    /// The ghost with index `i` in the sets.
    [[nodiscard]] global_id ghost(std::int64_t i) const noexcept {
        if (!all_) return ghosts_.ids()[static_cast<std::size_t>(i - local_count_)];
        global_id const vertex = first_ + i;
        return vertex < vertex_count_ ? vertex : vertex - vertex_count_;
    }

    global_id first_; // the first local vertex
    std::int64_t local_count_;
    std::int64_t vertex_count_;
    bool all_; // all vertices of the graph are in the sets
    detail::union_find<index> sets_;
    detail::id_table<std::int64_t> ghosts_; // without `all_`
};

} // namespace weft
