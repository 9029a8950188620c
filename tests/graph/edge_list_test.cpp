#include <weft/graph/edge_list.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>
#include <vector>

using weft::edge;
using weft::edge_list;

namespace {

TEST(edge_list, edges_order_by_source_then_target) {
    std::vector<edge> edges{{2, 0}, {-1, 5}, {1, 7}, {1, -7}};
    std::sort(edges.begin(), edges.end());
    EXPECT_EQ(edges, (std::vector<edge>{{-1, 5}, {1, -7}, {1, 7}, {2, 0}}));
}

TEST(edge_list, edges_travel_as_bytes) {
    EXPECT_TRUE(std::is_trivially_copyable_v<edge>);
    EXPECT_EQ(sizeof(edge), 16u);
}

TEST(edge_list, starts_as_a_graph_of_nothing) {
    edge_list const graph;
    EXPECT_TRUE(graph.edges.empty());
    EXPECT_EQ(graph.vertices, 0);
    EXPECT_EQ(graph.naming, weft::vertex_naming::declared);
    EXPECT_FALSE(graph.directed);
}

} // namespace
