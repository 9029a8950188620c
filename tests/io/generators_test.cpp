#include <io/rmat.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/generators.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using weft::edge_list;
using weft::erdos_renyi_options;
using weft::generate_erdos_renyi;
using weft::generate_geometric;
using weft::generate_lattice;
using weft::generate_rmat;
using weft::geometric_options;
using weft::lattice_options;
using weft::rmat_options;
using namespace weft_test;

namespace {

/// Depends on the edges of all ranks and on their order, not on where one rank ends.
std::uint64_t fingerprint(edge_list const& graph) {
    std::uint64_t result = 0;
    for (weighted_edge const& each : edges_of_all(graph))
        result = (result ^ static_cast<std::uint64_t>(each.source) * 0x9e3779b97f4a7c15u ^
                     static_cast<std::uint64_t>(each.target)) *
                 0xff51afd7ed558ccdu;
    return result;
}

/// The share of the graph that was there at each call of `progress`, and what had been promised.
struct progress_log {
    std::vector<std::int64_t> done;
    std::int64_t total = -1;

    auto writer() {
        return [this](std::int64_t now, std::int64_t of) {
            done.push_back(now);
            total = of;
        };
    }
};

template <class Call>
std::string usage_complaint(Call&& call) {
    try {
        call();
    } catch (weft::usage_error const& caught) { return caught.what(); }
    return "nothing was thrown";
}

TEST(rmat, is_the_same_graph_at_any_number_of_ranks) {
    edge_list const graph = generate_rmat(world(), {.scale = 10});
    EXPECT_EQ(graph.vertices, 1024);
    EXPECT_EQ(graph.rows, 1024);
    EXPECT_FALSE(graph.directed);
    EXPECT_EQ(graph.format, "R-MAT scale 10 edge factor 16 seed 1");
    EXPECT_EQ(weft::sum(world(), std::ssize(graph.edges)), 16384);
    EXPECT_EQ(fingerprint(graph), 4156790771856243704u);
    EXPECT_EQ(
        fingerprint(generate_rmat(world(), {.scale = 7, .edge_factor = 5, .seed = 9, .scramble = false})),
        4233537982552618635u);
}

TEST(rmat, a_rank_has_its_contiguous_share) {
    edge_list const graph = generate_rmat(world(), {.scale = 8, .edge_factor = 3});
    std::int64_t const edges = 3 << 8;
    std::int64_t const begin = edges * rank() / size();
    ASSERT_EQ(std::ssize(graph.edges), edges * (rank() + 1) / size() - begin);
    weft::io::rmat_edges const by_number({.scale = 8, .edge_factor = 3});
    for (std::int64_t i = 0; i < std::ssize(graph.edges); ++i)
        EXPECT_EQ(graph.edges[static_cast<std::size_t>(i)], by_number(begin + i));
}

TEST(rmat, progress_is_of_the_share) {
    progress_log log;
    rmat_options options{.scale = 16, .edge_factor = 40};
    options.progress = log.writer();
    auto const share = std::ssize(generate_rmat(world(), options).edges);
    EXPECT_EQ(log.total, share);
    EXPECT_EQ(std::ssize(log.done), (share - 1) / (1 << 20) + 1);
    for (std::size_t i = 0; i < log.done.size(); ++i)
        EXPECT_EQ(log.done[i], std::int64_t{1 << 20} * std::int64_t(i));
}

TEST(rmat, quadrants_have_their_probabilities) {
    constexpr std::int64_t edges = 200'000;
    double const expected[] = {0.57, 0.19, 0.19, 0.05};
    weft::io::rmat_edges const by_number({.scale = 13, .scramble = false});
    for (int level = 0; level < 13; ++level) {
        std::int64_t counts[4] = {};
        for (std::int64_t i = 0; i < edges; ++i) {
            weft::edge const each = by_number(i);
            ++counts[2 * (each.source >> level & 1) + (each.target >> level & 1)];
        }
        for (int quadrant = 0; quadrant < 4; ++quadrant) {
            double const mean = edges * expected[quadrant];
            EXPECT_NEAR(static_cast<double>(counts[quadrant]), mean, 5 * std::sqrt(mean))
                << level << " " << quadrant;
        }
    }
}

TEST(rmat, extremes_of_probability) {
    weft::io::rmat_edges const corner({.scale = 9, .a = 0, .b = 0, .c = 0, .scramble = false});
    weft::io::rmat_edges const row({.scale = 9, .a = 0, .b = 1, .c = 0, .scramble = false});
    for (std::int64_t i = 0; i < 1000; ++i) {
        EXPECT_EQ(corner(i), (weft::edge{511, 511}));
        EXPECT_EQ(row(i), (weft::edge{0, 511}));
    }
}

TEST(rmat, scrambling_is_a_permutation) {
    for (int scale = 0; scale <= 14; ++scale) {
        weft::io::scrambler const scramble(scale, 7);
        std::vector<bool> seen(std::size_t{1} << scale);
        for (std::uint64_t vertex = 0; vertex < seen.size(); ++vertex) {
            std::uint64_t const image = scramble(vertex);
            ASSERT_LT(image, seen.size());
            EXPECT_FALSE(seen[image]);
            seen[image] = true;
        }
    }
}

TEST(rmat, small_and_large_scales) {
    edge_list const one = generate_rmat(world(), {.scale = 0, .edge_factor = 5});
    EXPECT_EQ(one.vertices, 1);
    for (weft::edge const& each : one.edges) EXPECT_EQ(each, (weft::edge{0, 0}));
    EXPECT_EQ(edges_of_all(generate_rmat(world(), {.scale = 5, .edge_factor = 0})).size(), 0u);
    weft::io::rmat_edges const large({.scale = 62, .a = 0.25, .b = 0.25, .c = 0.25});
    std::int64_t highest = 0;
    for (std::int64_t i = 0; i < 100; ++i) highest = std::max(highest, large(i).source);
    EXPECT_GE(highest, std::int64_t{1} << 61);
    EXPECT_LT(highest, std::int64_t{1} << 62);
}

TEST(rmat, options_out_of_range) {
    auto const complaint = [](rmat_options const& options) {
        return usage_complaint([&] { (void)generate_rmat(world(), options); });
    };
    EXPECT_EQ(complaint({.scale = 63}), "generate_rmat: expected a scale in 0..62, found 63");
    EXPECT_EQ(
        complaint({.scale = 60}), "generate_rmat: expected an edge factor in 0..4 at scale 60, found 16");
    EXPECT_EQ(complaint({.a = -0.5}), "generate_rmat: expected probabilities in 0..1, found -0.500000");
    EXPECT_EQ(
        complaint({.a = 0.9}), "generate_rmat: expected probabilities a + b + c up to 1, found 1.280000");
}

TEST(erdos_renyi, is_the_same_graph_at_any_number_of_ranks) {
    edge_list const graph = generate_erdos_renyi(world(), {.vertices = 10'000, .average_degree = 12});
    EXPECT_EQ(graph.vertices, 10'000);
    EXPECT_FALSE(graph.directed);
    EXPECT_EQ(fingerprint(graph), 7866933303006207300u);
    EXPECT_EQ(fingerprint(generate_erdos_renyi(world(), {.vertices = 300, .probability = 0.3, .seed = 5})),
        18123586743512297039u);
}

TEST(erdos_renyi, is_simple_and_has_the_degree_asked_for) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        edge_list const graph =
            generate_erdos_renyi(world(), {.vertices = 20'000, .average_degree = 16, .seed = seed});
        std::vector<weighted_edge> edges = edges_of_all(graph);
        EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
        EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
        for (weighted_edge const& each : edges) {
            ASSERT_LT(each.target, each.source);
            ASSERT_GE(each.target, 0);
            ASSERT_LT(each.source, 20'000);
        }
        double const mean = 16 * 20'000 / 2;
        EXPECT_NEAR(static_cast<double>(edges.size()), mean, 5 * std::sqrt(mean));
    }
}

TEST(erdos_renyi, every_pair_is_as_likely) {
    // 45 pairs, each in a graph with probability 0.4.
    std::vector<int> counts(45);
    constexpr int graphs = 4000;
    for (int seed = 0; seed < graphs; ++seed)
        for (weft::edge const& each : generate_erdos_renyi(
                 world(), {.vertices = 10, .probability = 0.4, .seed = static_cast<std::uint64_t>(seed)})
                                          .edges)
            ++counts[static_cast<std::size_t>(each.source * (each.source - 1) / 2 + each.target)];
    for (int const count : counts) {
        auto const all = static_cast<double>(weft::sum(world(), count));
        EXPECT_NEAR(all, 0.4 * graphs, 5 * std::sqrt(0.24 * graphs));
    }
}

TEST(erdos_renyi, extremes) {
    auto const edges = [](erdos_renyi_options const& options) {
        return std::ssize(edges_of_all(generate_erdos_renyi(world(), options)));
    };
    EXPECT_EQ(edges({.vertices = 0, .average_degree = 0}), 0);
    EXPECT_EQ(edges({.vertices = 1, .average_degree = 0}), 0);
    EXPECT_EQ(edges({.vertices = 1, .probability = 1}), 0);
    EXPECT_EQ(edges({.vertices = 100, .probability = 0}), 0);
    EXPECT_EQ(edges({.vertices = 100, .probability = 1}), 4950);
    EXPECT_EQ(edges({.vertices = 100, .probability = 5e-324}), 0);
    EXPECT_EQ(edges({.vertices = std::int64_t{1} << 31, .probability = 1e-19}), 0);
    EXPECT_EQ(edges({.vertices = 300, .average_degree = 299}), 300 * 299 / 2);
}

TEST(erdos_renyi, progress_is_of_the_share) {
    progress_log log;
    erdos_renyi_options options{.vertices = 10'000, .average_degree = 16};
    options.progress = log.writer();
    (void)generate_erdos_renyi(world(), options);
    EXPECT_EQ(std::ssize(log.done), std::max(log.total, std::int64_t{0}));
    for (std::size_t i = 0; i < log.done.size(); ++i) EXPECT_EQ(log.done[i], std::int64_t(i));
    EXPECT_EQ(weft::sum(world(), std::ssize(log.done)), 10); // chunks of 8,192 of about 80,000 edges
}

TEST(erdos_renyi, options_out_of_range) {
    auto const complaint = [](erdos_renyi_options const& options) {
        return usage_complaint([&] { (void)generate_erdos_renyi(world(), options); });
    };
    EXPECT_EQ(complaint({.vertices = -1}),
        "generate_erdos_renyi: expected a number of vertices in 0..2147483648, found -1");
    EXPECT_EQ(complaint({.vertices = 10, .average_degree = 10}),
        "generate_erdos_renyi: expected an average degree from 0 to the number of other vertices, found "
        "10.000000");
    EXPECT_EQ(complaint({.vertices = 10, .probability = 1.5}),
        "generate_erdos_renyi: expected a probability in 0..1, found 1.500000");
    EXPECT_EQ(complaint({.vertices = 10, .probability = std::nan("")}),
        "generate_erdos_renyi: expected a probability in 0..1, found nan");
}

/// What the edges of all ranks are where they are sorted, begin below where they end, and have no duplicates.
void expect_sorted_and_simple(std::vector<weighted_edge> const& edges, std::int64_t vertices) {
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
    for (weighted_edge const& each : edges) {
        ASSERT_GE(each.source, 0);
        ASSERT_LT(each.source, each.target);
        ASSERT_LT(each.target, vertices);
    }
}

TEST(geometric, is_the_same_graph_at_any_number_of_ranks) {
    edge_list const plane = generate_geometric(world(), {.vertices = 10'000, .average_degree = 12});
    EXPECT_EQ(plane.vertices, 10'000);
    EXPECT_EQ(plane.columns, 10'000);
    EXPECT_FALSE(plane.directed);
    EXPECT_EQ(fingerprint(plane), 5822226192817356732u);
    geometric_options const cube{.vertices = 3000, .dimensions = 3, .radius = 0.125, .seed = 5};
    EXPECT_EQ(fingerprint(generate_geometric(world(), cube)), 11691964837113070422u);
}

TEST(geometric, has_the_degree_asked_for) {
    for (int const dimensions : {2, 3})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            auto const edges = edges_of_all(generate_geometric(
                world(), {.vertices = 40'000, .dimensions = dimensions, .average_degree = 9, .seed = seed}));
            expect_sorted_and_simple(edges, 40'000);
            double const mean = 9 * 40'000 / 2;
            EXPECT_LT(static_cast<double>(edges.size()), mean + 5 * std::sqrt(mean)); // none at a border
            EXPECT_GT(static_cast<double>(edges.size()), (dimensions == 2 ? 0.95 : 0.8) * mean);
        }
}

/// A radius so large that all points are in one cell, and one a little smaller than the side of cells, find
/// the same edges only if no pair of cells is left out: by the law of distances in a square and in a cube.
TEST(geometric, finds_all_pairs_that_are_near) {
    constexpr double vertices = 3000;
    for (double const radius : {0.51, 0.249, 0.13, 0.06}) {
        // The share of pairs of points of a unit square that are within r <= 1: pi r^2 - 8/3 r^3 + r^4 / 2.
        double const share =
            3.14159265358979 * radius * radius - 8.0 / 3 * std::pow(radius, 3) + std::pow(radius, 4) / 2;
        double const expected = share * vertices * (vertices - 1) / 2;
        auto const edges = edges_of_all(generate_geometric(world(), {.vertices = 3000, .radius = radius}));
        EXPECT_NEAR(static_cast<double>(edges.size()) / expected, 1, 0.05) << radius;
        // Of a unit cube: 4/3 pi r^3 - 3/2 pi r^4 + 8/5 r^5 - r^6 / 6.
        double const share_of_cube = 4.18879020478639 * std::pow(radius, 3) -
                                     4.71238898038469 * std::pow(radius, 4) + 1.6 * std::pow(radius, 5) -
                                     std::pow(radius, 6) / 6;
        double const in_cube = share_of_cube * vertices * (vertices - 1) / 2;
        auto const found =
            edges_of_all(generate_geometric(world(), {.vertices = 3000, .dimensions = 3, .radius = radius}));
        EXPECT_NEAR(static_cast<double>(found.size()) / in_cube, 1, radius > 0.1 ? 0.06 : 0.12) << radius;
    }
}

TEST(geometric, extremes) {
    auto const edges = [](geometric_options const& options) {
        return std::ssize(edges_of_all(generate_geometric(world(), options)));
    };
    EXPECT_EQ(edges({.vertices = 0, .average_degree = 0}), 0);
    EXPECT_EQ(edges({.vertices = 1, .average_degree = 0}), 0);
    EXPECT_EQ(edges({.vertices = 1000, .radius = 0}), 0);
    EXPECT_EQ(edges({.vertices = 2, .radius = 1, .seed = 3}), 1);
    EXPECT_LE(edges({.vertices = 100, .dimensions = 3, .radius = 1}), 4950);
}

TEST(geometric, progress_is_of_the_share) {
    progress_log log;
    geometric_options options{.vertices = 300'000, .average_degree = 1};
    options.progress = log.writer();
    (void)generate_geometric(world(), options);
    EXPECT_EQ(log.total,
        (std::int64_t{1} << 18) * (rank() + 1) / size() - (std::int64_t{1} << 18) * rank() / size());
    EXPECT_EQ(std::ssize(log.done), (log.total - 1) / (1 << 14) + 1);
}

TEST(geometric, options_out_of_range) {
    auto const complaint = [](geometric_options const& options) {
        return usage_complaint([&] { (void)generate_geometric(world(), options); });
    };
    EXPECT_EQ(complaint({.vertices = -1}),
        "generate_geometric: expected a number of vertices in 0..2147483648, found -1");
    EXPECT_EQ(complaint({.dimensions = 4}), "generate_geometric: expected 2 or 3 dimensions, found 4");
    EXPECT_EQ(complaint({.vertices = 10, .average_degree = 10}),
        "generate_geometric: expected an average degree from 0 to the number of other vertices, found "
        "10.000000");
    EXPECT_EQ(complaint({.radius = 1.5}), "generate_geometric: expected a radius in 0..1, found 1.500000");
}

TEST(lattice, has_the_edges_of_a_grid) {
    // 0 1 2
    // 3 4 5
    std::vector<weft::edge> expected{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}};
    edge_list const graph = generate_lattice(world(), {.extents = {3, 2}});
    EXPECT_EQ(graph.vertices, 6);
    EXPECT_EQ(graph.format, "grid of 3 x 2 vertices");
    auto const found = edges_of_all(graph);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_EQ((weft::edge{found[i].source, found[i].target}), expected[i]);
}

TEST(lattice, a_torus_closes_axes_of_three_and_more) {
    auto const edges = [](std::vector<std::int64_t> extents) {
        edge_list const graph = generate_lattice(world(), {.extents = std::move(extents), .periodic = true});
        std::vector<weighted_edge> all = edges_of_all(graph);
        for (weighted_edge& each : all)
            if (each.source > each.target) std::swap(each.source, each.target);
        std::sort(all.begin(), all.end());
        expect_sorted_and_simple(all, graph.vertices);
        return std::ssize(all);
    };
    EXPECT_EQ(edges({3}), 3);
    EXPECT_EQ(edges({2}), 1);
    EXPECT_EQ(edges({1}), 0);
    EXPECT_EQ(edges({5, 4}), 40);
    EXPECT_EQ(edges({5, 2, 4}), 40 + 20 + 40);
}

TEST(lattice, counts_of_edges) {
    auto const edges = [](std::vector<std::int64_t> extents) {
        return std::ssize(edges_of_all(generate_lattice(world(), {.extents = std::move(extents)})));
    };
    EXPECT_EQ(edges({100, 50}), 99 * 50 + 100 * 49);
    EXPECT_EQ(edges({10, 7, 5}), 9 * 35 + 6 * 50 + 4 * 70);
    EXPECT_EQ(edges({2, 2, 2, 2, 2, 2, 2, 2}), 8 * 128);
}

TEST(lattice, options_out_of_range) {
    auto const complaint = [](lattice_options const& options) {
        return usage_complaint([&] { (void)generate_lattice(world(), options); });
    };
    EXPECT_EQ(complaint({.extents = {}}), "generate_lattice: expected 1 to 8 extents, found 0");
    EXPECT_EQ(complaint({.extents = {4, 0}}), "generate_lattice: expected extents of at least 1, found 0");
    EXPECT_EQ(complaint({.extents = {std::int64_t{1} << 30, std::int64_t{1} << 30}}),
        "generate_lattice: expected fewer than 2^60 vertices, found 1073741824 x 1073741824");
}

} // namespace
