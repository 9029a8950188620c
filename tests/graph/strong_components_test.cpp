#include <weft/graph/strong_components.hpp>

#include "serial_graph.hpp"

using namespace weft_test;

namespace {

using adjacency_lists = std::vector<std::vector<std::size_t>>;

std::vector<bool> reached_from(adjacency_lists const& next, std::size_t start) {
    std::vector<bool> reached(next.size(), false);
    reached[start] = true;
    for (std::vector<std::size_t> stack{start}; !stack.empty();) {
        std::size_t const vertex = stack.back();
        stack.pop_back();
        for (std::size_t const other : next[vertex])
            if (!reached[other]) {
                reached[other] = true;
                stack.push_back(other);
            }
    }
    return reached;
}

/// A search each way from the smallest vertex of every component: slow and obvious.
std::vector<std::int64_t> strong_labels(serial_graph const& serial) {
    auto const vertices = static_cast<std::size_t>(serial.vertices);
    adjacency_lists forward(vertices);
    adjacency_lists backward(vertices);
    for (auto const& [u, v] : serial.edges) {
        forward[static_cast<std::size_t>(u)].push_back(static_cast<std::size_t>(v));
        backward[static_cast<std::size_t>(v)].push_back(static_cast<std::size_t>(u));
    }
    std::vector<std::int64_t> label(vertices, -1);
    for (std::size_t v = 0; v < vertices; ++v) {
        if (label[v] >= 0) continue;
        auto const there = reached_from(forward, v);
        auto const back = reached_from(backward, v);
        for (std::size_t u = v; u < vertices; ++u)
            if (there[u] && back[u]) label[u] = static_cast<std::int64_t>(v);
    }
    return label;
}

void expect_strong_components(
    serial_graph const& serial, sharing how, weft::arc_direction direction, std::string const& name) {
    weft::arc_graph const graph(world(), share_of(serial, how), direction);
    auto const found = weft::find_strong_components(graph);

    auto const expected = strong_labels(serial);
    std::map<std::int64_t, std::int64_t> size_of;
    for (std::int64_t const label : expected) ++size_of[label];
    std::vector<std::int64_t> largest;
    for (auto const& [label, members] : size_of) largest.push_back(members);
    std::ranges::sort(largest, std::greater<>());
    auto const trivial = std::ranges::count(largest, 1);
    if (largest.size() > 10) largest.resize(10);

    auto const begin = expected.begin() + graph.vertices().first_local();
    EXPECT_EQ(found.label, std::vector<weft::global_id>(begin, begin + graph.local_count())) << name;
    EXPECT_EQ(found.components, static_cast<std::int64_t>(size_of.size())) << name;
    EXPECT_EQ(found.trivial, trivial) << name;
    EXPECT_EQ(found.largest, largest) << name;
}

} // namespace

TEST(strong_components, nasty_graphs_along_their_arcs_and_against) {
    auto graphs = nasty_graphs();
    auto& cycle = graphs["one cycle that jumps"] = {500, {}};
    for (std::int64_t v = 0; v < 500; ++v) cycle.edges.push_back({v * 271 % 500, (v + 1) * 271 % 500});
    // Nothing can be trimmed, and each component is reached by all before it.
    auto& chain = graphs["a chain of two-cycles"] = {400, {}};
    for (std::int64_t v = 0; v < 400; v += 2) {
        chain.edges.push_back({v, v + 1});
        chain.edges.push_back({v + 1, v});
        if (v > 0) chain.edges.push_back({v - 1, v});
    }
    auto& ladder = graphs["cycles of three on a tree"] = {300, {}};
    for (std::int64_t v = 0; v < 100; ++v) {
        for (std::int64_t k = 0; k < 3; ++k) ladder.edges.push_back({v + 100 * k, v + 100 * ((k + 1) % 3)});
        if (v > 0) ladder.edges.push_back({(v - 1) / 2 + 100, v});
    }
    for (auto const& [name, serial] : graphs)
        for (auto const direction : {weft::arc_direction::forward, weft::arc_direction::backward})
            expect_strong_components(serial, sharing::round_robin, direction, name);
}

TEST(strong_components, random_graphs_from_sparse_to_dense) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        auto const vertices = static_cast<std::int64_t>(1 + seed * 13 % 300);
        auto const arcs =
            vertices * static_cast<std::int64_t>(seed % 7) / 3; // the threshold is at one a vertex
        expect_strong_components(random_graph(vertices, arcs, seed), sharing::random,
            weft::arc_direction::forward, "seed " + std::to_string(seed));
    }
}

TEST(strong_components, of_an_undirected_graph_are_its_components) {
    auto const serial = random_graph(200, 150, 7);
    weft::arc_graph const graph(world(), share_of(serial, sharing::random), weft::arc_direction::both);
    auto const expected = serial.labels();
    auto const begin = expected.begin() + graph.vertices().first_local();
    EXPECT_EQ(weft::find_strong_components(graph).label,
        std::vector<weft::global_id>(begin, begin + graph.local_count()));
}

TEST(strong_components, what_cannot_lie_on_a_cycle_is_trimmed) {
    serial_graph serial{60, {}};
    for (std::int64_t v = 1; v < 60; ++v) serial.edges.push_back({v - 1, v});
    serial.edges.push_back({31, 30});
    weft::arc_graph const graph(world(), share_of(serial, sharing::random), weft::arc_direction::forward);
    auto const found = weft::find_strong_components(graph);
    EXPECT_EQ(found.trimmed, 58);
    EXPECT_EQ(found.colourings, 0);
    EXPECT_EQ(found.largest, (std::vector<std::int64_t>{2, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(strong_components, a_chain_of_many_takes_few_colourings) {
    serial_graph chain{4000, {}};
    for (std::int64_t v = 0; v < 4000; v += 2) {
        chain.edges.push_back({v, v + 1});
        chain.edges.push_back({v + 1, v});
        if (v > 0) chain.edges.push_back({v - 1, v});
    }
    weft::arc_graph const graph(world(), share_of(chain, sharing::random), weft::arc_direction::forward);
    auto const found = weft::find_strong_components(graph);
    EXPECT_EQ(found.components, 2000);
    EXPECT_LE(found.colourings, 30);
}
