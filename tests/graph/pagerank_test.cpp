#include <weft/graph/pagerank.hpp>

#include "serial_graph.hpp"

#include <weft/collective/reduce.hpp>
#include <weft/core/error.hpp>

#include <bit>
#include <cmath>
#include <functional>

using namespace weft_test;

namespace {

/// By the definition, pushing along arcs.
std::vector<double> serial_pagerank(
    serial_graph const& serial, bool directed, double damping, std::vector<double> jumps = {}) {
    std::set<std::pair<std::int64_t, std::int64_t>> arcs;
    for (auto const& [u, v] : serial.edges) {
        if (u == v) continue;
        arcs.emplace(u, v);
        if (!directed) arcs.emplace(v, u);
    }
    auto const n = static_cast<std::size_t>(serial.vertices);
    std::vector<double> out_degree(n);
    for (auto const& [u, v] : arcs) ++out_degree[static_cast<std::size_t>(u)];
    if (jumps.empty()) jumps.assign(n, 1.0 / static_cast<double>(n));
    std::vector<double> value = jumps;
    for (int iteration = 0; iteration < 400; ++iteration) {
        double dangling = 0;
        for (std::size_t v = 0; v < n; ++v) dangling += out_degree[v] == 0 ? value[v] : 0;
        std::vector<double> next = jumps;
        for (double& each : next) each *= 1 - damping + damping * dangling;
        for (auto const& [u, v] : arcs)
            next[static_cast<std::size_t>(v)] +=
                damping * value[static_cast<std::size_t>(u)] / out_degree[static_cast<std::size_t>(u)];
        value = next;
    }
    return value;
}

weft::arc_graph graph_of(serial_graph const& serial, bool directed, sharing how) {
    return {
        world(), share_of(serial, how), directed ? weft::arc_direction::backward : weft::arc_direction::both};
}

void expect_values(
    serial_graph const& serial, bool directed, double damping, sharing how, std::string const& name) {
    auto const graph = graph_of(serial, directed, how);
    auto const found = weft::find_pagerank(graph, {.damping = damping});
    EXPECT_TRUE(found.converged) << name;
    if (serial.vertices == 0) {
        EXPECT_TRUE(found.top.empty());
        return;
    }

    auto const expected = serial_pagerank(serial, directed, damping);
    for (std::size_t i = 0; i < found.value.size(); ++i)
        EXPECT_NEAR(
            found.value[i], expected[static_cast<std::size_t>(graph.vertices().first_local()) + i], 1e-13)
            << name;
    EXPECT_NEAR(found.least, std::ranges::min(expected), 1e-13) << name;
    ASSERT_EQ(found.top.size(), std::min<std::size_t>(10, expected.size())) << name;
    EXPECT_NEAR(found.top.front().value, std::ranges::max(expected), 1e-13) << name;
    for (std::size_t i = 0; i < found.top.size(); ++i) {
        EXPECT_NEAR(found.top[i].value, expected[static_cast<std::size_t>(found.top[i].vertex)], 1e-13)
            << name;
        if (i > 0) {
            EXPECT_TRUE(found.top[i - 1].value > found.top[i].value ||
                        (found.top[i - 1].value == found.top[i].value &&
                            found.top[i - 1].vertex < found.top[i].vertex))
                << name;
        }
    }
}

/// Weights for the edges of a graph, of very different sizes, some 0.
std::vector<double> weights_for(serial_graph const& serial, std::uint64_t seed) {
    std::mt19937_64 next(seed);
    std::vector<double> weights(serial.edges.size());
    for (double& weight : weights)
        weight = next() % 8 == 0
                     ? 0
                     : std::ldexp(1 + static_cast<double>(next() % 100), static_cast<int>(next() % 40));
    return weights;
}

/// By the definition, with a matrix of probabilities.
std::vector<double> serial_weighted(
    serial_graph const& serial, std::vector<double> const& weights, bool directed, double damping) {
    auto const n = static_cast<std::size_t>(serial.vertices);
    std::vector<std::vector<double>> weight(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        auto const u = static_cast<std::size_t>(serial.edges[i].source);
        auto const v = static_cast<std::size_t>(serial.edges[i].target);
        if (u == v) continue;
        weight[u][v] += weights[i];
        if (!directed) weight[v][u] += weights[i];
    }
    std::vector<double> value(n, 1.0 / static_cast<double>(n));
    for (int iteration = 0; iteration < 400; ++iteration) {
        double dangling = 0;
        std::vector<double> next(n, 0);
        for (std::size_t u = 0; u < n; ++u) {
            double const all = std::accumulate(weight[u].begin(), weight[u].end(), 0.0);
            if (all == 0)
                dangling += value[u];
            else
                for (std::size_t v = 0; v < n; ++v) next[v] += damping * value[u] * weight[u][v] / all;
        }
        for (double& each : next) each += (1 - damping + damping * dangling) / static_cast<double>(n);
        value = next;
    }
    return value;
}

weft::arc_graph weighted_graph_of(
    serial_graph const& serial, std::vector<double> const& weights, bool directed) {
    weft::edge_list mine;
    mine.vertices = serial.vertices;
    for (std::size_t i = static_cast<std::size_t>(rank()); i < weights.size();
         i += static_cast<std::size_t>(size())) {
        mine.edges.push_back(serial.edges[i]);
        mine.weights.push_back(weights[i]);
    }
    return {world(), std::move(mine), directed ? weft::arc_direction::backward : weft::arc_direction::both,
        weft::arc_weights::sum};
}

} // namespace

