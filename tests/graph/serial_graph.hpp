/// A graph that every rank has whole, its serial answers, and its distribution over the ranks.
#pragma once

#include <harness/mpi_test.hpp>

#include <weft/graph/simple_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace weft_test {

struct serial_graph {
    std::int64_t vertices = 0;
    std::vector<weft::edge> edges; ///< includes loops and duplicates

    [[nodiscard]] std::set<std::pair<std::int64_t, std::int64_t>> distinct_edges() const {
        std::set<std::pair<std::int64_t, std::int64_t>> distinct;
        for (auto const& [u, v] : edges)
            if (u != v) distinct.emplace(std::min(u, v), std::max(u, v));
        return distinct;
    }

    /// Returns the smallest vertex of every vertex's component, by repeated relabelling: slow and simple.
    [[nodiscard]] std::vector<std::int64_t> labels() const {
        std::vector<std::int64_t> label(static_cast<std::size_t>(vertices));
        std::iota(label.begin(), label.end(), std::int64_t{0});
        for (bool changed = true; changed;) {
            changed = false;
            for (auto const& [u, v] : edges) {
                auto& a = label[static_cast<std::size_t>(u)];
                auto& b = label[static_cast<std::size_t>(v)];
                if (a == b) continue;
                a = b = std::min(a, b);
                changed = true;
            }
        }
        return label;
    }

    [[nodiscard]] std::vector<std::int64_t> degrees() const {
        std::vector<std::int64_t> degree(static_cast<std::size_t>(vertices));
        for (auto const& [u, v] : distinct_edges()) {
            ++degree[static_cast<std::size_t>(u)];
            ++degree[static_cast<std::size_t>(v)];
        }
        return degree;
    }
};

/// The distribution of edges over ranks.
enum class sharing { round_robin, all_on_last, random };

inline weft::edge_list share_of(serial_graph const& graph, sharing how, std::uint64_t seed = 1) {
    weft::edge_list mine;
    mine.vertices = graph.vertices;
    std::mt19937_64 dealer(seed);
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        auto const dealt = static_cast<int>(dealer() % static_cast<std::uint64_t>(size()));
        int const owner = how == sharing::round_robin   ? static_cast<int>(i) % size()
                          : how == sharing::all_on_last ? size() - 1
                                                        : dealt;
        if (owner == rank()) mine.edges.push_back(graph.edges[i]);
    }
    return mine;
}

inline serial_graph random_graph(std::int64_t vertices, std::int64_t edges, std::uint64_t seed) {
    serial_graph graph{vertices, {}};
    std::mt19937_64 next(seed);
    auto const any = [&] { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(vertices)); };
    for (std::int64_t i = 0; i < edges; ++i) graph.edges.push_back({any(), any()});
    return graph;
}

/// Graphs that are difficult for one part of an algorithm or another.
inline std::map<std::string, serial_graph> nasty_graphs() {
    std::map<std::string, serial_graph> graphs;
    graphs["nothing"] = {};
    graphs["one vertex"] = {1, {}};
    graphs["one loop"] = {1, {{0, 0}, {0, 0}}};
    graphs["only isolated"] = {20, {}};
    auto& path = graphs["path"] = {600, {}};
    for (std::int64_t v = 1; v < path.vertices; ++v) path.edges.push_back({v, v - 1});
    auto& zigzag = graphs["path that jumps"] = {500, {}};
    for (std::int64_t v = 1; v < 500; ++v)
        zigzag.edges.push_back({(v - 1) * 271 % 500, v * 271 % 500}); // 271 and 500 have no common factor
    auto& star = graphs["star around the last"] = {300, {}};
    for (std::int64_t v = 0; v < 299; ++v) star.edges.push_back({299, v});
    auto& clique = graphs["clique, every edge four times"] = {25, {}};
    for (std::int64_t u = 0; u < 25; ++u)
        for (std::int64_t v = 0; v < 25; ++v)
            for (int copies = 0; copies < 2; ++copies) clique.edges.push_back({u, v});
    auto& pairs = graphs["pairs across the ranks"] = {400, {}};
    for (std::int64_t v = 0; v < 200; ++v) pairs.edges.push_back({v, v + 200});
    return graphs;
}

} // namespace weft_test
