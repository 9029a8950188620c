/// The graph that a question of the command is about.
#pragma once

#include <weft/graph/graph.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace weft::tool {

/// Edges that one question uses up, or a `graph` that keeps its edges for several. A form that is built lives
/// as long as this object.
class asked_graph {
public:
    /// Of one question.
    asked_graph(communicator comm, edge_list edges)
        : comm_(std::move(comm)),
          edges_(std::move(edges)),
          directed_(edges_.directed),
          weighted_(edges_.weighted) {}
    /// Of one of several questions; `weighted`: the file has weights. The graph must outlive this object.
    asked_graph(graph& shared, bool weighted)
        : comm_(shared.comm()), shared_(&shared), directed_(shared.directed()), weighted_(weighted) {}

    [[nodiscard]] bool directed() const noexcept { return directed_; }
    /// True if the file has weights, read or not.
    [[nodiscard]] bool weighted() const noexcept { return weighted_; }
    /// The vertices with the names that the file has; those of the built graph count them. After building.
    [[nodiscard]] vertex_set const& vertices() const noexcept;

    /// Builds the graph as undirected and simple. Collective; once.
    [[nodiscard]] simple_graph const& simple();
    /// Builds the arcs along a direction, of undirected files both ways. With a seed, weights are drawn in
    /// place of those of the edges. Collective; once.
    [[nodiscard]] arc_graph const& arcs(
        arc_direction along, arc_weights weights, std::optional<std::uint64_t> weight_seed);
    /// The edges of the largest component, with the weights of the file if it has some; `found` is that of
    /// `simple()`. Of a graph that keeps its edges. Collective.
    [[nodiscard]] edge_list largest_component(component_labels const& found) const;
    /// The edges, of one question, which may be about a matrix. Once.
    [[nodiscard]] edge_list take_edges() { return std::move(edges_); }

private:
    communicator comm_;
    edge_list edges_;
    graph* shared_ = nullptr;
    bool directed_;
    bool weighted_;
    std::unique_ptr<simple_graph> simple_;
    std::unique_ptr<arc_graph> arcs_;
};

} // namespace weft::tool
