#include "contracted_graph.hpp"

#include "graph/sort_distinct.hpp"

#include <exchange/gated_exchange.hpp>
#include <frames/ask.hpp>
#include <protocol/gated_sums.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/detail/core/id_table.hpp>
#include <weft/detail/core/union_find.hpp>

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

/// Joins all edges on rank 0, and fills in the answers in the order of the received vertices.
void join_and_answer(
    inbox<vertex_value> const& vertices, inbox<edge> const& edges, outbox<global_id>& answers) {
    detail::id_table<std::int64_t> numbers;
    std::vector<global_id> smallest;
    for (auto const& [source, values] : vertices)
        for (vertex_value const& each : values) {
            (void)numbers.number_of(each.vertex);
            smallest.push_back(each.value);
        }
    detail::union_find<std::int64_t> sets(smallest.size());
    for (auto const& [source, joined] : edges)
        for (edge const& each : joined)
            sets.unite(numbers.number_of(each.source), numbers.number_of(each.target));
    for (std::size_t i = 0; i < smallest.size(); ++i) {
        auto& of_root = smallest[static_cast<std::size_t>(sets.find(static_cast<std::int64_t>(i)))];
        of_root = std::min(of_root, smallest[i]);
    }
    std::int64_t next = 0;
    for (auto const& [source, values] : vertices) {
        auto back = answers[source];
        for (std::size_t i = 0; i < values.size(); ++i)
            back.push_back(smallest[static_cast<std::size_t>(sets.find(next++))]);
    }
}

/// Solves the whole graph on rank 0, which sends the answers back.
std::vector<global_id> solve_on_one_rank(gate& call, contracted_graph const& graph) {
    outbox<vertex_value> vertices(call.comm());
    outbox<edge> edges(call.comm());
    call.guard([&] {
        if (graph.vertices.empty()) return;
        auto to_root = vertices[0];
        for (std::size_t i = 0; i < graph.vertices.size(); ++i)
            to_root.push_back({graph.vertices[i], graph.smallest[i]});
        for (edge const& each : graph.edges)
            if (each.source < each.target) edges[0].push_back(each); // the other direction adds nothing
    });
    outbox<global_id> answers(call.comm());
    {
        auto const all_vertices = exchange(call, std::move(vertices));
        auto const all_edges = exchange(call, std::move(edges));
        call.guard([&] { join_and_answer(all_vertices, all_edges, answers); });
    }
    return exchanged_items(call, std::move(answers));
}

/// A priority that differs from round to round; the id breaks ties.
std::pair<std::uint64_t, global_id> priority(global_id vertex, std::uint64_t round) {
    return {detail::mixed(static_cast<std::uint64_t>(vertex) + round * detail::golden), vertex};
}

/// For each vertex, the one of least priority among itself and its neighbours. Priorities fall along these
/// pointers, so they form trees.
std::vector<global_id> hook(contracted_graph const& graph, std::uint64_t round) {
    std::vector<global_id> parent = graph.vertices;
    for (edge const& each : graph.edges) {
        global_id& best = parent[position(graph.vertices, each.source)];
        if (priority(each.target, round) < priority(best, round)) best = each.target;
    }
    return parent;
}

/// Contracts each tree to its root, and returns the graph of the roots. The gate keeps a failure of the
/// last step.
contracted_graph contract(gate& call, contracted_graph const& graph, std::vector<global_id> const& root) {
    auto const owner = [&](global_id vertex) { return graph.owners->owner(vertex); };
    std::vector<global_id> far_ends;
    call.guard([&] {
        far_ends.reserve(graph.edges.size());
        for (edge const& each : graph.edges) far_ends.push_back(each.target);
        sort_distinct(far_ends);
    });
    auto const far_roots = ask<global_id>(call, std::span<global_id const>(far_ends), owner,
        [&](global_id vertex) { return root[position(graph.vertices, vertex)]; });

    std::vector<edge> edges;
    call.guard([&] {
        edges.reserve(graph.edges.size());
        for (edge const& each : graph.edges)
            edges.push_back(
                {root[position(graph.vertices, each.source)], far_roots[position(far_ends, each.target)]});
        sort_distinct(edges);
    });
    contracted_graph next{graph.owners, {}, {}, with_both_directions(call, *graph.owners, edges)};
    call.guard([&] { list_sources(next); });
    return next;
}

} // namespace

