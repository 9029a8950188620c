/// A distributed graph in which every vertex knows all its neighbours.
#pragma once

#include <weft/graph/vertex_set.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft {

namespace detail {
class stored_rows;
} // namespace detail

/// Selects the neighbours that an `arc_graph` lists for a vertex.
enum class arc_direction : std::uint8_t {
    both,    ///< All neighbours: directions are ignored.
    forward, ///< The targets of the arcs that begin at the vertex.
    backward ///< The sources of the arcs that end at the vertex.
};

/// Selects the weights of an `arc_graph`.
enum class arc_weights : std::uint8_t {
    none,     ///< No weights, also if edges have weights.
    lightest, ///< Weights of the edges; of duplicates the least weight.
    sum       ///< Weights of the edges; of duplicates the sum of weights.
};

/// The arcs of a graph. An arc is on the rank that owns its source, or its target if the direction is
/// backward. Loops and duplicates are dropped. Vertices are numbered and owned as `vertex_set` says.
///
/// Neighbours have 32-bit local numbers: 0..local_count()-1 are this rank's vertices, and local_count() + g
/// is ghost g, a neighbour that another rank owns. Because ghosts are numbered after the rank's own vertices,
/// one array can hold the values of both, and following an arc needs no hash table.
class arc_graph {
public:
    /// Distributes a graph over the ranks. Collective: yes, over `comm`. Blocks: until all ranks have called.
    /// Cost: O(arcs / P) time and memory per rank, one exchange of the arcs, and the cost of `vertex_set`. If
    /// weights are asked for and the graph has none, each edge has the weight 1. Throws: `usage_error` (an
    /// invalid endpoint; 2^32 or more vertices and ghosts together on a rank), `mpi_error`.
    arc_graph(
        communicator comm, edge_list edges, arc_direction direction, arc_weights weights = arc_weights::none);

    /// Returns the communicator of the graph.
    [[nodiscard]] communicator const& comm() const noexcept { return vertices_.comm(); }
    /// Returns the vertices with their original ids.
    [[nodiscard]] vertex_set const& vertices() const noexcept { return vertices_; }
    /// Returns the number of vertices on all ranks.
    [[nodiscard]] std::int64_t vertex_count() const noexcept { return vertices_.owners().total(); }
    /// Returns the number of vertices that this rank owns.
    [[nodiscard]] std::int64_t local_count() const noexcept { return vertices_.local_count(); }
    /// Returns the direction in which arcs are stored.
    [[nodiscard]] arc_direction direction() const noexcept { return direction_; }
    /// Returns the number of distinct arcs between distinct vertices, on all ranks; each edge is two arcs if
    /// the direction is both.
    [[nodiscard]] std::int64_t arc_count() const noexcept { return arc_count_; }
    /// Returns the largest number of neighbours that one vertex of any rank has.
    [[nodiscard]] std::int64_t most_neighbors() const noexcept { return most_neighbors_; }
    /// Returns the number of loops that were dropped, on all ranks, including duplicates.
    [[nodiscard]] std::int64_t loop_count() const noexcept { return loop_count_; }

    /// Returns the local numbers of the neighbours of a local vertex, ascending by vertex.
    [[nodiscard]] std::span<std::uint32_t const> neighbors(std::int64_t local) const noexcept {
        auto const i = static_cast<std::size_t>(local);
        return std::span(neighbors_).subspan(first_[i], first_[i + 1] - first_[i]);
    }
    /// Returns the index at which the neighbours of each local vertex begin; the last entry is the number of
    /// all neighbours.
    [[nodiscard]] std::span<std::size_t const> first_neighbors() const noexcept { return first_; }
    /// Returns the neighbours of all local vertices, one vertex after the other.
    [[nodiscard]] std::span<std::uint32_t const> all_neighbors() const noexcept { return neighbors_; }
    /// Returns true if arcs have weights; the same on all ranks.
    [[nodiscard]] bool weighted() const noexcept { return weighted_; }
    /// Returns the weights of all arcs, in the order of `all_neighbors`; empty for a graph without weights.
    [[nodiscard]] std::span<double const> all_weights() const noexcept { return weights_; }
    /// Replaces the weights of all arcs by random weights above 0 and at most 1. A weight depends on the seed
    /// and the two vertices, not on the number of ranks. If arcs go both ways, the arcs from u to v and from
    /// v to u have the same weight. Local.
    void draw_weights(std::uint64_t seed);
    /// Returns the ghosts: the neighbours that other ranks own, ascending.
    [[nodiscard]] std::span<global_id const> ghosts() const noexcept { return ghosts_; }

private:
    friend class detail::stored_rows;
    arc_graph(vertex_set vertices, arc_direction direction, bool weighted)
        : vertices_(std::move(vertices)), direction_(direction), weighted_(weighted) {}

    vertex_set vertices_;
    arc_direction direction_;
    std::int64_t arc_count_ = 0;
    std::int64_t most_neighbors_ = 0;
    std::int64_t loop_count_ = 0;
    bool weighted_;
    std::vector<std::size_t> first_; // by local vertex, one more at the end
    std::vector<std::uint32_t> neighbors_;
    std::vector<double> weights_;
    std::vector<global_id> ghosts_;
};

} // namespace weft
