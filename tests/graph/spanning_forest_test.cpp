#include <weft/graph/spanning_forest.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>

#include <cmath>
#include <limits>

using namespace weft_test;

namespace {

struct by_weight {
    bool operator()(weft::forest_edge const& a, weft::forest_edge const& b) const {
        return std::tie(a.weight, a.lower, a.upper) < std::tie(b.weight, b.lower, b.upper);
    }
};

/// By Kruskal, with labels in place of sets.
std::vector<weft::forest_edge> serial_forest(serial_graph const& serial, std::vector<double> const& weights) {
    std::set<weft::forest_edge, by_weight> edges;
    for (std::size_t i = 0; i < serial.edges.size(); ++i) {
        auto const& [u, v] = serial.edges[i];
        if (u != v) edges.insert({std::min(u, v), std::max(u, v), weights.empty() ? 1 : weights[i]});
    }
    std::vector<std::int64_t> label(static_cast<std::size_t>(serial.vertices));
    std::iota(label.begin(), label.end(), std::int64_t{0});
    std::vector<weft::forest_edge> forest;
    for (auto const& each : edges) {
        auto const from = label[static_cast<std::size_t>(each.lower)];
        auto const to = label[static_cast<std::size_t>(each.upper)];
        if (from == to) continue;
        std::ranges::replace(label, from, to);
        forest.push_back(each);
    }
    std::ranges::sort(forest, {}, [](auto const& each) { return std::pair(each.lower, each.upper); });
    return forest;
}

void expect_forest(serial_graph const& serial, std::vector<double> const& weights, std::string const& name) {
    weft::edge_list mine;
    mine.vertices = serial.vertices;
    for (std::size_t i = static_cast<std::size_t>(rank()); i < serial.edges.size();
         i += static_cast<std::size_t>(size())) {
        mine.edges.push_back(serial.edges[i]);
        if (!weights.empty()) mine.weights.push_back(weights[i]);
    }
    mine.weighted = !weights.empty();
    weft::arc_graph const graph(world(), std::move(mine), weft::arc_direction::both,
        weights.empty() ? weft::arc_weights::none : weft::arc_weights::lightest);
    auto const found = weft::find_spanning_forest(graph);
    auto const expected = serial_forest(serial, weights);
    EXPECT_EQ(found.edge_count, std::ssize(expected)) << name;
    EXPECT_EQ(found.trees, serial.vertices - std::ssize(expected)) << name;
    double weight = 0;
    std::vector<weft::forest_edge> own;
    for (auto const& each : expected) {
        weight += each.weight;
        std::int64_t const local = each.lower - graph.vertices().first_local();
        if (local >= 0 && local < graph.local_count()) own.push_back(each);
    }
    EXPECT_NEAR(found.weight, weight, 1e-9 * (1 + std::abs(weight))) << name;
    EXPECT_TRUE(found.edges == own) << name;
}

/// Few values, so that many are equal; some negative, some 0.
std::vector<double> weights_for(serial_graph const& serial, std::uint64_t seed, std::int64_t values) {
    std::mt19937_64 next(seed);
    std::vector<double> weights(serial.edges.size());
    for (double& weight : weights)
        weight = static_cast<double>(next() % static_cast<std::uint64_t>(values)) * 0.5 - 1;
    return weights;
}

} // namespace

TEST(spanning_forest, nasty_graphs) {
    for (auto const& [name, serial] : nasty_graphs()) {
        expect_forest(serial, {}, name);
        expect_forest(serial, weights_for(serial, 7, 5), name + ", few weights");
    }
}

TEST(spanning_forest, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 7 % 80);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 5), seed);
        expect_forest(
            serial, weights_for(serial, seed, seed % 2 == 0 ? 3 : 1000), "seed " + std::to_string(seed));
    }
}

TEST(spanning_forest, a_grid_between_ranks) {
    serial_graph grid{900, {}};
    for (std::int64_t v = 0; v < 900; ++v) { // neighbours are far apart in the order of vertices
        if (v % 30 < 29) grid.edges.push_back({v * 271 % 900, (v + 1) * 271 % 900});
        if (v < 870) grid.edges.push_back({v * 271 % 900, (v + 30) * 271 % 900});
    }
    expect_forest(grid, weights_for(grid, 3, 100), "grid");
}

TEST(spanning_forest, refuses_weights_that_are_not_finite_and_one_direction) {
    for (auto const direction : {weft::arc_direction::both, weft::arc_direction::forward}) {
        auto list = share_of(random_graph(9, 30, 1), sharing::round_robin);
        bool const is_bad = direction == weft::arc_direction::both && rank() == size() - 1;
        list.weights.assign(list.edges.size(), is_bad ? std::numeric_limits<double>::infinity() : 1);
        list.weighted = true;
        weft::arc_graph const graph(world(), std::move(list), direction, weft::arc_weights::sum);
        EXPECT_THROW((void)weft::find_spanning_forest(graph), weft::usage_error);
    }
}
