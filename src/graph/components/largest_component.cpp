#include <weft/graph/largest_component.hpp>

#include "graph/sort_distinct.hpp"
#include "graph/stored_rows.hpp"

#include <frames/ask.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/graph.hpp>
#include <weft/graph/simple_graph.hpp>
#include <weft/graph/vertex_set.hpp>

#include <algorithm>
#include <charconv>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace weft {

namespace {

/// Drops the names of vertices without edges, which would otherwise be vertices of the graph.
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

/// Turns a list with declared vertices into one whose vertices are the numbers that occur in edges.
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

/// For each edge of this rank, true if its first vertex is in the largest component. Collective; within a
/// call, behind an agreement.
std::vector<bool> begins_in_largest(gate& call, communicator const& comm, uniform_distribution const& owners,
    component_labels const& found, std::span<edge const> edges) {
    std::vector<global_id> asked;
    call.guard([&] {
        for (edge const& each : edges) asked.push_back(each.source);
        sort_distinct(asked);
    });
    auto const kept = ask<std::uint8_t>(
        call, std::span<global_id const>(asked), [&](global_id vertex) { return owners.owner(vertex); },
        [&](global_id vertex) {
            auto const local = static_cast<std::size_t>(vertex - owners.begin(comm.rank()));
            return static_cast<std::uint8_t>(found.label[local] == found.largest_label);
        });
    std::vector<bool> begins;
    call.guard([&] {
        for (edge const& each : edges)
            begins.push_back(kept[static_cast<std::size_t>(
                                 std::ranges::lower_bound(asked, each.source) - asked.begin())] != 0);
    });
    return begins;
}

/// Keeps these edges, in their order, with their weights.
void keep_edges(edge_list& list, std::vector<bool> const& kept) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        if (!kept[i]) continue;
        list.edges[next] = list.edges[i];
        if (!list.weights.empty()) list.weights[next] = list.weights[i];
        ++next;
    }
    list.edges.resize(next);
    if (!list.weights.empty()) list.weights.resize(next);
}

/// Replaces the numbers of vertices by `names`, which has one for each of the ascending `ends`.
void name_by(edge_list& list, std::span<global_id const> ends, std::vector<std::string>&& names) {
    bool const are_text = list.naming == vertex_naming::text;
    std::vector<std::int64_t> named(ends.size());
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (are_text)
            named[i] = static_cast<std::int64_t>(i);
        else
            std::from_chars(names[i].data(), names[i].data() + names[i].size(), named[i]);
    for (edge& each : list.edges)
        for (std::int64_t* const end : {&each.source, &each.target})
            *end = named[static_cast<std::size_t>(std::ranges::lower_bound(ends, *end) - ends.begin())];
    if (are_text) list.names = std::move(names);
}

} // namespace

edge_list keep_largest_component(communicator comm, edge_list edges) try {
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
    edge_list joined;
    agreed(call, [&] {
        joined.edges = numbered.edges;
        joined.vertices = joined.rows = joined.columns = owners.total();
    });
    simple_graph const graph(comm, std::move(joined));
    component_labels const found = find_components(graph);

    auto const kept = begins_in_largest(call, comm, owners, found, numbered.edges);
    call.guard([&] {
        keep_edges(edges, kept);
        if (edges.naming == vertex_naming::declared) name_by_numbers(edges);
        if (edges.naming == vertex_naming::text) drop_unused_names(edges);
    });
    call.agree();
    return edges;
} catch (std::bad_alloc const&) {
    alone_unless_agreed("keep_largest_component");
    throw;
}

edge_list graph::largest_component(component_labels const& found) const {
    gate call(comm(), "graph::largest_component");
    call.same("largest_label", found.largest_label);
    agreed(call, [&] {
        if (std::ssize(found.label) != vertices_.local_count())
            throw usage_error("graph::largest_component: expected a label for each of " +
                              std::to_string(vertices_.local_count()) + " vertices, found " +
                              std::to_string(found.label.size()));
    });
    edge_list list;
    if (stored_) list = stored_->edges(call, weighted_);
    auto const kept =
        begins_in_largest(call, comm(), vertices_.owners(), found, stored_ ? list.edges : edges_.edges);
    std::vector<global_id> ends;
    agreed(call, [&] {
        if (!stored_) list = edges_;
        keep_edges(list, kept);
        list.naming = vertices_.naming();
        list.first_id = first_id_;
        if (list.naming == vertex_naming::declared) return name_by_numbers(list);
        list.vertices = list.rows = list.columns = 0;
        for (edge const& each : list.edges) ends.insert(ends.end(), {each.source, each.target});
        sort_distinct(ends);
    });
    if (vertices_.naming() == vertex_naming::declared) return list;
    std::vector<std::string> names = vertices_.original_ids(ends);
    agreed(call, [&] { name_by(list, ends, std::move(names)); });
    return list;
}

} // namespace weft
