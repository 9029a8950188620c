#include <weft/graph/shortest_paths.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>
#include <weft/graph/bfs.hpp>

#include <cmath>
#include <limits>
#include <queue>

using namespace weft_test;

namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

struct weighted_serial {
    serial_graph graph;
    std::vector<double> weights; ///< one an edge
};

/// Dijkstra's algorithm, in plain doubles.
std::vector<double> dijkstra(weighted_serial const& serial, std::int64_t source, bool directed) {
    std::multimap<std::int64_t, std::pair<std::int64_t, double>> arcs;
    for (std::size_t i = 0; i < serial.weights.size(); ++i) {
        auto const& [u, v] = serial.graph.edges[i];
        arcs.emplace(u, std::pair{v, serial.weights[i]});
        if (!directed) arcs.emplace(v, std::pair{u, serial.weights[i]});
    }
    std::vector<double> distance(static_cast<std::size_t>(serial.graph.vertices), unreached);
    std::priority_queue<std::pair<double, std::int64_t>, std::vector<std::pair<double, std::int64_t>>,
        std::greater<>>
        queue;
    distance[static_cast<std::size_t>(source)] = 0;
    queue.emplace(0.0, source);
    while (!queue.empty()) {
        auto const [so_far, vertex] = queue.top();
        queue.pop();
        if (so_far != distance[static_cast<std::size_t>(vertex)]) continue;
        auto const [begin, end] = arcs.equal_range(vertex);
        for (auto arc = begin; arc != end; ++arc) {
            auto& known = distance[static_cast<std::size_t>(arc->second.first)];
            if (!(so_far + arc->second.second < known)) continue;
            known = so_far + arc->second.second;
            queue.emplace(known, arc->second.first);
        }
    }
    return distance;
}

/// This rank's share: an edge in `size()`.
weft::edge_list share_of(weighted_serial const& serial) {
    weft::edge_list mine;
    mine.vertices = serial.graph.vertices;
    mine.directed = true;
    for (std::size_t i = static_cast<std::size_t>(rank()); i < serial.weights.size();
         i += static_cast<std::size_t>(size())) {
        mine.edges.push_back(serial.graph.edges[i]);
        mine.weights.push_back(serial.weights[i]);
    }
    return mine;
}

weft::arc_graph distributed(weighted_serial const& serial, bool directed) {
    return {world(), share_of(serial), directed ? weft::arc_direction::forward : weft::arc_direction::both,
        weft::arc_weights::lightest};
}

void expect_paths(weighted_serial const& serial, std::int64_t source, bool directed, double delta,
    std::string const& name) {
    weft::arc_graph const graph = distributed(serial, directed);
    auto const found = weft::find_shortest_paths(graph, source, {.delta = delta});
    auto const expected = dijkstra(serial, source, directed);
    auto const begin = expected.begin() + graph.vertices().first_local();
    EXPECT_EQ(found.distance, std::vector<double>(begin, begin + graph.local_count())) << name;
    std::int64_t reached = 0;
    double longest = 0;
    double sum = 0;
    for (double const each : expected) {
        if (each == unreached) continue;
        ++reached;
        longest = std::max(longest, each);
        sum += each;
    }
    EXPECT_EQ(found.reached, reached) << name;
    EXPECT_EQ(found.longest, longest) << name;
    EXPECT_NEAR(found.sum_of_distances, sum, 1e-12 * sum) << name;
    if (delta > 0) { EXPECT_EQ(found.delta, delta); }
}

/// Weights that are hard on one thing or another.
std::vector<double> some_weights(std::size_t edges, int kind, std::uint64_t seed) {
    std::mt19937_64 next(seed);
    std::vector<double> weights(edges);
    for (double& weight : weights) {
        auto const random = static_cast<double>(next() >> 11) * 0x1p-53;
        weight = kind == 0   ? random
                 : kind == 1 ? std::floor(4 * random)                                 // many zeros and ties
                 : kind == 2 ? std::ldexp(random, static_cast<int>(next() % 60) - 30) // any size
                             : 0.1 * std::floor(10 * random); // on the borders of buckets, but for rounding
    }
    return weights;
}

} // namespace

TEST(shortest_paths, nasty_graphs_with_weights_of_all_kinds) {
    for (auto const& [name, serial] : nasty_graphs()) {
        if (serial.vertices == 0) continue;
        for (int kind = 0; kind < 4; ++kind) {
            weighted_serial const weighted{serial, some_weights(serial.edges.size(), kind, 5)};
            expect_paths(weighted, 0, kind % 2 == 0, 0, name + " of kind " + std::to_string(kind));
            expect_paths(weighted, serial.vertices - 1, kind % 2 == 1, kind == 3 ? 0.1 : 0.3, name);
        }
    }
}