void flatten(gate& call, uniform_distribution const& owners, std::vector<global_id> const& vertices,
    std::vector<global_id>& parent) {
    auto const owner = [&](global_id vertex) { return owners.owner(vertex); };
    while (true) {
        std::vector<global_id> asked;
        call.guard([&] {
            asked = parent;
            sort_distinct(asked);
        });
        auto const above = ask<global_id>(call, std::span<global_id const>(asked), owner,
            [&](global_id vertex) { return parent[position(vertices, vertex)]; });
        std::int64_t changed = 0;
        for (global_id& up : parent) {
            global_id const higher = above[position(asked, up)];
            changed += higher != up;
            up = higher;
        }
        if (sum(call, changed) == 0) return;
    }
}

void list_sources(contracted_graph& graph) {
    for (edge const& each : graph.edges)
        if (graph.vertices.empty() || graph.vertices.back() != each.source)
            graph.vertices.push_back(each.source);
}

std::vector<edge> with_both_directions(
    gate& call, uniform_distribution const& owners, std::vector<edge> const& edges) {
    outbox<edge> out(call.comm());
    call.guard([&] {
        for (edge const& each : edges) {
            if (each.source == each.target) continue;
            out[owners.owner(each.source)].push_back(each);
            out[owners.owner(each.target)].push_back({each.target, each.source});
        }
    });
    std::vector<edge> received = exchanged_items(call, std::move(out));
    sort_distinct(received);
    return received;
}

std::vector<global_id> solve(
    gate& call, contracted_graph graph, components_options const& options, int& rounds) {
    std::int64_t const edges = sum(call, static_cast<std::int64_t>(graph.edges.size())) / 2;
    if (edges == 0) return std::move(graph.smallest);
    if (edges <= options.gather_below) return solve_on_one_rank(call, graph);

    ++rounds;
    std::vector<global_id> root;
    call.guard([&] { root = hook(graph, options.seed + static_cast<std::uint64_t>(rounds)); });
    flatten(call, *graph.owners, graph.vertices, root);
    auto const owner = [&](global_id vertex) { return graph.owners->owner(vertex); };

    // Each root gets the smallest value of its tree. A root without edges is a whole component.
    outbox<vertex_value> to_roots(call.comm());
    call.guard([&] {
        for (std::size_t i = 0; i < root.size(); ++i)
            to_roots[owner(root[i])].push_back({root[i], graph.smallest[i]});
    });
    std::vector<vertex_value> at_roots = exchanged_items(call, std::move(to_roots));
    std::ranges::sort(at_roots); // the first of each root has the smallest value
    auto const same_vertex = [](auto const& a, auto const& b) { return a.vertex == b.vertex; };
    at_roots.erase(std::unique(at_roots.begin(), at_roots.end(), same_vertex), at_roots.end());
    auto const value_at = [&](global_id vertex) -> global_id& {
        return std::ranges::lower_bound(at_roots, vertex, {}, &vertex_value::vertex)->value;
    };

    contracted_graph next = contract(call, graph, root);
    std::vector<edge>().swap(graph.edges);
    std::vector<global_id> next_vertices;
    call.guard([&] {
        for (global_id const vertex : next.vertices) next.smallest.push_back(value_at(vertex));
        next_vertices = next.vertices;
    });
    auto const solved = solve(call, std::move(next), options, rounds);
    for (std::size_t i = 0; i < solved.size(); ++i) value_at(next_vertices[i]) = solved[i];

    std::vector<global_id> asked;
    std::vector<global_id> result;
    call.guard([&] {
        asked = root;
        sort_distinct(asked);
        result.reserve(root.size());
    });
    auto const answers = ask<global_id>(call, std::span<global_id const>(asked), owner, value_at);
    for (global_id const vertex : root) result.push_back(answers[position(asked, vertex)]);
    return result;
}

} // namespace weft
