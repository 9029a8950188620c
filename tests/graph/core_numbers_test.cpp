#include <weft/graph/core_numbers.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>

using namespace weft_test;

namespace {

/// By the definition: what is left when all of fewer neighbours are taken out again and again.
std::vector<std::int64_t> serial_cores(serial_graph const& serial) {
    auto const edges = serial.distinct_edges();
    std::vector<std::int64_t> core(static_cast<std::size_t>(serial.vertices), 0);
    for (std::int64_t k = 1; k <= serial.vertices; ++k) {
        std::vector<bool> in(core.size(), true);
        for (bool changed = true; changed;) {
            changed = false;
            std::vector<std::int64_t> degree(core.size());
            for (auto const& [u, v] : edges)
                if (in[static_cast<std::size_t>(u)] && in[static_cast<std::size_t>(v)]) {
                    ++degree[static_cast<std::size_t>(u)];
                    ++degree[static_cast<std::size_t>(v)];
                }
            for (std::size_t i = 0; i < core.size(); ++i)
                if (in[i] && degree[i] < k) {
                    in[i] = false;
                    changed = true;
                }
        }
        if (std::ranges::none_of(in, [](bool each) { return each; })) break;
        for (std::size_t i = 0; i < core.size(); ++i)
            if (in[i]) core[i] = k;
    }
    return core;
}

void expect_cores(serial_graph const& serial, sharing how, std::string const& name) {
    weft::arc_graph const graph(world(), share_of(serial, how), weft::arc_direction::both);
    auto const found = weft::find_core_numbers(graph);
    auto const expected = serial_cores(serial);
    std::map<std::int64_t, std::int64_t> histogram;
    for (std::int64_t const each : expected) ++histogram[each];
    EXPECT_EQ(found.histogram, histogram) << name;
    EXPECT_EQ(found.largest, histogram.empty() ? 0 : histogram.rbegin()->first) << name;
    ASSERT_EQ(std::ssize(found.core), graph.local_count());
    auto const first = static_cast<std::size_t>(graph.vertices().first_local());
    for (std::size_t i = 0; i < found.core.size(); ++i)
        EXPECT_EQ(found.core[i], expected[first + i]) << name << ", vertex " << first + i;
}

} // namespace

TEST(core_numbers, nasty_graphs) {
    for (auto const& [name, serial] : nasty_graphs())
        for (sharing const how : {sharing::round_robin, sharing::all_on_last}) {
            if (serial.vertices > 300 && how != sharing::round_robin) continue;
            expect_cores(serial, how, name);
        }
}

TEST(core_numbers, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 7 % 50);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 9), seed);
        expect_cores(serial, sharing::random, "seed " + std::to_string(seed));
    }
}

TEST(core_numbers, of_a_clique_with_a_tail) {
    serial_graph tail{60, {}};
    for (std::int64_t v = 0; v < 20; ++v)
        for (std::int64_t w = 0; w < v; ++w) tail.edges.push_back({v * 3, w * 3});
    for (std::int64_t v = 1; v < 60; ++v) tail.edges.push_back({v, v - 1});
    expect_cores(tail, sharing::random, "clique with a tail");
}

TEST(core_numbers, refuses_a_graph_of_one_direction) {
    weft::arc_graph const graph(
        world(), share_of(random_graph(9, 20, 1), sharing::random), weft::arc_direction::forward);
    EXPECT_THROW((void)weft::find_core_numbers(graph), weft::usage_error);
}
