#include <weft/graph/clustering.hpp>

#include "serial_graph.hpp"

using namespace weft_test;

namespace {

/// By the definition, over all pairs of neighbours.
void expect_clustering(
    serial_graph const& serial, weft::arc_direction direction, sharing how, std::string const& name) {
    std::vector<std::set<std::int64_t>> targets(static_cast<std::size_t>(serial.vertices));
    auto neighbors = targets;
    for (auto const& [u, v] : serial.edges) {
        if (u == v) continue;
        targets[static_cast<std::size_t>(u)].insert(v);
        if (direction == weft::arc_direction::both) targets[static_cast<std::size_t>(v)].insert(u);
        neighbors[static_cast<std::size_t>(u)].insert(v);
        neighbors[static_cast<std::size_t>(v)].insert(u);
    }
    weft::arc_graph const graph(world(), share_of(serial, how), direction);
    auto const found = weft::find_clustering(graph);
    ASSERT_EQ(std::ssize(found.links), graph.local_count());
    double total = 0;
    std::int64_t corners = 0;
    std::int64_t wedges = 0;
    for (std::int64_t v = 0; v < serial.vertices; ++v) {
        auto const& around = neighbors[static_cast<std::size_t>(v)];
        std::int64_t links = 0;
        for (std::int64_t const a : around)
            for (std::int64_t const b : around) {
                links += targets[static_cast<std::size_t>(a)].contains(b);
                corners += neighbors[static_cast<std::size_t>(a)].contains(b);
            }
        auto const pairs = std::ssize(around) * (std::ssize(around) - 1);
        wedges += pairs / 2;
        double const coefficient = pairs > 0 ? static_cast<double>(links) / static_cast<double>(pairs) : 0;
        total += coefficient;
        std::int64_t const local = v - graph.vertices().first_local();
        if (local < 0 || local >= graph.local_count()) continue;
        EXPECT_EQ(found.links[static_cast<std::size_t>(local)], links) << name << ", vertex " << v;
        EXPECT_EQ(found.coefficient[static_cast<std::size_t>(local)], coefficient) << name;
    }
    EXPECT_EQ(found.triangles, corners / 6) << name;
    EXPECT_EQ(found.wedges, wedges) << name;
    if (serial.vertices > 0) {
        EXPECT_NEAR(found.mean, total / static_cast<double>(serial.vertices), 1e-12) << name;
    }
    if (wedges > 0) {
        EXPECT_NEAR(found.transitivity, static_cast<double>(corners) / 2 / static_cast<double>(wedges), 1e-12)
            << name;
    }
}

} // namespace

TEST(clustering, nasty_graphs) {
    for (auto const& [name, serial] : nasty_graphs())
        for (auto const direction : {weft::arc_direction::both, weft::arc_direction::forward})
            expect_clustering(serial, direction, sharing::round_robin, name);
}

TEST(clustering, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const vertices = static_cast<std::int64_t>(3 + seed * 7 % 60);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 12), seed);
        for (auto const direction :
            {weft::arc_direction::both, weft::arc_direction::forward, weft::arc_direction::backward})
            expect_clustering(serial, direction, sharing::random, "seed " + std::to_string(seed));
    }
}

TEST(clustering, of_a_fan_whose_lists_differ_much_in_length) {
    serial_graph fan{401, {}};
    for (std::int64_t v = 0; v < 400; ++v) {
        fan.edges.push_back({400, v});
        if (v > 0) fan.edges.push_back({v - 1, v});
        if (v > 200) fan.edges.push_back({v, 200});
    }
    for (auto const direction : {weft::arc_direction::both, weft::arc_direction::forward})
        expect_clustering(fan, direction, sharing::random, "fan");
}
