#include <weft/graph/communities.hpp>

#include "serial_graph.hpp"

#include <weft/core/error.hpp>

using namespace weft_test;

namespace {

struct serial_labels {
    std::vector<std::int64_t> label;
    std::int64_t iterations = 0;
    bool converged = false;
};

/// By the definition.
serial_labels propagate(serial_graph const& serial, bool directed, std::int64_t most) {
    std::set<std::pair<std::int64_t, std::int64_t>> arcs;
    for (auto const& [u, v] : serial.edges)
        if (u != v) arcs.emplace(directed ? u : std::min(u, v), directed ? v : std::max(u, v));
    serial_labels found;
    found.label.resize(static_cast<std::size_t>(serial.vertices));
    std::iota(found.label.begin(), found.label.end(), std::int64_t{0});
    while (!found.converged && found.iterations < most) {
        std::vector<std::map<std::int64_t, int>> votes(found.label.size());
        for (auto const& [u, v] : arcs) {
            ++votes[static_cast<std::size_t>(u)][found.label[static_cast<std::size_t>(v)]];
            ++votes[static_cast<std::size_t>(v)][found.label[static_cast<std::size_t>(u)]];
        }
        auto next = found.label;
        for (std::size_t i = 0; i < next.size(); ++i) {
            int best = 0;
            for (auto const& [label, count] : votes[i])
                if (count > best) {
                    best = count;
                    next[i] = label;
                }
        }
        found.converged = next == found.label;
        found.label = next;
        ++found.iterations;
    }
    return found;
}

void expect_labels(serial_graph const& serial, weft::arc_direction direction, std::int64_t most, sharing how,
    std::string const& name) {
    weft::arc_graph const graph(world(), share_of(serial, how), direction);
    auto const found = weft::find_communities(graph, {.max_iterations = most});
    auto const expected = propagate(serial, direction != weft::arc_direction::both, most);
    EXPECT_EQ(found.iterations, expected.iterations) << name;
    EXPECT_EQ(found.converged, expected.converged) << name;
    auto const first = static_cast<std::size_t>(graph.vertices().first_local());
    ASSERT_EQ(std::ssize(found.label), graph.local_count());
    for (std::size_t i = 0; i < found.label.size(); ++i)
        EXPECT_EQ(found.label[i], expected.label[first + i]) << name << ", vertex " << first + i;
    std::map<std::int64_t, std::int64_t> sizes;
    for (std::int64_t const each : expected.label) ++sizes[each];
    std::vector<std::int64_t> largest;
    for (auto const& [label, size] : sizes) largest.push_back(size);
    std::ranges::sort(largest, std::greater<>());
    largest.resize(std::min<std::size_t>(largest.size(), 10));
    EXPECT_EQ(found.communities, std::ssize(sizes)) << name;
    EXPECT_EQ(found.largest, largest) << name;
}

} // namespace

TEST(communities, nasty_graphs) {
    for (auto const& [name, serial] : nasty_graphs())
        for (std::int64_t const most : {0, 1, 2, 3, 10, 31})
            for (auto const direction : {weft::arc_direction::both, weft::arc_direction::forward})
                expect_labels(serial, direction, most, sharing::round_robin, name);
}

TEST(communities, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 7 % 60);
        auto const serial = random_graph(vertices, vertices * static_cast<std::int64_t>(seed % 6), seed);
        for (auto const direction :
            {weft::arc_direction::both, weft::arc_direction::forward, weft::arc_direction::backward})
            expect_labels(serial, direction, 10, sharing::random, "seed " + std::to_string(seed));
    }
}

TEST(communities, refuses_a_negative_number_of_iterations) {
    weft::arc_graph const graph(
        world(), share_of(random_graph(9, 20, 1), sharing::random), weft::arc_direction::both);
    EXPECT_THROW((void)weft::find_communities(graph, {.max_iterations = -1}), weft::usage_error);
}
