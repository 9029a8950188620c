#include <weft/graph/components.hpp>

#include "contracted_graph.hpp"
#include "ghost_index.hpp"
#include "union_find.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <limits>

namespace weft {

namespace {

using local_index = std::uint32_t;

/// Joins all that this rank's edges join. Local vertices come first in the sets, ghosts after them, and a
/// ghost has an edge to a local vertex, so every root is a local vertex.
union_find<local_index> join_locally(simple_graph const& graph, ghost_index& ghosts) {
    global_id const first = graph.first_vertex();
    std::int64_t const local_count = graph.local_count();
    union_find<local_index> sets(static_cast<std::size_t>(local_count));
    for (std::int64_t local = 0; local < local_count; ++local) {
        for (global_id const other : graph.stored_neighbors(local)) {
            std::int64_t const offset = other - first;
            if (offset >= 0 && offset < local_count) {
                sets.unite(static_cast<local_index>(local), static_cast<local_index>(offset));
                continue;
            }
            std::int64_t const ghost = ghosts.index_of(other) + local_count;
            if (ghost == static_cast<std::int64_t>(sets.size())) (void)sets.add();
            sets.unite(static_cast<local_index>(local), static_cast<local_index>(ghost));
        }
    }
    return sets;
}

/// The edges between local components of different ranks. Each ghost has come to belong to one component
/// here; its owner is told the root of that and puts the root of its own in place of the ghost.
std::vector<edge> edges_between_ranks(
    simple_graph const& graph, ghost_index const& ghosts, union_find<local_index>& sets) {
    global_id const first = graph.first_vertex();
    outbox<edge> out(graph.comm());
    for (std::size_t i = 0; i < ghosts.ids().size(); ++i) {
        global_id const ghost = ghosts.ids()[i];
        auto const root =
            sets.find(static_cast<local_index>(graph.local_count() + static_cast<std::int64_t>(i)));
        out[graph.vertices().owner(ghost)].push_back({ghost, first + root});
    }
    std::vector<edge> edges = exchange(std::move(out)).concatenate();
    for (edge& each : edges) each.source = first + sets.find(static_cast<local_index>(each.source - first));
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

/// Counts components and finds the largest, from the labels.
void summarise(simple_graph const& graph, component_labels& found) {
    struct part {
        global_id label;
        std::int64_t size;
    };
    // Most components lie on one rank; what this rank holds of those that other ranks name goes there.
    global_id const first = graph.first_vertex();
    std::vector<std::int64_t> size(found.label.size(), 0); // by local vertex that is a label
    ghost_index elsewhere(graph);
    std::vector<std::int64_t> size_elsewhere;
    for (global_id const label : found.label) {
        std::int64_t const offset = label - first;
        if (offset >= 0) { // labels are minima, so a label is never on a later rank
            ++size[static_cast<std::size_t>(offset)];
            continue;
        }
        auto const index = static_cast<std::size_t>(elsewhere.index_of(label));
        if (index == size_elsewhere.size()) size_elsewhere.push_back(0);
        ++size_elsewhere[index];
    }
    outbox<part> out(graph.comm());
    for (std::size_t i = 0; i < size_elsewhere.size(); ++i) {
        global_id const label = elsewhere.ids()[i];
        out[graph.vertices().owner(label)].push_back({label, size_elsewhere[i]});
    }
    for (auto const& [source, parts] : exchange(std::move(out)))
        for (part const& each : parts) size[static_cast<std::size_t>(each.label - first)] += each.size;

    census_value totals = census_value::identity();
    for (std::int64_t const members : size) {
        totals.sum[0] += members > 0;
        totals.sum[1] += members == 1;
    }
    totals = combine_all(graph.comm(), totals);
    found.components = totals.sum[0];
    found.isolated = totals.sum[1];

    constexpr std::size_t kept = 10;
    auto const keep_largest = [&](std::vector<std::int64_t>& sizes) {
        std::size_t const most = std::min(kept, sizes.size());
        std::partial_sort(
            sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(most), sizes.end(), std::greater<>());
        sizes.resize(most);
        while (!sizes.empty() && sizes.back() == 0) sizes.pop_back();
    };
    keep_largest(size);
    outbox<std::int64_t> largest(graph.comm());
    largest[0].append(size);
    found.largest = exchange(std::move(largest)).concatenate();
    keep_largest(found.largest);
    outbox<std::int64_t> back(graph.comm());
    if (graph.comm().rank() == 0)
        for (int rank = 0; rank < graph.comm().size(); ++rank) back[rank].append(found.largest);
    found.largest = exchange(std::move(back)).concatenate();
}

void check_size(simple_graph const& graph) {
    // Vertices and ghosts of a rank are counted in 32 bits, which halves the memory that joining walks
    // through.
    constexpr auto limit = static_cast<std::int64_t>(std::numeric_limits<local_index>::max());
    auto const stored = static_cast<std::int64_t>(graph.stored_others().size());
    if (max(graph.comm(), graph.local_count() + std::min(stored, graph.vertex_count())) >= limit)
        throw usage_error("find_components: a rank holds too large a part of the graph; use more ranks");
}

} // namespace

component_labels find_components(simple_graph const& graph, components_options const& options) {
    check_size(graph);
    global_id const first = graph.first_vertex();
    ghost_index ghosts(graph);
    auto sets = join_locally(graph, ghosts);
    auto const& owners = graph.vertices();
    contracted_graph between{&owners, {}, {},
        with_both_directions(graph.comm(), owners, edges_between_ranks(graph, ghosts, sets))};
    for (edge const& each : between.edges)
        if (between.vertices.empty() || between.vertices.back() != each.source)
            between.vertices.push_back(each.source);
    between.smallest = between.vertices; // a root is the smallest vertex of its local component
    std::vector<global_id> const roots = between.vertices;

    component_labels found;
    auto const solved = solve(graph.comm(), std::move(between), options, found.contractions);
    std::vector<global_id> label_of_root(static_cast<std::size_t>(graph.local_count()));
    for (std::size_t i = 0; i < label_of_root.size(); ++i)
        label_of_root[i] = first + static_cast<global_id>(i);
    for (std::size_t i = 0; i < roots.size(); ++i)
        label_of_root[static_cast<std::size_t>(roots[i] - first)] = solved[i];

    found.label.resize(label_of_root.size());
    for (std::size_t i = 0; i < found.label.size(); ++i)
        found.label[i] = label_of_root[sets.find(static_cast<local_index>(i))];
    summarise(graph, found);
    return found;
}

} // namespace weft
