#include <weft/graph/largest_component.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/graph.hpp>

#include <string>
#include <tuple>

using namespace weft_test;

namespace {

/// The smallest vertex of the component of each vertex, by going over the edges again and again.
std::vector<std::int64_t> labels_of(serial_graph const& serial) {
    std::vector<std::int64_t> label(static_cast<std::size_t>(serial.vertices));
    std::iota(label.begin(), label.end(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto const& [u, v] : serial.edges) {
            auto& a = label[static_cast<std::size_t>(u)];
            auto& b = label[static_cast<std::size_t>(v)];
            changed = changed || a != b;
            a = b = std::min(a, b);
        }
    }
    return label;
}

std::int64_t largest_of(std::vector<std::int64_t> const& labels) {
    std::map<std::int64_t, int> sizes;
    for (std::int64_t const label : labels) ++sizes[label];
    std::int64_t largest = -1;
    for (auto const& [label, size] : sizes)
        if (largest < 0 || size > sizes[largest]) largest = label;
    return largest;
}

/// A weight that says which edge it is.
double weight_of(weft::edge const& each) noexcept {
    return 1000.0 * static_cast<double>(each.source) + static_cast<double>(each.target);
}

weft::edge_list weighted_share(serial_graph const& serial) {
    weft::edge_list mine = share_of(serial, sharing::random);
    for (weft::edge const& each : mine.edges) mine.weights.push_back(weight_of(each));
    mine.directed = mine.weighted = true;
    return mine;
}

/// By name, with the weights.
std::vector<std::tuple<std::string, std::string, double>> named_edges(weft::edge_list const& list) {
    auto const name = [&](std::int64_t end) {
        return list.naming == weft::vertex_naming::text ? list.names.at(static_cast<std::size_t>(end))
                                                        : std::to_string(end);
    };
    std::vector<std::tuple<std::string, std::string, double>> all;
    for (std::size_t i = 0; i < list.edges.size(); ++i)
        all.emplace_back(name(list.edges[i].source), name(list.edges[i].target), list.weights.at(i));
    return all;
}

} // namespace

TEST(largest_component, of_a_graph_that_is_built_is_that_of_its_edges) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        auto const n = static_cast<std::int64_t>(1 + seed * 5);
        weft::edge_list given =
            weighted_share(random_graph(n, n * static_cast<std::int64_t>(seed % 4) / 2, seed));
        given.first_id = 1;
        for (auto const naming :
            {weft::vertex_naming::declared, weft::vertex_naming::numbers, weft::vertex_naming::text}) {
            given.naming = naming;
            if (naming != weft::vertex_naming::declared)
                given.vertices = given.rows = given.columns = given.first_id = 0;
            if (naming == weft::vertex_naming::text)
                for (std::int64_t vertex = 0; vertex < n; ++vertex)
                    given.names.push_back("v" + std::to_string(vertex));
            weft::graph graph(world(), given);
            auto const kept = graph.largest_component(weft::find_components(graph.simple()));
            auto const expected = weft::keep_largest_component(world(), given);
            EXPECT_EQ(named_edges(kept), named_edges(expected)) << "seed " << seed;
            EXPECT_EQ(kept.naming, expected.naming);
            EXPECT_EQ(kept.names.size(), expected.names.size());
            EXPECT_TRUE(kept.directed && kept.weighted && kept.vertices == 0 && kept.first_id == 0);
        }
    }
}

TEST(largest_component, labels_of_another_graph_are_an_error_on_all_ranks) {
    weft::graph graph(world(), weighted_share({5, {{0, 1}, {1, 2}}}));
    weft::component_labels found = weft::find_components(graph.simple());
    if (rank() + 1 == size()) found.label.push_back(0);
    EXPECT_THROW((void)graph.largest_component(found), weft::usage_error);
}

TEST(largest_component, keeps_its_edges_in_place) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        auto const n = static_cast<std::int64_t>(1 + seed * 5);
        auto const serial = random_graph(n, n * static_cast<std::int64_t>(seed % 4) / 2, seed);
        auto const labels = labels_of(serial);
        std::int64_t const largest = largest_of(labels);
        weft::simple_graph const graph(world(), share_of(serial, sharing::random));
        EXPECT_EQ(weft::find_components(graph).largest_label, largest) << "seed " << seed;

        weft::edge_list given = weighted_share(serial);
        given.first_id = 1;
        std::vector<weft::edge> expected;
        for (weft::edge const& each : given.edges)
            if (labels[static_cast<std::size_t>(each.source)] == largest)
                expected.push_back({each.source + 1, each.target + 1});
        auto const kept = weft::keep_largest_component(world(), given);
        EXPECT_EQ(kept.edges, expected) << "seed " << seed;
        ASSERT_EQ(kept.weights.size(), kept.edges.size());
        for (std::size_t i = 0; i < kept.edges.size(); ++i)
            EXPECT_EQ(kept.weights[i], weight_of({kept.edges[i].source - 1, kept.edges[i].target - 1}));
        EXPECT_TRUE(kept.directed && kept.weighted && kept.naming == weft::vertex_naming::numbers);
    }
}

TEST(largest_component, keeps_names) {
    weft::edge_list mine; // each rank has a path of three of its own, and one of all ranks is longer
    mine.naming = weft::vertex_naming::text;
    std::string const own = std::to_string(rank());
    mine.names = {"own " + own, "and " + own, "all", "of " + own, "so " + own, "far " + own};
    mine.edges = {{0, 1}, {2, 3}, {3, 4}, {4, 5}};
    auto const kept = weft::keep_largest_component(world(), mine);
    EXPECT_EQ(kept.names, (std::vector<std::string>{"all", "of " + own, "so " + own, "far " + own}));
    EXPECT_EQ(kept.edges, (std::vector<weft::edge>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(largest_component, of_nothing_is_nothing) {
    EXPECT_TRUE(weft::keep_largest_component(world(), share_of({0, {}}, sharing::random)).edges.empty());
    weft::simple_graph const graph(world(), share_of({0, {}}, sharing::random));
    EXPECT_EQ(weft::find_components(graph).largest_label, -1);
}

TEST(largest_component, missing_weights_are_an_error_on_all_ranks) {
    weft::edge_list mine = share_of({3, {{0, 1}, {1, 2}}}, sharing::all_on_last);
    if (rank() + 1 == size()) mine.weights = {1};
    EXPECT_THROW((void)weft::keep_largest_component(world(), mine), weft::usage_error);
}
