#include <weft/graph/betweenness.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>
#include <weft/mpi.hpp>

#include <bit>

using namespace weft_test;

namespace {

using table = std::vector<std::vector<double>>;

/// By the definition: for each pair and each third vertex, from distances and numbers of paths between all.
std::vector<double> serial_betweenness(serial_graph const& serial, bool directed) {
    auto const n = static_cast<std::size_t>(serial.vertices);
    std::vector<std::set<std::size_t>> targets(n);
    for (auto const& [u, v] : serial.edges) {
        if (u == v) continue;
        targets[static_cast<std::size_t>(u)].insert(static_cast<std::size_t>(v));
        if (!directed) targets[static_cast<std::size_t>(v)].insert(static_cast<std::size_t>(u));
    }
    constexpr double nowhere = 1e9;
    table distance(n, std::vector<double>(n, nowhere));
    table paths(n, std::vector<double>(n));
    for (std::size_t s = 0; s < n; ++s) {
        distance[s][s] = 0;
        paths[s][s] = 1;
        std::vector<std::size_t> queue{s};
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (std::size_t const to : targets[queue[i]]) {
                if (distance[s][to] == nowhere) {
                    distance[s][to] = distance[s][queue[i]] + 1;
                    queue.push_back(to);
                }
                if (distance[s][to] == distance[s][queue[i]] + 1) paths[s][to] += paths[s][queue[i]];
            }
    }
    std::vector<double> value(n);
    for (std::size_t s = 0; s < n; ++s)
        for (std::size_t t = 0; t < n; ++t)
            for (std::size_t v = 0; v < n; ++v)
                if (s != t && v != s && v != t && distance[s][t] < nowhere &&
                    distance[s][v] + distance[v][t] == distance[s][t])
                    value[v] += paths[s][v] * paths[v][t] / paths[s][t] / (directed ? 1 : 2);
    return value;
}

void expect_betweenness(serial_graph const& serial, bool directed, sharing how, std::string const& name) {
    weft::arc_graph const graph(
        world(), share_of(serial, how), directed ? weft::arc_direction::forward : weft::arc_direction::both);
    auto const found = weft::find_betweenness(graph);
    auto const normalized = weft::find_betweenness(graph, {.normalized = true});
    auto const expected = serial_betweenness(serial, directed);
    EXPECT_EQ(found.sources, serial.vertices) << name;
    ASSERT_EQ(std::ssize(found.value), graph.local_count());
    auto const n = static_cast<double>(serial.vertices);
    double const pairs = std::max((n - 1) * (n - 2), 1.0) / (directed ? 1 : 2);
    auto const first = static_cast<std::size_t>(graph.vertices().first_local());
    for (std::size_t i = 0; i < found.value.size(); ++i) {
        double const right = expected[first + i];
        EXPECT_NEAR(found.value[i], right, 1e-9 * (1 + right)) << name << ", vertex " << first + i;
        EXPECT_NEAR(normalized.value[i], right / pairs, 1e-9 * (1 + right / pairs)) << name;
    }
}

} // namespace

TEST(betweenness, nasty_graphs) {
    for (auto const& [name, serial] : nasty_graphs()) {
        if (serial.vertices > 300) continue; // the oracle takes all triples
        for (bool const directed : {false, true})
            expect_betweenness(serial, directed, sharing::round_robin, name);
    }
}

TEST(betweenness, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 7 % 50);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 5), seed);
        for (bool const directed : {false, true})
            expect_betweenness(serial, directed, sharing::random, "seed " + std::to_string(seed));
    }
}

TEST(betweenness, of_more_sources_than_a_batch_has) {
    serial_graph grid{150, {}};
    for (std::int64_t v = 0; v < 150; ++v) {
        if (v % 10 < 9) grid.edges.push_back({v, v + 1});
        if (v < 140) grid.edges.push_back({v, v + 10});
    }
    for (bool const directed : {false, true}) expect_betweenness(grid, directed, sharing::random, "grid");
}

TEST(betweenness, of_arcs_that_come_in) {
    auto const serial = random_graph(40, 120, 5);
    weft::arc_graph const graph(world(), share_of(serial, sharing::random), weft::arc_direction::backward);
    auto const found = weft::find_betweenness(graph);
    auto const expected = serial_betweenness(serial, true);
    for (std::size_t i = 0; i < found.value.size(); ++i)
        EXPECT_NEAR(
            found.value[i], expected[static_cast<std::size_t>(graph.vertices().first_local()) + i], 1e-9);
}

TEST(betweenness, of_sampled_sources_has_the_same_bits_on_one_rank) {
    auto const serial = random_graph(500, 1500, 3);
    weft::arc_graph const graph(world(), share_of(serial, sharing::random), weft::arc_direction::both);
    auto const found = weft::find_betweenness(graph, {.sources = 100, .seed = 7});
    EXPECT_EQ(found.sources, 100);
    EXPECT_EQ(found.batches, 2);
    weft::communicator const alone = weft::make_communicator(MPI_COMM_SELF);
    weft::edge_list whole;
    whole.vertices = serial.vertices;
    whole.edges = serial.edges;
    weft::arc_graph const of_one(alone, std::move(whole), weft::arc_direction::both);
    auto const expected = weft::find_betweenness(of_one, {.sources = 100, .seed = 7});
    for (std::size_t i = 0; i < found.value.size(); ++i)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(found.value[i]),
            std::bit_cast<std::uint64_t>(
                expected.value[static_cast<std::size_t>(graph.vertices().first_local()) + i]));
}

TEST(betweenness, refuses_more_paths_than_a_double_can_count) {
    serial_graph chain{3 * 1100 + 1, {}}; // of squares, each of which doubles the paths
    for (std::int64_t i = 0; i < 1100; ++i)
        for (std::int64_t const middle : {3 * i + 1, 3 * i + 2}) {
            chain.edges.push_back({3 * i, middle});
            chain.edges.push_back({middle, 3 * i + 3});
        }
    weft::arc_graph const graph(world(), share_of(chain, sharing::round_robin), weft::arc_direction::forward);
    EXPECT_THROW((void)weft::find_betweenness(graph), weft::usage_error);
}

TEST(betweenness, refuses_a_negative_number_of_sources) {
    weft::arc_graph const graph(
        world(), share_of(random_graph(9, 20, 1), sharing::random), weft::arc_direction::both);
    EXPECT_THROW((void)weft::find_betweenness(graph, {.sources = -1}), weft::usage_error);
}
