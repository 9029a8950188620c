#include <weft/graph/parents.hpp>

#include "serial_graph.hpp"

#include <weft/collective/gather.hpp>
#include <weft/core/error.hpp>

#include <cmath>
#include <map>

using namespace weft_test;
using weft::global_id;

namespace {

/// The arcs of all ranks with the least weight of duplicates, both ways where directions are forgotten.
std::map<std::pair<global_id, global_id>, double> arcs_of(
    serial_graph const& serial, std::vector<double> const& weights, bool directed) {
    std::map<std::pair<global_id, global_id>, double> arcs;
    auto const add = [&](global_id from, global_id to, double weight) {
        auto const [place, is_new] = arcs.emplace(std::pair(from, to), weight);
        if (!is_new) place->second = std::min(place->second, weight);
    };
    for (std::size_t i = 0; i < serial.edges.size(); ++i) {
        add(serial.edges[i].source, serial.edges[i].target, weights[i]);
        if (!directed) add(serial.edges[i].target, serial.edges[i].source, weights[i]);
    }
    return arcs;
}

weft::edge_list own_share(serial_graph const& serial, std::vector<double> const& weights) {
    weft::edge_list mine;
    mine.vertices = serial.vertices;
    mine.directed = true;
    for (auto i = static_cast<std::size_t>(rank()); i < weights.size();
         i += static_cast<std::size_t>(size())) {
        mine.edges.push_back(serial.edges[i]);
        mine.weights.push_back(weights[i]);
    }
    return mine;
}

template <class T>
std::vector<T> of_all_ranks(std::vector<T> const& mine) {
    std::vector<T> all;
    for (std::vector<T> const& part : weft::all_gather(world(), mine))
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Parents by distances and arcs, in rounds as the header says.
template <class Distance>
std::vector<global_id> expected_parents(std::map<std::pair<global_id, global_id>, double> const& arcs,
    std::vector<Distance> const& distance, global_id source, bool weighted) {
    std::vector<global_id> parent(distance.size(), -1);
    parent[static_cast<std::size_t>(source)] = source;
    auto const is_tight = [&](auto const& arc, bool level) {
        auto const from = static_cast<std::size_t>(arc.first.first);
        auto const to = static_cast<std::size_t>(arc.first.second);
        Distance const step = weighted ? static_cast<Distance>(arc.second) : Distance{1};
        bool const reached = distance[from] >= 0 && std::isfinite(static_cast<double>(distance[from]));
        return reached && arc.first.second != source && distance[from] + step == distance[to] &&
               (distance[from] == distance[to]) == level;
    };
    for (auto const& arc : arcs) // ascending by the vertex that it leaves
        if (auto& known = parent[static_cast<std::size_t>(arc.first.second)];
            is_tight(arc, false) && known < 0)
            known = arc.first.first;
    for (bool changed = true; changed;) {
        changed = false;
        auto const before = parent;
        for (auto const& arc : arcs)
            if (auto& known = parent[static_cast<std::size_t>(arc.first.second)];
                is_tight(arc, true) && known < 0 && before[static_cast<std::size_t>(arc.first.first)] >= 0) {
                known = arc.first.first;
                changed = true;
            }
    }
    return parent;
}

/// Follows the path to each vertex and adds up its arcs.
void expect_paths(weft::arc_graph const& graph, std::vector<global_id> const& parents, global_id source,
    std::map<std::pair<global_id, global_id>, double> const& arcs, std::vector<double> const& distance) {
    for (global_id target = 0; target < graph.vertex_count(); ++target) {
        auto const path = weft::find_path(graph.vertices(), parents, target);
        double const far = distance[static_cast<std::size_t>(target)];
        ASSERT_EQ(path.empty(), std::isinf(far)) << target;
        if (path.empty()) continue;
        EXPECT_EQ(path.front(), source);
        EXPECT_EQ(path.back(), target);
        double length = 0;
        for (std::size_t i = 1; i < path.size(); ++i) length += arcs.at({path[i - 1], path[i]});
        EXPECT_EQ(length, far) << target;
    }
}

} // namespace

TEST(parents, random_graphs_with_weights_among_them_zeros) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 7 % 40);
        auto const serial = random_graph(vertices, vertices * 2, seed);
        std::vector<double> weights;
        for (std::size_t i = 0; i < serial.edges.size(); ++i) // half of them 0 where the seed is even
            weights.push_back(static_cast<double>((i * 7 + seed) % (seed % 2 == 0 ? 2 : 5)));
        auto const source = static_cast<std::int64_t>(seed * 3) % vertices;
        for (bool const directed : {false, true}) {
            weft::arc_graph const graph(world(), own_share(serial, weights),
                directed ? weft::arc_direction::forward : weft::arc_direction::both,
                weft::arc_weights::lightest);
            auto const arcs = arcs_of(serial, weights, directed);
            auto const lengths = weft::find_shortest_paths(graph, source);
            auto const distance = of_all_ranks(lengths.distance);
            auto const parents = weft::find_parents(graph, source, lengths);
            EXPECT_EQ(of_all_ranks(parents), expected_parents(arcs, distance, source, true)) << seed;
            if (seed < 6) expect_paths(graph, parents, source, arcs, distance);

            auto const levels = weft::find_distances(graph, source);
            EXPECT_EQ(of_all_ranks(weft::find_parents(graph, source, levels)),
                expected_parents(arcs, of_all_ranks(levels.distance), source, false))
                << seed;
        }
    }
}

