#include <weft/graph/spanning_forest.hpp>

#include "contracted_graph.hpp"

#include "graph/sort_distinct.hpp"
#include "graph/tell_round.hpp"

#include <collective/exact_sum.hpp>
#include <exchange/gated_exchange.hpp>
#include <frames/ask.hpp>
#include <protocol/gated_sums.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/id_table.hpp>
#include <weft/detail/core/union_find.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

namespace weft {

namespace {

bool is_lighter(forest_edge const& a, forest_edge const& b) noexcept {
    return std::tie(a.weight, a.lower, a.upper) < std::tie(b.weight, b.lower, b.upper);
}

/// An edge between two trees. A vertex names each tree.
struct tree_edge {
    forest_edge edge;
    global_id one;
    global_id other;
};

/// The edge by which a tree joins another one.
struct hook {
    global_id tree;
    global_id other;
    forest_edge edge;
};

/// The edges of this rank in ascending order of weight; each edge is on one rank only.
std::vector<tree_edge> own_edges(arc_graph const& graph) {
    auto const own = static_cast<std::uint32_t>(graph.local_count());
    global_id const first = graph.vertices().first_local();
    std::vector<tree_edge> edges;
    edges.reserve(graph.all_neighbors().size() / 2);
    for (std::int64_t local = 0; local < graph.local_count(); ++local) {
        global_id const vertex = first + local;
        for (std::size_t arc = graph.first_neighbors()[static_cast<std::size_t>(local)];
             arc < graph.first_neighbors()[static_cast<std::size_t>(local) + 1]; ++arc) {
            std::uint32_t const neighbor = graph.all_neighbors()[arc];
            global_id const other = neighbor < own ? first + neighbor : graph.ghosts()[neighbor - own];
            bool const taken =
                neighbor < own ? vertex < other : ((vertex + other) % 2 == 0) == (vertex < other);
            if (!taken) continue;
            double const weight = graph.weighted() ? graph.all_weights()[arc] : 1;
            edges.push_back({{std::min(vertex, other), std::max(vertex, other), weight}, vertex, other});
        }
    }
    std::ranges::sort(edges, is_lighter, &tree_edge::edge);
    return edges;
}

/// Drops edges that close a cycle of lighter edges on this rank. The edges are in ascending order of
/// weight.
void drop_cycles(std::vector<tree_edge>& edges) {
    detail::id_table<std::uint32_t> numbers;
    detail::union_find<std::uint32_t> sets(0);
    auto const set_of = [&](global_id tree) {
        std::uint32_t const number = numbers.number_of(tree);
        if (number == sets.size()) (void)sets.add();
        return sets.find(number);
    };
    std::erase_if(edges, [&](tree_edge const& each) {
        std::uint32_t const a = set_of(each.one);
        std::uint32_t const b = set_of(each.other);
        if (a == b) return true;
        sets.unite(a, b);
        return false;
    });
}

/// One rank's part of the rounds.
class forest_rounds {
public:
    forest_rounds(gate& call, uniform_distribution const& owners, std::vector<tree_edge> edges)
        : call_(call), owners_(owners), edges_(std::move(edges)) {}

    /// Runs all rounds. Returns the edges of the forest that this rank has found, and the number of rounds.
    std::pair<std::vector<forest_edge>, std::int64_t> run() && {
        std::int64_t rounds = 0;
        if (call_.comm().size() == 1) {
            call_.guard([&] {
                for (tree_edge const& each : edges_) chosen_.push_back(each.edge);
            });
            return {std::move(chosen_), rounds};
        }
        while (sum(call_, std::ssize(edges_)) > 0) {
            round();
            tell_round(call_.comm(), ++rounds);
        }
        return {std::move(chosen_), rounds};
    }

private:
    void round() {
        std::vector<hook> hooks = lightest_hooks();
        std::vector<global_id> trees;
        std::vector<global_id> others;
        call_.guard([&] {
            for (hook const& each : hooks) {
                trees.push_back(each.tree);
                others.push_back(each.other);
            }
        });
        auto const owner = [this](global_id tree) { return owners_.owner(tree); };
        auto const beyond = ask<global_id>(call_, std::span<global_id const>(others), owner,
            [&](global_id tree) { return others[position(trees, tree)]; });
        call_.guard([&] {
            for (std::size_t i = 0; i < trees.size(); ++i)
                if (beyond[i] == trees[i] && trees[i] < others[i])
                    others[i] = trees[i]; // two trees have chosen the same edge: the lesser is the root
                else
                    chosen_.push_back(hooks[i].edge);
        });
        std::vector<hook>().swap(hooks);
        flatten(call_, owners_, trees, others);

        std::vector<global_id> named;
        call_.guard([&] {
            for (tree_edge const& each : edges_) {
                named.push_back(each.one);
                named.push_back(each.other);
            }
            sort_distinct(named);
        });
        auto const roots = ask<global_id>(call_, std::span<global_id const>(named), owner,
            [&](global_id tree) { return others[position(trees, tree)]; });
        call_.guard([&] {
            for (tree_edge& each : edges_) {
                each.one = roots[position(named, each.one)];
                each.other = roots[position(named, each.other)];
            }
            drop_cycles(edges_);
        });
    }