TEST(shortest_paths, random_graphs_with_buckets_of_all_widths) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 13 % 300);
        auto serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 6), seed);
        auto weights = some_weights(serial.edges.size(), static_cast<int>(seed % 4), seed);
        weighted_serial const weighted{std::move(serial), std::move(weights)};
        for (double const delta :
            {0.0, 0.1, 1e-3, 1e-17, 5e-324, 1e300}) // one at a time, or as in Dijkstra's algorithm
            expect_paths(weighted, static_cast<std::int64_t>(seed * 7) % vertices, seed % 2 == 0, delta,
                "seed " + std::to_string(seed) + " delta " + std::to_string(delta));
    }
}

TEST(shortest_paths, without_weights_are_those_of_a_breadth_first_search) {
    auto const serial = random_graph(300, 400, 3);
    weft::arc_graph const graph(
        world(), weft_test::share_of(serial, sharing::random), weft::arc_direction::both);
    auto const found = weft::find_shortest_paths(graph, 17);
    auto const levels = weft::find_distances(graph, 17);
    for (std::size_t i = 0; i < found.distance.size(); ++i)
        EXPECT_EQ(
            found.distance[i], levels.distance[i] < 0 ? unreached : static_cast<double>(levels.distance[i]));
    EXPECT_EQ(found.reached, levels.reached);
    EXPECT_EQ(found.longest, static_cast<double>(levels.eccentricity));
    EXPECT_EQ(found.sum_of_distances, static_cast<double>(levels.sum_of_distances));
}

TEST(shortest_paths, of_duplicates_the_lightest_counts) {
    weighted_serial const serial{{3, {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 2}}}, {3, 2, 1, 5, 4}};
    auto const distances = [&](bool directed) {
        weft::arc_graph const graph = distributed(serial, directed);
        auto const found = weft::find_shortest_paths(graph, 0);
        return std::pair{found.longest, found.sum_of_distances};
    };
    EXPECT_EQ(distances(true), std::pair(6.0, 8.0));
    EXPECT_EQ(distances(false), std::pair(5.0, 6.0));
}

TEST(shortest_paths, sums_beyond_the_largest_double_are_not_reached) {
    double const huge = std::numeric_limits<double>::max();
    weighted_serial const serial{{3, {{0, 1}, {1, 2}}}, {huge, huge}};
    auto const found = weft::find_shortest_paths(distributed(serial, true), 0);
    EXPECT_EQ(found.reached, 2);
    EXPECT_EQ(found.longest, huge);
}

TEST(shortest_paths, random_weights_do_not_depend_on_the_number_of_ranks) {
    // The two directions of an edge are alike, and an arc is seen alike from both its ends.
    auto const serial = random_graph(50, 200, 11);
    auto const weights_of = [&](weft::arc_direction direction) {
        weft::arc_graph graph(world(), weft_test::share_of(serial, sharing::random), direction);
        graph.draw_weights(9);
        double weight_of_all = 0;
        for (double const weight : graph.all_weights()) {
            EXPECT_GT(weight, 0);
            EXPECT_LE(weight, 1);
            weight_of_all += weight;
        }
        std::map<std::pair<std::int64_t, std::int64_t>, double> known;
        for (std::int64_t v = 0; v < graph.local_count(); ++v)
            for (std::size_t i = 0; i < graph.neighbors(v).size(); ++i) {
                auto const place = graph.first_neighbors()[static_cast<std::size_t>(v)] + i;
                auto const neighbor = graph.neighbors(v)[i];
                auto const other =
                    neighbor < graph.local_count()
                        ? graph.vertices().first_local() + neighbor
                        : graph.ghosts()[neighbor - static_cast<std::size_t>(graph.local_count())];
                auto const self = graph.vertices().first_local() + v;
                known[direction == weft::arc_direction::backward ? std::pair(other, self)
                                                                 : std::pair(self, other)] =
                    graph.all_weights()[place];
            }
        EXPECT_TRUE(known.empty() || weight_of_all > 0);
        return known;
    };
    auto const forward = weights_of(weft::arc_direction::forward);
    auto const backward = weights_of(weft::arc_direction::backward);
    for (auto const& [arc, weight] : forward)
        if (auto const same = backward.find(arc); same != backward.end()) { EXPECT_EQ(same->second, weight); }
    auto const both = weights_of(weft::arc_direction::both);
    for (auto const& [arc, weight] : both)
        if (auto const turned = both.find({arc.second, arc.first}); turned != both.end()) {
            EXPECT_EQ(turned->second, weight);
        }
}

TEST(shortest_paths, bad_arguments_are_errors_on_all_ranks) {
    weighted_serial serial{{3, {{0, 1}, {1, 2}}}, {1, 2}};
    auto const graph = distributed(serial, true);
    for (weft::global_id const source : {-1, 3})
        EXPECT_THROW((void)weft::find_shortest_paths(graph, source), weft::usage_error);
    for (double const delta : {-1.0, unreached, std::nan("")})
        EXPECT_THROW((void)weft::find_shortest_paths(graph, 0, {.delta = delta}), weft::usage_error);
    for (double const weight : {-1.0, unreached, std::nan("")}) {
        serial.weights[1] = weight;
        EXPECT_THROW((void)weft::find_shortest_paths(distributed(serial, true), 0), weft::usage_error);
    }
}
