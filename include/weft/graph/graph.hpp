/// A graph for several algorithms: each form of it is built once.
#pragma once

#include <weft/graph/arc_graph.hpp>
#include <weft/graph/simple_graph.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace weft {

struct component_labels;

/// A graph that keeps its edges, and each form of them that an algorithm needed: undirected and simple, or
/// arcs of a direction with weights or without. Algorithms do not change it. Vertices are numbered once: the
/// forms number them 0..n-1, and `vertices()` has their names.
class graph {
public:
    /// Numbers the vertices of a graph and keeps its edges; no form is built yet. Collective: yes, over
    /// `comm`. Blocks: until all ranks have called. Cost: as `vertex_set`. Throws: `usage_error` (an invalid
    /// endpoint; a rank has fewer weights than edges), `mpi_error`.
    graph(communicator comm, edge_list edges);

    /// Returns the communicator of the graph.
    [[nodiscard]] communicator const& comm() const noexcept { return vertices_.comm(); }
    /// Returns the vertices with their original ids.
    [[nodiscard]] vertex_set const& vertices() const noexcept { return vertices_; }
    /// Returns true if edges have a direction.
    [[nodiscard]] bool directed() const noexcept { return edges_.directed; }
    /// Returns true if edges have weights; the same on all ranks.
    [[nodiscard]] bool weighted() const noexcept { return weighted_; }

    /// Returns the graph as undirected and simple. Collective: yes. Blocks: until all ranks have called.
    /// Cost: as `simple_graph` the first time, with a copy of the edges while it is built; 0 later. Throws:
    /// `mpi_error`.
    [[nodiscard]] simple_graph const& simple();
    /// Returns the arcs in a direction, which is `both` where the graph has none. Collective: yes, with the
    /// same arguments on all ranks. Blocks: until all ranks have called. Cost: as `arc_graph` the first time
    /// for these arguments, with a copy of the edges while it is built; 0 later. Without weights in the
    /// graph, edges have 1. Throws: `usage_error` (2^32 vertices and ghosts on a rank), `mpi_error`.
    [[nodiscard]] arc_graph const& arcs(arc_direction direction, arc_weights weights = arc_weights::none);

    /// Returns the edges of the largest component, as `keep_largest_component` leaves them of the input;
    /// `found` is the result of `find_components` for `simple()`. Names of `text` ascend by vertex.
    /// Collective: yes. Blocks: until all ranks have called. Cost: O(edges / P), two exchanges of the
    /// vertices at which edges begin, and `vertex_set::original_ids` of those that remain, which `declared`
    /// ones do without. Throws: `usage_error` (labels of another number of vertices, a largest label that
    /// differs between ranks), `mpi_error`.
    [[nodiscard]] edge_list largest_component(component_labels const& found) const;

private:
    struct form {
        arc_direction direction;
        arc_weights weights;
        std::unique_ptr<arc_graph> arcs;
    };

    vertex_set vertices_;
    edge_list edges_;
    std::int64_t first_id_; // what the input calls vertex 0, of `declared`
    bool weighted_ = false;
    std::unique_ptr<simple_graph> simple_;
    std::vector<form> forms_;
};

} // namespace weft
