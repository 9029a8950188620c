#include "linked_parts.hpp"

#include "generator_check.hpp"

#include <core/counter_random.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace weft {

namespace {

/// The edges that begin in one part, from random numbers of its own, so that any rank can make them.
class linked_part {
public:
    linked_part(linked_parts_options const& options, std::int64_t number)
        : options_(options),
          number_(number),
          first_(number * options.vertices),
          random_(options.seed, static_cast<std::uint64_t>(number)) {}

    void append(std::vector<edge>& edges) {
        append_inside(edges);
        if (options_.parts > 1)
            for (std::int64_t i = 0; i < options_.links; ++i) edges.push_back(next_link());
        append_cycle(edges);
    }

private:
    /// Pairs (row, column) with column < row; gaps between neighbours are geometric.
    void append_inside(std::vector<edge>& edges) {
        if (options_.probability == 0) return;
        double const step = 1 / std::log1p(-options_.probability);
        std::int64_t const pairs = options_.vertices * (options_.vertices - 1) / 2;
        std::int64_t row = 1;
        std::int64_t column = 0;
        for (std::int64_t at = 0;; ++at, ++column) {
            double const uniform = static_cast<double>((random_(drawn_++) >> 11) + 1) * 0x1p-53; // in (0, 1]
            double const gap = std::floor(std::log(uniform) * step);
            if (!(gap < static_cast<double>(pairs - at))) return;
            at += static_cast<std::int64_t>(gap);
            if (at >= pairs) return; // the difference above may have been rounded up
            column += static_cast<std::int64_t>(gap);
            while (column >= row) column -= row++;
            edges.push_back({first_ + row, first_ + column});
        }
    }

    edge next_link() {
        std::int64_t const other = below(options_.parts - 1);
        std::int64_t const part = other + (other >= number_ ? 1 : 0);
        std::int64_t const source = first_ + below(options_.vertices);
        return {source, part * options_.vertices + below(options_.vertices)};
    }

    void append_cycle(std::vector<edge>& edges) const {
        std::int64_t const all = options_.parts * options_.vertices;
        for (std::int64_t i = 0; i < options_.vertices; ++i) {
            std::int64_t const vertex = first_ + i;
            if (vertex + 1 < all)
                edges.push_back({vertex, vertex + 1});
            else if (all > 2)
                edges.push_back({vertex, 0});
        }
    }

    [[nodiscard]] std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(random_(drawn_++) % static_cast<std::uint64_t>(bound));
    }

    linked_parts_options const& options_;
    std::int64_t number_;
    std::int64_t first_;
    counter_random random_;
    std::uint64_t drawn_ = 0;
};

edge_list own_share(communicator const& comm, linked_parts_options const& options) {
    io::generator_check const check("generate_graph");
    constexpr std::int64_t most_parts = 1 << 28;
    constexpr std::int64_t most_vertices = std::int64_t{1} << 31;
    check.require(options.parts >= 1 && options.parts <= most_parts, "1 to 2^28 parts", options.parts);
    check.require(options.vertices >= 1 && options.vertices <= most_vertices, "1 to 2^31 vertices of a part",
        options.vertices);
    check.require(
        options.links >= 0 && options.links <= most_vertices, "0 to 2^31 links of a part", options.links);
    check.require(
        options.probability >= 0 && options.probability <= 1, "a probability in 0..1", options.probability);
    edge_list graph;
    graph.vertices = graph.rows = graph.columns = options.parts * options.vertices;
    graph.format = std::to_string(options.parts) + " parts of " + std::to_string(options.vertices) +
                   " vertices, probability " + std::to_string(options.probability) + ", " +
                   std::to_string(options.links) + " links, seed " + std::to_string(options.seed);
    uniform_distribution const shares(options.parts, comm.size());
    std::int64_t const begin = shares.begin(comm.rank());
    std::int64_t const end = shares.end(comm.rank());
    for (std::int64_t part = begin; part < end; ++part) {
        if (options.progress) options.progress(part - begin, end - begin);
        linked_part(options, part).append(graph.edges);
    }
    return graph;
}

} // namespace

edge_list generate_linked_parts(communicator const& comm, linked_parts_options const& options) {
    gate call(comm, "generate_graph");
    edge_list graph;
    agreed(call, [&] { graph = own_share(comm, options); });
    return graph;
}

} // namespace weft