TEST(pagerank, by_weights) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        auto const serial =
            random_graph(1 + static_cast<std::int64_t>(seed) * 7, static_cast<std::int64_t>(seed) * 25, seed);
        auto const weights = weights_for(serial, seed);
        bool const directed = seed % 2 == 0;
        auto const graph = weighted_graph_of(serial, weights, directed);
        auto const found = weft::find_pagerank(graph);
        auto const expected = serial_weighted(serial, weights, directed, 0.85);
        EXPECT_TRUE(found.converged);
        for (std::size_t i = 0; i < found.value.size(); ++i)
            EXPECT_NEAR(
                found.value[i], expected[static_cast<std::size_t>(graph.vertices().first_local()) + i], 1e-13)
                << "seed " << seed;
    }
}

TEST(pagerank, the_unit_of_weights_changes_no_bit) {
    auto const serial = random_graph(60, 300, 4);
    auto weights = weights_for(serial, 4);
    auto const found = weft::find_pagerank(weighted_graph_of(serial, weights, true));
    for (double& weight : weights) weight *= 0x1p970; // their sums overflow
    EXPECT_EQ(weft::find_pagerank(weighted_graph_of(serial, weights, true)).value, found.value);
}

TEST(pagerank, weights_may_have_all_sizes) {
    for (bool const directed : {false, true}) {
        auto const serial = random_graph(40, 200, 9);
        std::mt19937_64 next(9);
        std::vector<double> weights(serial.edges.size());
        for (double& weight : weights)
            weight = std::ldexp(1 + static_cast<double>(next() % 8), static_cast<int>(next() % 1990) - 995);
        // Around one vertex all are small.
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (serial.edges[i].source == 3 || serial.edges[i].target == 3) weights[i] = 1e-300;
        auto const graph = weighted_graph_of(serial, weights, directed);
        auto const found = weft::find_pagerank(graph);
        auto const expected = serial_weighted(serial, weights, directed, 0.85);
        for (std::size_t i = 0; i < found.value.size(); ++i)
            EXPECT_NEAR(found.value[i],
                expected[static_cast<std::size_t>(graph.vertices().first_local()) + i], 1e-13);
    }
}

TEST(pagerank, weights_that_are_no_probabilities_are_errors_on_all_ranks) {
    serial_graph const serial{3, {{0, 1}, {1, 2}}};
    for (double const bad : {-1.0, HUGE_VAL, std::nan("")})
        EXPECT_THROW((void)weft::find_pagerank(weighted_graph_of(serial, {1, bad}, true)), weft::usage_error);
}

TEST(pagerank, nasty_graphs) {
    for (auto const& [name, serial] : nasty_graphs())
        for (bool const directed : {false, true})
            expect_values(serial, directed, 0.85, sharing::round_robin, name);
}

TEST(pagerank, random_graphs) {
    for (std::uint64_t seed = 0; seed < 12; ++seed)
        expect_values(
            random_graph(1 + static_cast<std::int64_t>(seed) * 9, static_cast<std::int64_t>(seed) * 20, seed),
            seed % 2 == 0, 0.1 * static_cast<double>(seed % 9), sharing::random,
            "seed " + std::to_string(seed));
}

TEST(pagerank, is_the_same_to_the_last_bit_on_one_rank) {
    auto const serial = random_graph(300, 900, 7);
    for (bool const directed : {false, true})
        for (double const tolerance : {1e-14, 1e-4}) {
            auto const shared =
                weft::find_pagerank(graph_of(serial, directed, sharing::random), {.tolerance = tolerance});
            // Every rank alone.
            weft::edge_list whole;
            whole.vertices = serial.vertices;
            whole.edges = serial.edges;
            auto const alone =
                weft::find_pagerank(weft::arc_graph(world().split(rank()), whole,
                                        directed ? weft::arc_direction::backward : weft::arc_direction::both),
                    {.tolerance = tolerance});
            EXPECT_EQ(shared.iterations, alone.iterations);
            weft::uniform_distribution const owners(serial.vertices, size());
            for (std::size_t i = 0; i < shared.value.size(); ++i)
                EXPECT_EQ(std::bit_cast<std::uint64_t>(shared.value[i]),
                    std::bit_cast<std::uint64_t>(
                        alone.value[static_cast<std::size_t>(owners.begin(rank())) + i]));
        }
}