TEST(parents, of_several_sources) {
    serial_graph serial{10, {}};
    for (std::int64_t v = 0; v + 1 < 9; ++v) serial.edges.push_back({v, v + 1}); // a path, and vertex 9
    weft::arc_graph const graph(
        world(), own_share(serial, std::vector<double>(8, 1.0)), weft::arc_direction::both);
    std::vector<global_id> const sources{8, 2};
    auto const found = weft::find_distances(graph, sources);
    EXPECT_EQ(of_all_ranks(weft::find_parents(graph, sources, found)),
        (std::vector<global_id>{1, 2, 2, 2, 3, 4, 7, 8, 8, -1}));
    EXPECT_THROW((void)weft::find_parents(graph, 2, found), weft::usage_error);
}

TEST(parents, a_long_path_without_length_has_no_cycle) {
    serial_graph serial{40, {}};
    std::vector<double> weights;
    for (std::int64_t v = 0; v + 1 < 40; ++v) {
        serial.edges.push_back({v, v + 1});
        weights.push_back(0);
    }
    weft::arc_graph const graph(
        world(), own_share(serial, weights), weft::arc_direction::both, weft::arc_weights::lightest);
    auto const parents = weft::find_parents(graph, 20, weft::find_shortest_paths(graph, 20));
    auto const path = weft::find_path(graph.vertices(), parents, 39);
    ASSERT_EQ(path.size(), 20u);
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_EQ(path[i], 20 + static_cast<std::int64_t>(i));
    EXPECT_EQ(weft::find_path(graph.vertices(), parents, 20), std::vector<global_id>{20});
}

TEST(parents, distances_of_another_source_or_of_another_graph) {
    serial_graph const ring{6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}};
    weft::arc_graph const graph(
        world(), own_share(ring, std::vector<double>(6, 1.0)), weft::arc_direction::forward);
    auto found = weft::find_distances(graph, 2);
    EXPECT_THROW((void)weft::find_parents(graph, 3, found), weft::usage_error);
    EXPECT_THROW((void)weft::find_parents(graph, 6, found), weft::usage_error);
    found.distance.push_back(0);
    EXPECT_THROW((void)weft::find_parents(graph, 2, found), weft::usage_error);
}

TEST(parents, a_circle_is_no_tree) {
    serial_graph const ring{6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}};
    weft::arc_graph const graph(
        world(), own_share(ring, std::vector<double>(6, 1.0)), weft::arc_direction::forward);
    std::vector<global_id> parents;
    for (std::int64_t v = 0; v < graph.local_count(); ++v)
        parents.push_back((graph.vertices().first_local() + v + 1) % 6);
    EXPECT_THROW((void)weft::find_path(graph.vertices(), parents, 0), weft::usage_error);
    EXPECT_THROW((void)weft::find_path(graph.vertices(), parents, -1), weft::usage_error);
    std::vector<global_id> const none(parents.size(), -1);
    EXPECT_TRUE(weft::find_path(graph.vertices(), none, 0).empty());
}
