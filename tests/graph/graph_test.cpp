#include <weft/graph/graph.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/components.hpp>
#include <weft/graph/pagerank.hpp>
#include <weft/graph/shortest_paths.hpp>

using namespace weft_test;
using weft::arc_direction;
using weft::arc_weights;

namespace {

/// Names that are no numbers 0..n-1, a weight for each edge, each edge on one rank.
weft::edge_list named_share(std::uint64_t seed, bool directed) {
    auto const serial = random_graph(50, 120, seed);
    weft::edge_list mine;
    mine.naming = weft::vertex_naming::numbers;
    mine.directed = directed;
    for (auto i = static_cast<std::size_t>(rank()); i < serial.edges.size();
         i += static_cast<std::size_t>(size())) {
        mine.edges.push_back({serial.edges[i].source * 10 - 7, serial.edges[i].target * 10 - 7});
        mine.weights.push_back(static_cast<double>(i % 7));
    }
    return mine;
}

} // namespace

TEST(graph, answers_as_a_form_that_is_built_for_one_question) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        bool const directed = seed % 2 == 0;
        weft::graph kept(world(), named_share(seed, directed));
        EXPECT_EQ(kept.directed(), directed);
        EXPECT_TRUE(kept.weighted());
        for (int turn = 0; turn < 2; ++turn) {
            weft::simple_graph const simple(world(), named_share(seed, directed));
            EXPECT_EQ(weft::find_components(kept.simple()).label, weft::find_components(simple).label);
            arc_direction const back = directed ? arc_direction::backward : arc_direction::both;
            weft::arc_graph const incoming(world(), named_share(seed, directed), back, arc_weights::sum);
            EXPECT_EQ(weft::find_pagerank(kept.arcs(arc_direction::backward, arc_weights::sum)).value,
                weft::find_pagerank(incoming).value);
            arc_direction const ahead = directed ? arc_direction::forward : arc_direction::both;
            weft::arc_graph const outgoing(
                world(), named_share(seed, directed), ahead, arc_weights::lightest);
            EXPECT_EQ(weft::find_shortest_paths(kept.arcs(arc_direction::forward, arc_weights::lightest), 3)
                          .distance,
                weft::find_shortest_paths(outgoing, 3).distance);
            ASSERT_EQ(kept.vertices().local_count(), outgoing.local_count());
            for (std::int64_t v = 0; v < outgoing.local_count(); ++v)
                EXPECT_EQ(kept.vertices().original_id(v), outgoing.vertices().original_id(v));
        }
    }
}

TEST(graph, builds_a_form_once) {
    weft::graph kept(world(), named_share(3, false));
    auto const& arcs = kept.arcs(arc_direction::forward);
    auto const& simple = kept.simple();
    auto const& weighted = kept.arcs(arc_direction::both, arc_weights::lightest);
    EXPECT_EQ(arcs.direction(), arc_direction::both);
    EXPECT_EQ(&kept.arcs(arc_direction::backward), &arcs);
    EXPECT_EQ(&kept.simple(), &simple);
    EXPECT_EQ(&kept.arcs(arc_direction::both, arc_weights::lightest), &weighted);
    EXPECT_FALSE(arcs.weighted());
    EXPECT_TRUE(weighted.weighted());
}

TEST(graph, a_bipartite_graph_keeps_its_vertices) {
    weft::edge_list list;
    list.rows = 2;
    list.columns = 3;
    list.vertices = 5;
    list.bipartite = true;
    list.first_id = 1;
    if (rank() == 0) list.edges = {{0, 2}, {0, 3}, {1, 4}};
    weft::graph kept(world(), std::move(list));
    EXPECT_FALSE(kept.weighted());
    EXPECT_EQ(weft::find_components(kept.simple()).components, 2);
    for (std::int64_t v = 0; v < kept.vertices().local_count(); ++v)
        EXPECT_EQ(kept.vertices().original_id(v), std::to_string(kept.vertices().first_local() + v + 1));
}

TEST(graph, fewer_weights_than_edges) {
    weft::edge_list list = named_share(1, true);
    if (rank() == size() - 1) list.weights.pop_back();
    EXPECT_THROW((weft::graph(world(), std::move(list))), weft::usage_error);
}
