#include <weft/graph/largest_component.hpp>

#include "graph/sort_distinct.hpp"

#include <frames/ask.hpp>

#include <weft/core/error.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/simple_graph.hpp>
#include <weft/graph/vertex_set.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weft {

namespace {

/// Leaves out the names of vertices that no edge has, which would be vertices of the graph.
void drop_unused_names(edge_list& list) {
    constexpr std::int64_t unused = -1;
    std::vector<std::int64_t> place(list.names.size(), unused);
    std::vector<std::string> used;
    for (edge& each : list.edges)
        for (std::int64_t* const end : {&each.source, &each.target}) {
            std::int64_t& now = place[static_cast<std::size_t>(*end)];
            if (now == unused) {
                now = std::ssize(used);
                used.push_back(std::move(list.names[static_cast<std::size_t>(*end)]));
            }
            *end = now;
        }
    list.names = std::move(used);
}

/// From vertices that the list declares to those that occur.
void name_by_numbers(edge_list& list) {
    for (edge& each : list.edges) {
        each.source += list.first_id;
        each.target += list.first_id;
    }
    list.naming = vertex_naming::numbers;
    list.vertices = list.first_id = list.rows = list.columns = 0;
    list.bipartite = false;
    list.symmetry = matrix_symmetry::general;
}

} // namespace

edge_list keep_largest_component(communicator comm, edge_list edges) {
    gate call(comm, "keep_largest_component");
    edge_list numbered;
    agreed(call, [&] {
        if (!edges.weights.empty() && edges.weights.size() != edges.edges.size())
            throw usage_error("keep_largest_component: expected a weight for each of " +
                              std::to_string(edges.edges.size()) + " edges, found " +
                              std::to_string(edges.weights.size()));
        numbered = edges;
        numbered.weights = {};
    });
    vertex_set const vertices(comm, numbered);
    auto const& owners = vertices.owners();
    std::vector<global_id> sources;
    edge_list joined;
    agreed(call, [&] {
        for (edge const& each : numbered.edges) sources.push_back(each.source);
        joined.edges = numbered.edges;
        joined.vertices = joined.rows = joined.columns = owners.total();
    });
    simple_graph const graph(comm, std::move(joined));
    component_labels const found = find_components(graph);

    std::vector<global_id> asked;
    call.guard([&] {
        asked = sources;
        sort_distinct(asked);
    });
    auto const kept = ask<std::uint8_t>(
        call, std::span<global_id const>(asked), [&](global_id vertex) { return owners.owner(vertex); },
        [&](global_id vertex) {
            auto const local = static_cast<std::size_t>(vertex - owners.begin(comm.rank()));
            return static_cast<std::uint8_t>(found.label[local] == found.largest_label);
        });
    call.guard([&] {
        std::size_t next = 0;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            auto const place = std::ranges::lower_bound(asked, sources[i]) - asked.begin();
            if (kept[static_cast<std::size_t>(place)] == 0) continue;
            edges.edges[next] = edges.edges[i];
            if (!edges.weights.empty()) edges.weights[next] = edges.weights[i];
            ++next;
        }
        edges.edges.resize(next);
        if (!edges.weights.empty()) edges.weights.resize(next);
        if (edges.naming == vertex_naming::declared) name_by_numbers(edges);
        if (edges.naming == vertex_naming::text) drop_unused_names(edges);
    });
    call.agree();
    return edges;
}

} // namespace weft