    /// For each tree of this rank that has edges to other trees, the lightest of these on all ranks; in the
    /// order of the trees.
    std::vector<hook> lightest_hooks() {
        outbox<hook> out(call_.comm());
        call_.guard([&] {
            detail::id_table<std::uint32_t> seen; // edges are in ascending order
            std::size_t trees = 0;
            for (tree_edge const& each : edges_)
                for (auto const& [tree, other] :
                    {std::pair(each.one, each.other), std::pair(each.other, each.one)}) {
                    if (seen.number_of(tree) < trees) continue;
                    ++trees;
                    out[owners_.owner(tree)].push_back({tree, other, each.edge});
                }
        });
        std::vector<hook> hooks = exchanged_items(call_, std::move(out));
        std::ranges::sort(hooks, [](hook const& a, hook const& b) {
            return a.tree != b.tree ? a.tree < b.tree : is_lighter(a.edge, b.edge);
        });
        auto const same_tree = [](hook const& a, hook const& b) { return a.tree == b.tree; };
        hooks.erase(std::unique(hooks.begin(), hooks.end(), same_tree), hooks.end());
        return hooks;
    }

    static std::size_t position(std::vector<global_id> const& sorted, global_id id) noexcept {
        return static_cast<std::size_t>(std::ranges::lower_bound(sorted, id) - sorted.begin());
    }

    gate& call_;
    uniform_distribution owners_;
    std::vector<tree_edge> edges_; // from the lightest on
    std::vector<forest_edge> chosen_;
};

/// The sum of the weights of all ranks.
double add_weights(gate& call, std::span<forest_edge const> edges) {
    auto const part = [&](double sign) {
        return exact_sum(call, [&](auto&& add) {
            for (forest_edge const& each : edges)
                if (sign * each.weight > 0) add(sign * each.weight);
        });
    };
    double const above = part(1);
    return above - part(-1);
}

} // namespace

spanning_forest find_spanning_forest(arc_graph const& graph) {
    gate call(graph.comm(), "find_spanning_forest");
    std::vector<tree_edge> edges;
    agreed(call, [&] {
        if (graph.direction() != arc_direction::both)
            throw usage_error("find_spanning_forest: expected a graph of arcs in both directions");
        if (!std::ranges::all_of(graph.all_weights(), [](double weight) { return std::isfinite(weight); }))
            throw usage_error(
                "find_spanning_forest: expected finite weights, found one that is infinite or NaN");
        edges = own_edges(graph);
        drop_cycles(edges);
    });
    spanning_forest found;
    uniform_distribution const& owners = graph.vertices().owners();
    outbox<forest_edge> out(graph.comm());
    {
        auto const [chosen, rounds] = forest_rounds(call, owners, std::move(edges)).run();
        found.rounds = rounds;
        call.guard([&, &all = chosen] {
            for (forest_edge const& each : all) out[owners.owner(each.lower)].push_back(each);
        });
    }
    found.edges = exchanged_items(call, std::move(out));
    std::ranges::sort(
        found.edges, {}, [](forest_edge const& each) { return std::pair(each.lower, each.upper); });
    found.edge_count = sum(call, std::ssize(found.edges));
    found.trees = graph.vertex_count() - found.edge_count;
    found.weight = add_weights(call, found.edges);
    return found;
}

} // namespace weft
