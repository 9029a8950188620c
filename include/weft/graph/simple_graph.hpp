/// A distributed graph, undirected and simple.
#pragma once

#include <weft/graph/vertex_set.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace detail {
class stored_rows;
} // namespace detail

/// A graph that is treated as undirected and simple: directions are ignored, loops and duplicates are
/// dropped.
///
/// Vertices are numbered and owned as `vertex_set` says. Every edge is stored once, with one of its two
/// endpoints, on the rank that owns this endpoint. The parity of the sum of both endpoints selects the
/// endpoint with which the edge is stored, so that a vertex of high degree keeps about half of its edges.
class simple_graph {
public:
    /// Distributes a graph over the ranks. Collective: yes, over `comm`. Blocks: until all ranks have called.
    /// Cost: O(edges / P) time and memory per rank, one exchange of the edges, and five exchanges of the
    /// labels unless the vertices are declared. Throws: `usage_error` (an invalid endpoint), `mpi_error`.
    simple_graph(communicator comm, edge_list edges);

    /// Returns the communicator of the graph.
    [[nodiscard]] communicator const& comm() const noexcept { return vertices_.comm(); }
    /// Returns the vertices with their original ids.
    [[nodiscard]] vertex_set const& names() const noexcept { return vertices_; }
    /// Returns the vertices that each rank owns.
    [[nodiscard]] uniform_distribution const& vertices() const noexcept { return vertices_.owners(); }
    /// Returns the number of vertices on all ranks.
    [[nodiscard]] std::int64_t vertex_count() const noexcept { return vertices().total(); }
    /// Returns the number of distinct edges between distinct vertices, on all ranks.
    [[nodiscard]] std::int64_t edge_count() const noexcept { return edge_count_; }
    /// Returns the number of loops in the input, which were dropped, on all ranks.
    [[nodiscard]] std::int64_t loop_count() const noexcept { return loop_count_; }

    /// Returns the largest number of edges that are stored with one vertex, on any rank.
    [[nodiscard]] std::int64_t most_stored() const noexcept { return most_stored_; }

    /// Returns the first vertex of this rank.
    [[nodiscard]] global_id first_vertex() const noexcept { return vertices_.first_local(); }
    /// Returns the number of vertices that this rank owns.
    [[nodiscard]] std::int64_t local_count() const noexcept { return vertices_.local_count(); }

    /// Returns the other endpoints of the edges that are stored with local vertex `first_vertex() + local`,
    /// ascending.
    [[nodiscard]] std::span<global_id const> stored_neighbors(std::int64_t local) const noexcept {
        auto const i = static_cast<std::size_t>(local);
        return std::span(others_).subspan(first_[i], first_[i + 1] - first_[i]);
    }
    /// Returns the index at which the stored neighbours of each local vertex begin; the last entry is the
    /// number of all stored neighbours.
    [[nodiscard]] std::span<std::size_t const> first_stored() const noexcept { return first_; }
    /// Returns the stored neighbours of all local vertices, one vertex after the other.
    [[nodiscard]] std::span<global_id const> stored_others() const noexcept { return others_; }

    /// Returns the kind of the original ids.
    [[nodiscard]] vertex_naming naming() const noexcept { return vertices_.naming(); }
    /// Returns the original ids of vertices, as `vertex_set::original_ids`.
    [[nodiscard]] std::vector<std::string> original_ids(std::span<global_id const> asked) const {
        return vertices_.original_ids(asked);
    }

private:
    friend class detail::stored_rows;
    explicit simple_graph(vertex_set vertices) : vertices_(std::move(vertices)) {}

    vertex_set vertices_;
    std::int64_t edge_count_ = 0;
    std::int64_t loop_count_ = 0;
    std::int64_t most_stored_ = 0;
    std::vector<std::size_t> first_; // by local vertex, one more at the end
    std::vector<global_id> others_;
};

} // namespace weft
