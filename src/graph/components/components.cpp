#include <weft/graph/components.hpp>

#include "component_summary.hpp"
#include "contracted_graph.hpp"
#include "label_propagation.hpp"
#include "local_components.hpp"
#include "mailed_union_find.hpp"

#include <exchange/gated_exchange.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <optional>

namespace weft {

namespace {

/// The edges between local components of different ranks. Each ghost has come to belong to one component
/// here; its owner is told the root of that and puts the root of its own in place of the ghost.
std::vector<edge> edges_between_ranks(
    gate& call, simple_graph const& graph, std::optional<local_components>& parts) {
    struct joined_ghost { // both counted from their owners' first vertices
        std::uint32_t ghost;
        std::uint32_t root;
    };
    auto const& owners = graph.vertices();
    outbox<joined_ghost> out(call.comm());
    call.guard([&] {
        parts.emplace(graph);
        int owner = call.comm().rank();
        global_id begin = 0;
        global_id end = 0;
        parts->for_each_ghost([&](global_id ghost, global_id root) {
            if (ghost < begin || ghost >= end) {
                owner = owners.owner(ghost);
                begin = owners.begin(owner);
                end = owners.end(owner);
            }
            out[owner].push_back({static_cast<std::uint32_t>(ghost - begin),
                static_cast<std::uint32_t>(root - graph.first_vertex())});
        });
    });
    auto const received = exchange(call, std::move(out));
    std::vector<edge> edges;
    call.guard([&] {
        for (auto const& [from, joined] : received)
            for (joined_ghost const& each : joined) {
                edge const found{parts->root_of(each.ghost), owners.begin(from) + each.root};
                if (edges.empty() || edges.back() != found) edges.push_back(found); // most join the largest
            }
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    });
    return edges;
}

/// The label of each vertex of this rank. The gate keeps what fails in the end.
std::vector<global_id> contract(
    gate& call, simple_graph const& graph, components_options const& options, int& contractions) {
    auto const& owners = graph.vertices();
    std::optional<local_components> parts;
    std::vector<edge> const edges = edges_between_ranks(call, graph, parts);
    contracted_graph between{&owners, {}, {}, with_both_directions(call, owners, edges)};
    std::vector<global_id> roots;
    call.guard([&] {
        list_sources(between);
        between.smallest = between.vertices; // a root is the smallest vertex of its local component
        roots = between.vertices;
    });

    auto const solved = solve(call, std::move(between), options, contractions);
    std::vector<global_id> label;
    call.guard([&] {
        global_id const first = graph.first_vertex();
        std::vector<global_id> label_of_root(static_cast<std::size_t>(graph.local_count()));
        for (std::size_t i = 0; i < label_of_root.size(); ++i)
            label_of_root[i] = first + static_cast<global_id>(i);
        for (std::size_t i = 0; i < roots.size(); ++i)
            label_of_root[static_cast<std::size_t>(roots[i] - first)] = solved[i];
        label.resize(label_of_root.size());
        for (std::size_t i = 0; i < label.size(); ++i)
            label[i] =
                label_of_root[static_cast<std::size_t>(parts->root_of(static_cast<std::int64_t>(i)) - first)];
    });
    return label;
}

} // namespace

component_labels find_components(simple_graph const& graph, components_options const& options) {
    gate call(graph.comm(), "find_components");
    call.same("method", options.method).same("gather_below", options.gather_below);
    call.same("seed", options.seed).same("delegate_threshold", options.delegate_threshold);
    agreed(call, [&] {
        if (options.delegate_threshold < 0)
            throw usage_error("find_components: expected a delegate threshold of at least 0, found " +
                              std::to_string(options.delegate_threshold));
    });
    component_labels found;
    switch (options.method) {
    case components_method::union_find:
        found.label = label_by_union_find(call, graph);
        break;
    case components_method::propagation:
        found.label = label_by_propagation(call, graph, options.delegate_threshold, found.delegates);
        break;
    default:
        found.label = contract(call, graph, options, found.contractions);
    }
    summarise(call, graph, found);
    return found;
}

} // namespace weft
