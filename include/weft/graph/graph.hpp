/// A graph that several algorithms use. Each form of the graph that an algorithm needs is built once.
#pragma once

#include <weft/graph/arc_graph.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace weft {

struct component_labels;

namespace detail {
class stored_rows;
} // namespace detail

/// A graph that keeps its edges (or the file that has the edges) and each form that an algorithm has needed.
/// A form is the undirected simple graph, or the arcs in one direction or both, with or without weights.
/// Algorithms do not change the graph. All forms number the vertices 0..n-1 in the same way, and `vertices()`
/// has the names of the vertices.
class graph {
public:
    /// Numbers the vertices of a graph and keeps its edges; forms for algorithms are built when they are
    /// needed. Collective: yes, over `comm`. Blocks: until all ranks have called. Cost: as `vertex_set`.
    /// Throws: `usage_error` (an invalid endpoint; a rank has fewer weights than edges), `mpi_error`.
    graph(communicator comm, edge_list edges);

    /// Returns the communicator of the graph.
    [[nodiscard]] communicator const& comm() const noexcept { return vertices_.comm(); }
    /// Returns the vertices with their original ids.
    [[nodiscard]] vertex_set const& vertices() const noexcept { return vertices_; }
    /// Returns true if edges have a direction.
    [[nodiscard]] bool directed() const noexcept { return edges_.directed; }
    /// Returns true if edges have weights; the same on all ranks.
    [[nodiscard]] bool weighted() const noexcept { return weighted_; }

    /// Returns the undirected simple form of the graph. Collective: yes. Blocks: until all ranks have called.
    /// Cost: in the first call that of `simple_graph`, and memory for a copy of the edges; O(1) later.
    /// Throws: `mpi_error`.
    [[nodiscard]] simple_graph const& simple();
    /// Returns the arcs of the graph in a direction; for an undirected graph always in both directions.
    /// Collective: yes, with the same arguments on all ranks. Blocks: until all ranks have called. Cost: in
    /// the first call with these arguments that of `arc_graph`, and memory for a copy of the edges; O(1)
    /// later. If the graph has no weights, each edge has the weight 1. Throws: `usage_error` (2^32 or more
    /// vertices and ghosts together on a rank), `mpi_error`.
    [[nodiscard]] arc_graph const& arcs(arc_direction direction, arc_weights weights = arc_weights::none);

    /// Returns the edges of the largest component, as `keep_largest_component` does; `found` is the result of
    /// `find_components` for `simple()`. If vertices are named by text, the names ascend. Collective: yes.
    /// Blocks: until all ranks have called. Cost: O(edges / P), two exchanges of the vertices at which edges
    /// begin, and `vertex_set::original_ids` of the remaining vertices, unless the vertices are `declared`.
    /// Throws: `usage_error` (the number of labels is not the number of vertices, the largest component
    /// differs between ranks), `mpi_error`.
    [[nodiscard]] edge_list largest_component(component_labels const& found) const;

private:
    friend class detail::stored_rows;
    graph(vertex_set vertices, std::shared_ptr<detail::stored_rows const> rows);

    struct form {
        arc_direction direction;
        arc_weights weights;
        std::unique_ptr<arc_graph> arcs;
    };

    vertex_set vertices_;
    std::shared_ptr<detail::stored_rows const> stored_; // in place of edges, of a file of a built graph
    edge_list edges_;
    std::int64_t first_id_; // what the input calls vertex 0, of `declared`
    bool weighted_ = false;
    std::unique_ptr<simple_graph> simple_;
    std::vector<form> forms_;
};

} // namespace weft
