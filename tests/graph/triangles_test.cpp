#include <weft/graph/triangles.hpp>

#include "serial_graph.hpp"

using namespace weft_test;

namespace {

/// By looking at all triples of neighbours: slow and obvious.
std::int64_t triangles_of(serial_graph const& serial) {
    auto const edges = serial.distinct_edges();
    std::int64_t found = 0;
    for (auto const& [u, v] : edges)
        for (std::int64_t w = v + 1; w < serial.vertices; ++w)
            found += edges.contains({u, w}) && edges.contains({v, w});
    return found;
}

void expect_triangles(
    serial_graph const& serial, sharing how, std::int64_t expected, std::string const& name) {
    weft::simple_graph const graph(world(), share_of(serial, how));
    EXPECT_EQ(weft::count_triangles(graph), expected) << name;
}

} // namespace

TEST(triangles, nasty_graphs) {
    auto graphs = nasty_graphs();
    auto& fan = graphs["fan: a hub and a path around it"] = {301, {}};
    for (std::int64_t v = 0; v < 300; ++v) {
        fan.edges.push_back({300, v});
        if (v > 0) fan.edges.push_back({v - 1, v});
    }
    auto& tail = graphs["clique with a long tail"] = {400, {}};
    for (std::int64_t v = 0; v < 40; ++v)
        for (std::int64_t w = 0; w < v; ++w) tail.edges.push_back({v * 10, w * 10});
    for (std::int64_t v = 0; v < 400; ++v) tail.edges.push_back({390, v});
    for (auto const& [name, serial] : graphs)
        for (sharing const how : {sharing::round_robin, sharing::all_on_last})
            expect_triangles(serial, how, triangles_of(serial), name);
}

TEST(triangles, of_a_clique_all_triples) {
    serial_graph clique{150, {}};
    for (std::int64_t v = 0; v < 150; ++v)
        for (std::int64_t w = 0; w < v; ++w) clique.edges.push_back({v, w});
    expect_triangles(clique, sharing::random, 150 * 149 * 148 / 6, "clique");
}

TEST(triangles, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        auto const vertices = static_cast<std::int64_t>(3 + seed * 7 % 90);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 8), seed);
        expect_triangles(serial, sharing::random, triangles_of(serial), "seed " + std::to_string(seed));
    }
}
