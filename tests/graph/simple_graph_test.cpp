#include <weft/graph/simple_graph.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>

using namespace weft_test;

namespace {

/// The edges that all ranks store, on every rank.
std::set<std::pair<std::int64_t, std::int64_t>> gather_edges(weft::simple_graph const& graph) {
    weft::outbox<weft::edge> out(world());
    for (std::int64_t local = 0; local < graph.local_count(); ++local)
        for (weft::global_id const other : graph.stored_neighbors(local))
            for (int to = 0; to < size(); ++to) out[to].push_back({graph.first_vertex() + local, other});
    std::set<std::pair<std::int64_t, std::int64_t>> all;
    for (auto const& [source, edges] : weft::exchange(std::move(out)))
        for (auto const& [u, v] : edges)
            EXPECT_TRUE(all.emplace(std::min(u, v), std::max(u, v)).second)
                << "stored twice: " << u << " " << v;
    return all;
}

std::vector<std::string> all_original_ids(weft::simple_graph const& graph) {
    std::vector<weft::global_id> every(static_cast<std::size_t>(graph.vertex_count()));
    std::iota(every.begin(), every.end(), weft::global_id{0});
    return graph.original_ids(every);
}

} // namespace

TEST(simple_graph, stores_every_distinct_edge_once) {
    auto graphs = nasty_graphs();
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        graphs["random " + std::to_string(seed)] =
            random_graph(1 + static_cast<std::int64_t>(seed) * 7, static_cast<std::int64_t>(seed) * 20, seed);
    for (auto const& [name, serial] : graphs)
        for (sharing const how : {sharing::round_robin, sharing::all_on_last, sharing::random}) {
            weft::simple_graph const graph(world(), share_of(serial, how));
            auto const expected = serial.distinct_edges();
            EXPECT_EQ(gather_edges(graph), expected) << name;
            EXPECT_EQ(graph.vertex_count(), serial.vertices) << name;
            EXPECT_EQ(graph.edge_count(), static_cast<std::int64_t>(expected.size())) << name;
            EXPECT_EQ(graph.loop_count(), std::ranges::count_if(serial.edges, [](auto const& e) {
                return e.source == e.target;
            })) << name;
        }
}

TEST(simple_graph, spreads_the_edges_of_a_hub) {
    auto const star = nasty_graphs().at("star around the last");
    weft::simple_graph const graph(world(), share_of(star, sharing::round_robin));
    auto const mine = static_cast<std::int64_t>(graph.stored_others().size());
    EXPECT_LE(mine, 299 / 2 + 299 / size() / 2 + 2)
        << "the owner of the hub keeps about half, the others the rest";
}

TEST(simple_graph, declared_vertices_keep_their_ids) {
    weft::edge_list list;
    list.vertices = 9;
    list.first_id = 1;
    weft::simple_graph const graph(world(), list);
    EXPECT_EQ(
        all_original_ids(graph), (std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8", "9"}));
}

TEST(simple_graph, number_labels_are_sorted_as_numbers) {
    // Every rank has the same edges: labels meet from all sides, duplicates disappear.
    weft::edge_list list;
    list.naming = weft::vertex_naming::numbers;
    list.edges = {{100, 9}, {-5, 9}, {INT64_MAX, INT64_MIN}, {9, 9}};
    weft::simple_graph const graph(world(), list);
    EXPECT_EQ(all_original_ids(graph),
        (std::vector<std::string>{std::to_string(INT64_MIN), "-5", "9", "100", std::to_string(INT64_MAX)}));
    EXPECT_EQ(gather_edges(graph), (std::set<std::pair<std::int64_t, std::int64_t>>{{0, 4}, {1, 2}, {2, 3}}));
    EXPECT_EQ(graph.loop_count(), size());
}

TEST(simple_graph, text_labels_are_sorted_as_text) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::text;
    // The dictionaries of the ranks differ in order and content.
    list.names =
        rank() % 2 == 0 ? std::vector<std::string>{"b", "a", "10"} : std::vector<std::string>{"9", "b"};
    list.edges = {{0, 1}};
    weft::simple_graph const graph(world(), list);
    auto const expected = size() == 1 ? std::vector<std::string>{"10", "a", "b"}
                                      : std::vector<std::string>{"10", "9", "a", "b"};
    EXPECT_EQ(all_original_ids(graph), expected);
}

TEST(simple_graph, random_labels_at_any_sharing) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        serial_graph const serial = random_graph(60, 90, seed);
        std::set<std::int64_t> occurring;
        for (auto const& [u, v] : serial.edges) occurring.insert({u, v});
        auto const label = [&](std::int64_t v) { return v * 1'000'003 - 30'000'000; };

        weft::edge_list list = share_of(serial, sharing::random, seed);
        list.naming = weft::vertex_naming::numbers;
        list.vertices = 0;
        for (auto& each : list.edges) each = {label(each.source), label(each.target)};
        weft::simple_graph const graph(world(), list);

        std::vector<std::string> expected;
        for (std::int64_t const v : occurring) expected.push_back(std::to_string(label(v)));
        EXPECT_EQ(all_original_ids(graph), expected);
        EXPECT_EQ(graph.edge_count(), static_cast<std::int64_t>(serial.distinct_edges().size()));
    }
}

TEST(simple_graph, an_endpoint_that_is_no_vertex_is_an_error_on_all_ranks) {
    for (std::int64_t const bad : {std::int64_t{-1}, std::int64_t{5}}) {
        weft::edge_list list;
        list.vertices = 5;
        if (rank() == size() - 1) list.edges = {{0, bad}};
        EXPECT_THROW(weft::simple_graph(world(), list), weft::usage_error);
    }
}
