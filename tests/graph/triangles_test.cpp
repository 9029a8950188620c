#include <weft/graph/triangles.hpp>

#include "serial_graph.hpp"

#include <weft/collective/arrays.hpp>
#include <weft/core/error.hpp>

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

TEST(triangles, each_is_visited_once) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        auto const vertices = static_cast<std::int64_t>(3 + seed * 7 % 60);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 8), seed);
        weft::simple_graph const graph(world(), share_of(serial, sharing::random));
        std::vector<std::int64_t> seen(static_cast<std::size_t>(vertices * vertices * vertices));
        std::int64_t const found = weft::for_each_triangle(graph, [&](auto const& of) {
            ++seen[static_cast<std::size_t>((of[0] * vertices + of[1]) * vertices + of[2])];
        });
        weft::all_reduce(world(), std::span(seen), std::plus<>());
        auto const edges = serial.distinct_edges();
        std::int64_t expected = 0;
        for (std::int64_t u = 0; u < vertices; ++u)
            for (std::int64_t v = 0; v < vertices; ++v)
                for (std::int64_t w = 0; w < vertices; ++w) {
                    bool const is_one = u < v && v < w && edges.contains({u, v}) && edges.contains({u, w}) &&
                                        edges.contains({v, w});
                    expected += is_one;
                    ASSERT_EQ(seen[static_cast<std::size_t>((u * vertices + v) * vertices + w)], is_one)
                        << u << ' ' << v << ' ' << w << ", seed " << seed;
                }
        EXPECT_EQ(found, expected);
    }
}

TEST(triangles, an_error_of_a_visitor_is_one_on_all_ranks) {
    serial_graph clique{20, {}};
    for (std::int64_t v = 0; v < 20; ++v)
        for (std::int64_t w = 0; w < v; ++w) clique.edges.push_back({v, w});
    weft::simple_graph const graph(world(), share_of(clique, sharing::random));
    std::array<weft::global_id, 3> const last{17, 18, 19};
    EXPECT_THROW(weft::for_each_triangle(graph,
                     [&](auto const& of) {
                         if (of == last) throw weft::usage_error("not this one");
                     }),
        weft::usage_error);
    EXPECT_THROW(weft::for_each_triangle(graph, nullptr), weft::usage_error);
}

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
