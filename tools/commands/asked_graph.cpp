#include "asked_graph.hpp"

#include <utility>

namespace weft::tool {

vertex_set const& asked_graph::vertices() const noexcept {
    if (shared_) return shared_->vertices();
    return arcs_ ? arcs_->vertices() : simple_->names();
}

simple_graph const& asked_graph::simple() {
    if (shared_) return shared_->simple();
    simple_ = std::make_unique<simple_graph>(comm_, std::move(edges_));
    return *simple_;
}

arc_graph const& asked_graph::arcs(
    arc_direction along, arc_weights weights, std::optional<std::uint64_t> weight_seed) {
    arc_direction const direction = directed_ ? along : arc_direction::both;
    arc_weights const kept = weight_seed ? arc_weights::none : weights;
    if (shared_) {
        arc_graph const& built = shared_->arcs(direction, kept);
        if (!weight_seed) return built;
        arcs_ = std::make_unique<arc_graph>(built); // weights are drawn for this question alone
    } else {
        arcs_ = std::make_unique<arc_graph>(comm_, std::move(edges_), direction, kept);
    }
    if (weight_seed) arcs_->draw_weights(*weight_seed);
    return *arcs_;
}

edge_list asked_graph::largest_component(component_labels const& found) const {
    edge_list list = shared_->largest_component(found);
    if (!list.weighted) list.weights = {}; // which were 1
    return list;
}

} // namespace weft::tool
