#include "contracted_graph.hpp"

#include "graph/id_index.hpp"
#include "graph/sort_distinct.hpp"

#include <frames/ask.hpp>
#include <weft/detail/core/union_find.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>

namespace weft {

namespace {

/// A vertex and something about it.
struct vertex_value {
    global_id vertex;
    global_id value;

    friend auto operator<=>(vertex_value const&, vertex_value const&) = default;
};

std::size_t position(std::vector<global_id> const& sorted, global_id vertex) {
    return static_cast<std::size_t>(std::ranges::lower_bound(sorted, vertex) - sorted.begin());
}

/// Rank 0 takes the whole graph, joins it and answers.
std::vector<global_id> solve_on_one_rank(communicator const& comm, contracted_graph const& graph) {
    outbox<vertex_value> vertices(comm);
    outbox<edge> edges(comm);
    if (!graph.vertices.empty()) {
        auto to_root = vertices[0];
        for (std::size_t i = 0; i < graph.vertices.size(); ++i)
            to_root.push_back({graph.vertices[i], graph.smallest[i]});
        for (edge const& each : graph.edges)
            if (each.source < each.target) edges[0].push_back(each); // the other direction says the same
    }
    auto const all_vertices = exchange(std::move(vertices));
    auto const all_edges = exchange(std::move(edges));

    id_index index;
    std::vector<global_id> smallest;
    for (auto const& [source, values] : all_vertices)
        for (vertex_value const& each : values) {
            (void)index.index_of(each.vertex);
            smallest.push_back(each.value);
        }
    detail::union_find<std::int64_t> sets(smallest.size());
    for (auto const& [source, joined] : all_edges)
        for (edge const& each : joined) sets.unite(index.index_of(each.source), index.index_of(each.target));
    for (std::size_t i = 0; i < smallest.size(); ++i) {
        auto& of_root = smallest[static_cast<std::size_t>(sets.find(static_cast<std::int64_t>(i)))];
        of_root = std::min(of_root, smallest[i]);
    }

    outbox<global_id> answers(comm);
    std::int64_t next = 0; // answers go back in the order in which the vertices came
    for (auto const& [source, values] : all_vertices) {
        auto back = answers[source];
        for (std::size_t i = 0; i < values.size(); ++i)
            back.push_back(smallest[static_cast<std::size_t>(sets.find(next++))]);
    }
    return exchange(std::move(answers)).concatenate();
}

/// A priority that differs from round to round; the id breaks ties.
std::pair<std::uint64_t, global_id> priority(global_id vertex, std::uint64_t round) {
    std::uint64_t z = static_cast<std::uint64_t>(vertex) + round * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull; // the finaliser of splitmix64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return {z ^ (z >> 31), vertex};
}

/// For each vertex its neighbour of least priority, or itself where its own is less still. Priorities fall
/// along these pointers, so they form trees.
std::vector<global_id> hook(contracted_graph const& graph, std::uint64_t round) {
    std::vector<global_id> parent = graph.vertices;
    for (edge const& each : graph.edges) {
        global_id& best = parent[position(graph.vertices, each.source)];
        if (priority(each.target, round) < priority(best, round)) best = each.target;
    }
    return parent;
}

/// Pointer jumping: afterwards every parent is the root of its tree.
void flatten(communicator const& comm, contracted_graph const& graph, std::vector<global_id>& parent) {
    auto const owner = [&](global_id vertex) { return graph.owners->owner(vertex); };
    while (true) {
        std::vector<global_id> asked = parent;
        sort_distinct(asked);
        auto const above = ask<global_id>(comm, std::span<global_id const>(asked), owner,
            [&](global_id vertex) { return parent[position(graph.vertices, vertex)]; });
        std::int64_t changed = 0;
        for (global_id& up : parent) {
            global_id const higher = above[position(asked, up)];
            changed += higher != up;
            up = higher;
        }
        if (sum(comm, changed) == 0) return;
    }
}

/// The graph of the trees: its vertices are their roots.
contracted_graph contract(
    communicator const& comm, contracted_graph const& graph, std::vector<global_id> const& root) {
    auto const owner = [&](global_id vertex) { return graph.owners->owner(vertex); };
    std::vector<global_id> far_ends;
    far_ends.reserve(graph.edges.size());
    for (edge const& each : graph.edges) far_ends.push_back(each.target);
    sort_distinct(far_ends);
    auto const far_roots = ask<global_id>(comm, std::span<global_id const>(far_ends), owner,
        [&](global_id vertex) { return root[position(graph.vertices, vertex)]; });

    std::vector<edge> edges;
    edges.reserve(graph.edges.size());
    for (edge const& each : graph.edges)
        edges.push_back(
            {root[position(graph.vertices, each.source)], far_roots[position(far_ends, each.target)]});
    sort_distinct(edges);
    contracted_graph next{graph.owners, {}, {}, with_both_directions(comm, *graph.owners, edges)};
    for (edge const& each : next.edges)
        if (next.vertices.empty() || next.vertices.back() != each.source)
            next.vertices.push_back(each.source);
    return next;
}

} // namespace

std::vector<edge> with_both_directions(
    communicator const& comm, uniform_distribution const& owners, std::vector<edge> const& edges) {
    outbox<edge> out(comm);
    for (edge const& each : edges) {
        if (each.source == each.target) continue;
        out[owners.owner(each.source)].push_back(each);
        out[owners.owner(each.target)].push_back({each.target, each.source});
    }
    std::vector<edge> received = exchange(std::move(out)).concatenate();
    sort_distinct(received);
    return received;
}

std::vector<global_id> solve(
    communicator const& comm, contracted_graph graph, components_options const& options, int& rounds) {
    std::int64_t const edges = sum(comm, static_cast<std::int64_t>(graph.edges.size())) / 2;
    if (edges == 0) return graph.smallest;
    if (edges <= options.gather_below) return solve_on_one_rank(comm, graph);

    ++rounds;
    std::vector<global_id> root = hook(graph, options.seed + static_cast<std::uint64_t>(rounds));
    flatten(comm, graph, root);
    auto const owner = [&](global_id vertex) { return graph.owners->owner(vertex); };

    // A root carries the smallest of its tree. Roots without edges are whole components already.
    outbox<vertex_value> to_roots(comm);
    for (std::size_t i = 0; i < root.size(); ++i)
        to_roots[owner(root[i])].push_back({root[i], graph.smallest[i]});
    std::vector<vertex_value> at_roots = exchange(std::move(to_roots)).concatenate();
    std::ranges::sort(at_roots); // the first of each root has the smallest value
    auto const same_vertex = [](auto const& a, auto const& b) { return a.vertex == b.vertex; };
    at_roots.erase(std::unique(at_roots.begin(), at_roots.end(), same_vertex), at_roots.end());
    auto const value_at = [&](global_id vertex) -> global_id& {
        return std::ranges::lower_bound(at_roots, vertex, {}, &vertex_value::vertex)->value;
    };

    contracted_graph next = contract(comm, graph, root);
    std::vector<edge>().swap(graph.edges);
    for (global_id const vertex : next.vertices) next.smallest.push_back(value_at(vertex));
    std::vector<global_id> const next_vertices = next.vertices;
    auto const solved = solve(comm, std::move(next), options, rounds);
    for (std::size_t i = 0; i < solved.size(); ++i) value_at(next_vertices[i]) = solved[i];

    std::vector<global_id> asked = root;
    sort_distinct(asked);
    auto const answers = ask<global_id>(comm, std::span<global_id const>(asked), owner, value_at);
    std::vector<global_id> result;
    result.reserve(root.size());
    for (global_id const vertex : root) result.push_back(answers[position(asked, vertex)]);
    return result;
}

} // namespace weft
