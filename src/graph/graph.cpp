#include <weft/graph/graph.hpp>

#include "stored_rows.hpp"

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <algorithm>
#include <new>
#include <string>

namespace weft {

graph::graph(communicator comm, edge_list edges)
    : vertices_(std::move(comm), edges), edges_(std::move(edges)), first_id_(edges_.first_id) {
    edges_.naming = vertex_naming::declared;
    edges_.vertices = edges_.rows = edges_.columns = vertices_.owners().total();
    edges_.first_id = 0;
    edges_.bipartite = false;
    gate call(this->comm(), "graph");
    call.guard([&] {
        if (!edges_.weights.empty() && edges_.weights.size() != edges_.edges.size())
            throw usage_error("graph: expected a weight for each of " + std::to_string(edges_.edges.size()) +
                              " edges, found " + std::to_string(edges_.weights.size()));
    });
    call.same("directed", edges_.directed).same("both_directions", edges_.both_directions);
    census_value mine = census_value::identity();
    mine.sum[0] = std::ssize(edges_.weights);
    weighted_ = call.agree(mine).sum[0] > 0;
}

graph::graph(vertex_set vertices, std::shared_ptr<detail::stored_rows const> rows)
    : vertices_(std::move(vertices)),
      stored_(std::move(rows)),
      first_id_(stored_->first_id()),
      weighted_(stored_->weighted()) {
    edges_.directed = stored_->directed();
}

simple_graph const& graph::simple() try {
    gate call(comm(), "graph::simple");
    if (!simple_ && stored_) {
        simple_ = std::make_unique<simple_graph>(stored_->simple(call, vertices_.owners()));
    } else if (!simple_) {
        edge_list list;
        agreed(call, [&] {
            list = edges_;
            list.weights = {};
        });
        simple_ = std::make_unique<simple_graph>(comm(), std::move(list));
    }
    return *simple_;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("graph");
    throw;
}

arc_graph const& graph::arcs(arc_direction direction, arc_weights weights) try {
    gate call(comm(), "graph::arcs");
    call.same("direction", direction).same("weights", weights);
    edge_list list;
    form const* known = nullptr;
    agreed(call, [&] {
        if (!edges_.directed) direction = arc_direction::both;
        auto const found = std::ranges::find_if(
            forms_, [&](form const& each) { return each.direction == direction && each.weights == weights; });
        if (found != forms_.end()) {
            known = &*found;
            return;
        }
        forms_.reserve(forms_.size() + 1); // nothing may throw behind the building
        if (stored_) return;
        list = edges_;
        if (weights == arc_weights::none) list.weights = {};
    });
    if (known) return *known->arcs;
    if (stored_) {
        std::unique_ptr<arc_graph> made;
        // Rows have the least weight of edges with the same ends, also of those that go to and fro.
        bool const to_and_fro = stored_->directed() && direction == arc_direction::both;
        if (weights == arc_weights::sum && (stored_->has_equal_edges() || to_and_fro))
            made = std::make_unique<arc_graph>(comm(), stored_->edges(call, weighted_), direction, weights);
        else
            made = std::make_unique<arc_graph>(
                stored_->arcs(call, vertices_.owners(), direction, weights != arc_weights::none));
        forms_.push_back({direction, weights, std::move(made)});
        return *forms_.back().arcs;
    }
    auto made = std::make_unique<arc_graph>(comm(), std::move(list), direction, weights);
    forms_.push_back({direction, weights, std::move(made)});
    return *forms_.back().arcs;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("graph");
    throw;
}

} // namespace weft
