#include <weft/graph/rounds.hpp>

#include "serial_graph.hpp"

#include <weft/graph/betweenness.hpp>
#include <weft/graph/bfs.hpp>
#include <weft/graph/communities.hpp>
#include <weft/graph/core_numbers.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/shortest_paths.hpp>
#include <weft/graph/strong_components.hpp>

#include <functional>
#include <utility>

using namespace weft_test;

namespace {

using told_rounds = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The rounds that the last rank hears of during a question; no other rank listens.
told_rounds told_by(std::function<void()> const& question) {
    told_rounds told;
    weft::round_listener const listens = [&](std::int64_t done, std::int64_t all) {
        told.emplace_back(done, all);
    };
    weft::round_watch const watch(
        world(), world().rank() == world().size() - 1 ? listens : weft::round_listener());
    question();
    return told;
}

void expect_counted(told_rounds const& told, std::int64_t rounds, std::int64_t all = 0) {
    if (world().rank() != world().size() - 1) rounds = 0;
    ASSERT_EQ(std::ssize(told), rounds);
    for (std::int64_t i = 0; i < rounds; ++i)
        EXPECT_EQ(told[static_cast<std::size_t>(i)], std::pair(i + 1, all));
}

/// A ring of vertices, whose answers take several rounds.
serial_graph ring(std::int64_t vertices) {
    serial_graph made;
    made.vertices = vertices;
    for (std::int64_t v = 0; v < vertices; ++v) made.edges.push_back({v, (v + 1) % vertices});
    return made;
}

} // namespace

TEST(rounds, each_question_tells_its_own) {
    auto const edges = share_of(ring(200), sharing::round_robin);
    weft::arc_graph const both(world(), edges, weft::arc_direction::both);
    weft::arc_graph const forward(world(), edges, weft::arc_direction::forward);

    weft::pagerank_values ranks;
    auto told = told_by([&] { ranks = weft::find_pagerank(both, {.max_iterations = 7}); });
    expect_counted(told, ranks.iterations);
    weft::community_labels communities;
    told = told_by([&] { communities = weft::find_communities(both, {.max_iterations = 3}); });
    expect_counted(told, communities.iterations);
    weft::core_numbers cores;
    told = told_by([&] { cores = weft::find_core_numbers(both); });
    expect_counted(told, cores.exchanges);
    weft::bfs_distances distances;
    told = told_by([&] { distances = weft::find_distances(both, 0); });
    expect_counted(told, std::ssize(distances.levels));
    weft::path_lengths lengths;
    told = told_by([&] { lengths = weft::find_shortest_paths(both, 0); });
    expect_counted(told, lengths.buckets);
    weft::betweenness_values between;
    told = told_by([&] { between = weft::find_betweenness(both); });
    EXPECT_GT(between.batches, 1);
    expect_counted(told, between.batches, between.batches);
    weft::strong_component_labels strong;
    told = told_by([&] { strong = weft::find_strong_components(forward); });
    expect_counted(told, strong.colourings);
}

TEST(rounds, the_latest_listener_is_told_and_nobody_after_its_end) {
    weft::arc_graph const graph(world(), share_of(ring(20), sharing::round_robin), weft::arc_direction::both);
    std::int64_t outer = 0;
    std::int64_t inner = 0;
    {
        weft::round_watch const first(world(), [&](std::int64_t, std::int64_t) { ++outer; });
        {
            weft::round_watch const second(world(), [&](std::int64_t, std::int64_t) { ++inner; });
            (void)weft::find_distances(graph, 0);
        }
        EXPECT_GT(inner, 0);
        EXPECT_EQ(outer, 0);
        (void)weft::find_distances(graph, 0);
    }
    std::int64_t const told = outer;
    EXPECT_EQ(told, inner);
    (void)weft::find_distances(graph, 0);
    EXPECT_EQ(outer, told);
}