TEST(pagerank, is_within_a_coarse_tolerance) {
    constexpr double damping = 0.85;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        // Vertices without incoming, outgoing or any arcs are among them.
        auto const serial = random_graph(200, 50 + static_cast<std::int64_t>(seed) * 100, seed);
        bool const directed = seed % 2 == 0;
        auto const expected = serial_pagerank(serial, directed, damping);
        auto const graph = graph_of(serial, directed, sharing::random);
        for (double const tolerance : {1e-2, 1e-4, 2e-5}) {
            auto const found = weft::find_pagerank(graph, {.damping = damping, .tolerance = tolerance});
            EXPECT_TRUE(found.converged);
            double distance = 0;
            double all = 0;
            for (std::size_t i = 0; i < found.value.size(); ++i) {
                distance += std::abs(
                    found.value[i] - expected[static_cast<std::size_t>(graph.vertices().first_local()) + i]);
                all += found.value[i];
            }
            EXPECT_LT(weft::all_reduce(world(), distance, std::plus<>()), tolerance * damping / (1 - damping))
                << "seed " << seed;
            EXPECT_NEAR(weft::all_reduce(world(), all, std::plus<>()), 1, tolerance / 100) << "seed " << seed;
        }
    }
}

TEST(pagerank, goes_on_at_the_vertices_that_are_asked_for) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        auto const n = 3 + static_cast<std::int64_t>(seed) * 9;
        auto const serial = random_graph(n, static_cast<std::int64_t>(seed) * 15, seed);
        bool const directed = seed % 2 == 0;
        std::vector<weft::ranked_vertex> const wanted{{n - 1, 1e300}, {1, 0}, {0, 2e300}, {n - 1, 1e300}};
        std::vector<double> jumps(static_cast<std::size_t>(n));
        jumps.front() = jumps.back() = 0.5;
        auto const expected = serial_pagerank(serial, directed, 0.85, jumps);
        auto const graph = graph_of(serial, directed, sharing::random);
        auto const found = weft::find_pagerank(graph, {.personalization = wanted});
        EXPECT_TRUE(found.converged);
        for (std::size_t i = 0; i < found.value.size(); ++i)
            EXPECT_NEAR(
                found.value[i], expected[static_cast<std::size_t>(graph.vertices().first_local()) + i], 1e-13)
                << "seed " << seed;

        weft::edge_list whole;
        whole.vertices = n;
        whole.edges = serial.edges;
        auto const alone =
            weft::find_pagerank(weft::arc_graph(world().split(rank()), whole,
                                    directed ? weft::arc_direction::backward : weft::arc_direction::both),
                {.personalization = wanted});
        for (std::size_t i = 0; i < found.value.size(); ++i)
            EXPECT_EQ(
                found.value[i], alone.value[static_cast<std::size_t>(graph.vertices().first_local()) + i]);
    }
}

TEST(pagerank, ends_at_the_last_iteration_allowed) {
    auto const graph = graph_of(random_graph(50, 90, 7), true, sharing::random);
    auto const found = weft::find_pagerank(graph, {.tolerance = 0, .max_iterations = 3});
    EXPECT_EQ(found.iterations, 3);
    EXPECT_FALSE(found.converged);
}

TEST(pagerank, mistakes_are_errors) {
    auto const graph = graph_of(random_graph(5, 9, 7), true, sharing::random);
    for (double const damping : {-0.1, 1.0, std::nan("")})
        EXPECT_THROW((void)weft::find_pagerank(graph, {.damping = damping}), weft::usage_error);
    EXPECT_THROW((void)weft::find_pagerank(graph, {.tolerance = -1}), weft::usage_error);
    for (weft::ranked_vertex const bad :
        {weft::ranked_vertex{5, 1}, {-1, 1}, {0, -1}, {0, 0}, {0, HUGE_VAL}, {0, std::nan("")}})
        EXPECT_THROW((void)weft::find_pagerank(graph, {.personalization = {bad}}), weft::usage_error);
    weft::arc_graph const forward(world(), share_of({3, {}}, sharing::random), weft::arc_direction::forward);
    EXPECT_THROW((void)weft::find_pagerank(forward), weft::usage_error);
}
