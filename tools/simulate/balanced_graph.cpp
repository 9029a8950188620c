#include "balanced_graph.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace weft::tool {

namespace {

/// A number of [0, 1) that depends on all bits of the key.
double fraction_of(std::uint64_t key) {
    for (int round = 0; round < 2; ++round) {
        key ^= key >> 31;
        key *= 0x9E3779B97F4A7C15U;
        key ^= key >> 29;
        key *= 0xD6E8FEB86659FD93U;
    }
    return static_cast<double>(key >> 11) * 0x1p-53;
}

} // namespace

std::vector<remote_edge> balanced_graph::remote_edges(int rank) const {
    std::vector<remote_edge> edges;
    if (ranks == 1) return edges;
    std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
        static_cast<std::uint32_t>(rank)};
    std::minstd_rand next(mixed);
    std::uniform_int_distribution<int> any_vertex(0, vertices - 1);
    std::uniform_int_distribution<int> any_other(0, ranks - 2);
    for (int each = 0; each < degree; ++each) {
        int const other = any_other(next);
        int const source = any_vertex(next);
        edges.push_back({source, {other + (other >= rank ? 1 : 0), any_vertex(next)}});
    }
    edges.push_back({vertices - 1, {(rank + 1) % ranks, 0}});
    return edges;
}

int balanced_graph::distance(int rank, int from, int to) const {
    if (from == to) return 0;
    if (to == from + 1) return 1; // along the cycle
    auto const pair = (static_cast<std::uint64_t>(from) * static_cast<std::uint64_t>(vertices)) +
                      static_cast<std::uint64_t>(to);
    auto const of_rank = (seed << 32) + static_cast<std::uint64_t>(rank);
    return fraction_of(pair ^ (of_rank * 0xA0761D6478BD642FU)) < probability ? 1 : 2;
}

double balanced_graph::reached_from(int entries) const {
    double const missed = std::pow(1 - probability, entries);
    return std::min<double>(vertices, entries + (vertices - entries) * (1 - missed));
}

} // namespace weft::tool
