#include <weft/graph/parents.hpp>
#include <weft/graph/tree_check.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>

#include <cmath>
#include <limits>
#include <optional>

using namespace weft_test;
using weft::global_id;
using weft::tree_faults;

namespace {

/// A ring of four, a chord in it, a tail, and an edge apart: 0-1-2-3-0, 1-3, 3-4, 5-6.
weft::arc_graph small_graph(bool weighted = false) {
    weft::edge_list list;
    list.vertices = 7;
    if (rank() == 0) list.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 3}, {3, 4}, {5, 6}};
    if (rank() == 0 && weighted) list.weights = {1, 2, 1, 5, 1, 0.5, 1};
    return {world(), std::move(list), weft::arc_direction::both,
        weighted ? weft::arc_weights::lightest : weft::arc_weights::none};
}

/// One answer for all vertices, of which each rank takes its own.
template <class Distance>
tree_faults faults_of(weft::arc_graph const& graph, std::vector<Distance> const& distance,
    std::vector<global_id> const& parent, global_id source = 0) {
    auto const first = static_cast<std::size_t>(graph.vertices().first_local());
    auto const own = static_cast<std::size_t>(graph.local_count());
    return weft::check_tree(
        graph, source, std::span(distance).subspan(first, own), std::span(parent).subspan(first, own));
}

std::vector<std::int64_t> const right_levels = {0, 1, 2, 1, 2, -1, -1};
std::vector<global_id> const right_parents = {0, 0, 1, 0, 3, -1, -1};

tree_faults faults_with(std::optional<std::pair<std::size_t, std::int64_t>> level,
    std::optional<std::pair<std::size_t, global_id>> up = {}) {
    auto levels = right_levels;
    auto parents = right_parents;
    if (level) levels[level->first] = level->second;
    if (up) parents[up->first] = up->second;
    return faults_of(small_graph(), levels, parents);
}

} // namespace

TEST(tree_check, a_right_tree_of_several) {
    EXPECT_EQ(faults_with({}), tree_faults{});
    EXPECT_EQ(faults_with({}, std::pair(2u, 3)), tree_faults{}); // the other parent
    EXPECT_TRUE(tree_faults{}.none());
}

TEST(tree_check, each_rule_refuses_a_wrong_tree) {
    EXPECT_EQ(faults_with({}, std::pair(0u, 1)), tree_faults{.source = 1});
    EXPECT_EQ(faults_with({}, std::pair(2u, -1)), tree_faults{.halves = 1});
    EXPECT_EQ(faults_with({}, std::pair(6u, 5)), (tree_faults{.halves = 1, .steps = 1}));
    EXPECT_EQ(faults_with({}, std::pair(4u, 1)), tree_faults{.strange = 1});
    EXPECT_EQ(faults_with({}, std::pair(4u, 99)), tree_faults{.strange = 1});
    EXPECT_EQ(faults_with({}, std::pair(3u, 2)), tree_faults{.steps = 1});
    EXPECT_EQ(faults_with(std::pair(4u, 3)), (tree_faults{.steps = 1, .shorter = 1}));
    EXPECT_EQ(faults_with(std::pair(4u, -1), std::pair(4u, -1)), tree_faults{.left = 1});
    EXPECT_FALSE(tree_faults{.left = 1}.none());
}

TEST(tree_check, a_cycle_breaks_a_step) {
    // 1, 2 and 3 in a circle, as far from the source as they should be.
    auto const found = faults_of(small_graph(), right_levels, {0, 3, 1, 2, 3, -1, -1});
    EXPECT_EQ(found, tree_faults{.steps = 2});
}

TEST(tree_check, lengths_of_weights) {
    auto const graph = small_graph(true);
    double const far = std::numeric_limits<double>::infinity();
    std::vector<double> const lengths = {0, 1, 3, 2, 2.5, far, far};
    EXPECT_EQ(faults_of(graph, lengths, {0, 0, 1, 1, 3, -1, -1}), tree_faults{});
    EXPECT_EQ(faults_of(graph, lengths, {0, 0, 1, 0, 3, -1, -1}), tree_faults{.steps = 1}); // 0-3 is longer
    // A tree, but not of shortest paths: 3 by its edge of 5, and what follows it.
    EXPECT_EQ(faults_of<double>(graph, {0, 1, 3, 5, 5.5, far, far}, {0, 0, 1, 0, 3, -1, -1}),
        tree_faults{.shorter = 2});
    EXPECT_EQ(faults_of<double>(graph, {0, 1, 3, std::nan(""), 2.5, far, far}, {0, 0, 1, 1, 3, -1, -1}),
        (tree_faults{.halves = 1, .steps = 2, .left = 4}));
}

TEST(tree_check, what_searches_find_is_right) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        auto const serial = random_graph(60, 90, seed);
        weft::edge_list list;
        list.vertices = serial.vertices;
        if (rank() == 0) list.edges = serial.edges;
        weft::arc_graph graph(world(), std::move(list), weft::arc_direction::both);
        auto const levels = weft::find_distances(graph, 7);
        EXPECT_TRUE(weft::check_tree(graph, 7, levels.distance, weft::find_parents(graph, 7, levels)).none());
        graph.draw_weights(seed);
        auto const lengths = weft::find_shortest_paths(graph, 7);
        EXPECT_TRUE(
            weft::check_tree(graph, 7, lengths.distance, weft::find_parents(graph, 7, lengths)).none());
        auto const others = weft::find_shortest_paths(graph, 8);
        if (lengths.reached > 1) {
            EXPECT_FALSE(
                weft::check_tree(graph, 7, others.distance, weft::find_parents(graph, 8, others)).none());
        }
    }
}

TEST(tree_check, arguments_that_do_not_fit) {
    weft::arc_graph const graph = small_graph();
    EXPECT_THROW((void)faults_of(graph, right_levels, right_parents, 7), weft::usage_error);
    std::vector<std::int64_t> const few;
    std::vector<global_id> const parents(static_cast<std::size_t>(graph.local_count()) + 1);
    EXPECT_THROW((void)weft::check_tree(graph, 0, std::span(few), std::span(parents)), weft::usage_error);
    weft::edge_list one;
    one.vertices = 1;
    weft::arc_graph const forward(world(), std::move(one), weft::arc_direction::forward);
    EXPECT_THROW((void)faults_of<std::int64_t>(forward, {0}, {0}), weft::usage_error);
}
