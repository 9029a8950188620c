#include <weft/graph/bfs.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>
#include <weft/observe/counters.hpp>

#include <deque>

using namespace weft_test;

namespace {

std::vector<std::int64_t> distances(serial_graph const& serial, std::int64_t source, bool directed) {
    std::multimap<std::int64_t, std::int64_t> arcs;
    for (auto const& [u, v] : serial.edges) {
        arcs.emplace(u, v);
        if (!directed) arcs.emplace(v, u);
    }
    std::vector<std::int64_t> distance(static_cast<std::size_t>(serial.vertices), -1);
    distance[static_cast<std::size_t>(source)] = 0;
    for (std::deque<std::int64_t> queue{source}; !queue.empty(); queue.pop_front()) {
        auto const [begin, end] = arcs.equal_range(queue.front());
        for (auto arc = begin; arc != end; ++arc) {
            auto& reached = distance[static_cast<std::size_t>(arc->second)];
            if (reached >= 0) continue;
            reached = distance[static_cast<std::size_t>(queue.front())] + 1;
            queue.push_back(arc->second);
        }
    }
    return distance;
}

void expect_distances(
    serial_graph const& serial, std::int64_t source, bool directed, sharing how, std::string const& name) {
    weft::arc_graph const graph(
        world(), share_of(serial, how), directed ? weft::arc_direction::forward : weft::arc_direction::both);
    auto const found = weft::find_distances(graph, source);

    auto const expected = distances(serial, source, directed);
    std::vector<std::int64_t> levels;
    std::int64_t sum = 0;
    for (std::int64_t const distance : expected) {
        if (distance < 0) continue;
        if (distance >= std::ssize(levels)) levels.resize(static_cast<std::size_t>(distance) + 1);
        ++levels[static_cast<std::size_t>(distance)];
        sum += distance;
    }
    auto const begin = expected.begin() + graph.vertices().first_local();
    EXPECT_EQ(found.distance, std::vector<std::int64_t>(begin, begin + graph.local_count())) << name;
    EXPECT_EQ(found.levels, levels) << name;
    EXPECT_EQ(found.reached, std::accumulate(levels.begin(), levels.end(), std::int64_t{0})) << name;
    EXPECT_EQ(found.eccentricity, std::ssize(levels) - 1) << name;
    EXPECT_EQ(found.sum_of_distances, sum) << name;
    EXPECT_EQ(found.widest_level, std::ranges::max_element(levels) - levels.begin()) << name;
}

} // namespace

TEST(bfs, nasty_graphs_from_the_first_and_the_last_vertex) {
    for (auto const& [name, serial] : nasty_graphs()) {
        if (serial.vertices == 0) continue;
        for (std::int64_t const source : {std::int64_t{0}, serial.vertices - 1})
            for (bool const directed : {false, true})
                expect_distances(serial, source, directed, sharing::round_robin, name);
    }
}

TEST(bfs, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 13 % 300);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 5) / 2, seed);
        expect_distances(serial, static_cast<std::int64_t>(seed * 7) % vertices, seed % 2 == 0,
            sharing::random, "seed " + std::to_string(seed));
    }
}

TEST(bfs, tells_the_owner_of_a_vertex_once) {
    // Every vertex of the first half has all of the second half as neighbours.
    serial_graph serial{60, {}};
    for (std::int64_t u = 0; u < 30; ++u)
        for (std::int64_t v = 30; v < 60; ++v) serial.edges.push_back({u, v});
    auto const bytes_sent = [](weft::arc_graph const& graph) {
        auto const before = weft::counters_of(world());
        (void)weft::find_distances(graph, 0);
        return (weft::counters_of(world()) - before).bytes;
    };
    weft::arc_graph const forward(world(), share_of(serial, sharing::random), weft::arc_direction::forward);
    EXPECT_LE(bytes_sent(forward), 4 * std::ssize(forward.ghosts()));
    // Once ranks have said which vertices they have as ghosts, a level that is pulled is a bit each.
    weft::arc_graph const both(world(), share_of(serial, sharing::random), weft::arc_direction::both);
    EXPECT_LE(bytes_sent(both), (4 + 4) * std::ssize(both.ghosts()) + 3 * 8 * world().size());
}

TEST(bfs, levels_that_are_followed_backwards) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) // most vertices are in two levels
        expect_distances(
            random_graph(3000, 30000, seed), 5, false, sharing::random, "seed " + std::to_string(seed));
    serial_graph hub{1000, {}}; // a level of nearly all, then a path of levels of one
    for (std::int64_t v = 1; v < 900; ++v) hub.edges.push_back({7, v});
    for (std::int64_t v = 899; v < 999; ++v) hub.edges.push_back({v, v + 1});
    for (std::int64_t const source : {0, 7, 999})
        expect_distances(hub, source, false, sharing::round_robin, "hub");
}

TEST(bfs, several_sources_reach_as_the_nearest_of_them_does) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        auto const serial = random_graph(200, 100 + 100 * static_cast<std::int64_t>(seed), seed);
        bool const directed = seed % 2 == 0;
        std::vector<weft::global_id> const sources{199, static_cast<std::int64_t>(seed), 40, 199};
        std::vector<std::int64_t> expected(200, -1);
        for (std::int64_t const source : sources) {
            auto const from = distances(serial, source, directed);
            for (std::size_t v = 0; v < 200; ++v)
                if (from[v] >= 0 && (expected[v] < 0 || from[v] < expected[v])) expected[v] = from[v];
        }
        weft::arc_graph const graph(world(), share_of(serial, sharing::random),
            directed ? weft::arc_direction::forward : weft::arc_direction::both);
        auto const found = weft::find_distances(graph, sources);
        auto const begin = expected.begin() + graph.vertices().first_local();
        EXPECT_EQ(found.distance, std::vector<std::int64_t>(begin, begin + graph.local_count())) << seed;
        EXPECT_EQ(found.levels[0], 3) << seed;
    }
}

TEST(bfs, no_source_reaches_nothing_and_other_sources_on_a_rank_are_an_error) {
    weft::arc_graph const graph(world(), share_of({9, {{0, 1}}}, sharing::random), weft::arc_direction::both);
    auto const found = weft::find_distances(graph, std::span<weft::global_id const>());
    EXPECT_TRUE(found.levels.empty());
    EXPECT_EQ(found.reached, 0);
    if (world().size() == 1) return;
    for (std::size_t const count : {1u, 2u, 3u}) {
        std::vector<weft::global_id> sources(count, 4);
        if (world().rank() == 0) sources.back() = 5;
        EXPECT_THROW((void)weft::find_distances(graph, sources), weft::usage_error);
        if (world().rank() == 0) sources.pop_back();
        EXPECT_THROW((void)weft::find_distances(graph, sources), weft::usage_error);
    }
}

TEST(bfs, a_source_that_is_no_vertex_is_an_error) {
    weft::arc_graph const graph(world(), share_of({3, {}}, sharing::random), weft::arc_direction::both);
    for (weft::global_id const source : {-1, 3}) {
        EXPECT_THROW((void)weft::find_distances(graph, source), weft::usage_error);
        EXPECT_THROW(
            (void)weft::find_distances(graph, std::vector<weft::global_id>{0, source}), weft::usage_error);
    }
}
