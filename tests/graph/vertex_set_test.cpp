#include <weft/graph/vertex_set.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>

using namespace weft_test;

namespace {

/// Every vertex is found by its original id, and by that alone.
void expect_found(weft::vertex_set const& vertices, std::vector<std::string> const& unknown) {
    std::vector<weft::global_id> every(static_cast<std::size_t>(vertices.owners().total()));
    std::iota(every.begin(), every.end(), weft::global_id{0});
    auto const ids = vertices.original_ids(every);
    for (std::size_t v = 0; v < ids.size(); ++v)
        EXPECT_EQ(vertices.find(ids[v]), static_cast<weft::global_id>(v)) << ids[v];
    for (std::int64_t local = 0; local < vertices.local_count(); ++local)
        EXPECT_EQ(vertices.original_id(local), ids[static_cast<std::size_t>(vertices.first_local() + local)]);
    for (std::string const& id : unknown) EXPECT_EQ(vertices.find(id), -1) << id;
}

} // namespace

TEST(vertex_set, finds_declared_vertices) {
    weft::edge_list list;
    list.vertices = 23;
    list.first_id = 1;
    expect_found(weft::vertex_set(world(), list), {"0", "24", "-1", "x", "", "1x", "99999999999999999999",
                                                      std::to_string(INT64_MIN), std::to_string(INT64_MAX)});
}

TEST(vertex_set, finds_numbers) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::numbers;
    list.edges = {{100, 9}, {-5, 9}, {INT64_MAX, INT64_MIN}, {rank() + 1000, 9}};
    expect_found(weft::vertex_set(world(), list), {"0", "999", "a", " 9", "9.0"});
}

TEST(vertex_set, finds_text) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::text;
    list.names = {"b", "a", "10", "rank " + std::to_string(rank())};
    list.edges = {{0, 1}, {2, 3}};
    expect_found(weft::vertex_set(world(), list), {"", "c", "1", "rank"});
}

TEST(vertex_set, nothing_is_found_among_no_vertices) {
    for (auto const naming :
        {weft::vertex_naming::declared, weft::vertex_naming::numbers, weft::vertex_naming::text}) {
        weft::edge_list list;
        list.naming = naming;
        expect_found(weft::vertex_set(world(), list), {"0", "1", ""});
    }
}

TEST(vertex_set, replaces_endpoints_by_numbers) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::numbers;
    list.edges = {{30, 10}, {20, 30}};
    weft::vertex_set const vertices(world(), list);
    EXPECT_EQ(vertices.owners().total(), 3);
    EXPECT_EQ(list.edges, (std::vector<weft::edge>{{2, 0}, {1, 2}}));
}

TEST(vertex_set, close_labels_are_numbered_in_their_order) {
    weft::edge_list list;
    list.naming = weft::vertex_naming::numbers;
    for (std::int64_t i = 0; i < 300; ++i) list.edges.push_back({i % 2 == 0 ? -64 - rank() : 3, i % 7 * 64});
    weft::vertex_set const vertices(world(), list);
    std::vector<std::string> expected;
    for (int other = size(); other-- > 0;) expected.push_back(std::to_string(-64 - other));
    for (std::int64_t const label : {0, 3, 64, 128, 192, 256, 320, 384})
        expected.push_back(std::to_string(label));
    std::vector<weft::global_id> all(expected.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<weft::global_id>(i);
    ASSERT_EQ(vertices.owners().total(), static_cast<std::int64_t>(all.size()));
    EXPECT_EQ(vertices.original_ids(all), expected);
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        auto const target = i % 7 * 64;
        EXPECT_EQ(expected[static_cast<std::size_t>(list.edges[i].source)],
            std::to_string(i % 2 == 0 ? -64 - rank() : 3));
        EXPECT_EQ(expected[static_cast<std::size_t>(list.edges[i].target)], std::to_string(target));
    }
    EXPECT_EQ(vertices.find("3"), size() + 1);
    EXPECT_EQ(vertices.find("4"), -1);
}
