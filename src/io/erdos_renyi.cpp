#include "generator_check.hpp"

#include <core/counter_random.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>
#include <weft/io/generators.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace weft {

namespace {

double probability_of(erdos_renyi_options const& options) {
    io::generator_check const check("generate_erdos_renyi");
    check.require_vertices(options.vertices);
    if (!options.probability) return check.share_of_others(options.average_degree, options.vertices);
    check.require(*options.probability >= 0 && *options.probability <= 1, "a probability in 0..1",
        *options.probability);
    return *options.probability;
}

/// The pairs (source, target) with target < source, numbered row by row, cut into chunks with about as many
/// edges each. A chunk has random numbers of its own, so that any rank can make it.
class pair_chunks {
public:
    pair_chunks(std::int64_t vertices, double probability, std::uint64_t seed)
        : pairs_(vertices % 2 == 0 ? vertices / 2 * (vertices - 1) : (vertices - 1) / 2 * vertices),
          step_(1 / std::log1p(-probability)),
          seed_(seed) {
        constexpr double edges_of_chunk = 8192;
        double const chunk = probability > 0 ? edges_of_chunk / probability : 0;
        if (probability > 0)
            chunk_pairs_ = chunk < static_cast<double>(pairs_) ? static_cast<std::int64_t>(chunk) : pairs_;
    }

    [[nodiscard]] std::int64_t count() const noexcept {
        return chunk_pairs_ == 0 ? 0 : (pairs_ - 1) / chunk_pairs_ + 1;
    }

    /// Appends the edges of a chunk. The gap between two edges is geometric, and does not depend on what was
    /// before, so a chunk may begin anywhere.
    void append(std::int64_t chunk, std::vector<edge>& edges) const {
        counter_random const random(seed_, static_cast<std::uint64_t>(chunk));
        std::int64_t const begin = chunk * chunk_pairs_;
        std::int64_t const end = begin + std::min(chunk_pairs_, pairs_ - begin);
        std::int64_t row = row_of(begin);
        std::int64_t column = begin - row * (row - 1) / 2;
        std::int64_t at = begin;
        for (std::uint64_t draw = 0;; ++draw) {
            double const uniform = static_cast<double>((random(draw) >> 11) + 1) * 0x1p-53; // in (0, 1]
            double const gap = std::floor(std::log(uniform) * step_);
            // Also where the gap is no number, as it is for the least of probabilities.
            if (!(gap < static_cast<double>(end - at))) return;
            at += static_cast<std::int64_t>(gap);
            if (at >= end) return; // the difference above may have been rounded up
            column += static_cast<std::int64_t>(gap);
            while (column >= row) column -= row++;
            edges.push_back({row, column});
            ++at;
            ++column;
        }
    }

private:
    /// The row in which pair `index` stands.
    [[nodiscard]] static std::int64_t row_of(std::int64_t index) noexcept {
        auto row = static_cast<std::int64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(index))) / 2);
        while (row * (row - 1) / 2 > index) --row;
        while ((row + 1) * row / 2 <= index) ++row;
        return row;
    }

    std::int64_t pairs_;
    std::int64_t chunk_pairs_ = 0;
    double step_;
    std::uint64_t seed_;
};

/// The edges of this rank.
edge_list own_share(communicator const& comm, erdos_renyi_options const& options) {
    double const probability = probability_of(options);
    edge_list graph;
    graph.vertices = graph.rows = graph.columns = options.vertices;
    graph.format = "Erdős–Rényi, " + std::to_string(options.vertices) + " vertices, probability " +
                   std::to_string(probability) + ", seed " + std::to_string(options.seed);
    pair_chunks const chunks(options.vertices, probability, options.seed);
    uniform_distribution const shares(chunks.count(), comm.size());
    std::int64_t const begin = shares.begin(comm.rank());
    std::int64_t const end = shares.end(comm.rank());
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
        if (options.progress) options.progress(chunk - begin, end - begin);
        chunks.append(chunk, graph.edges);
    }
    return graph;
}

} // namespace

edge_list generate_erdos_renyi(communicator const& comm, erdos_renyi_options const& options) {
    gate call(comm, "generate_erdos_renyi");
    call.same("vertices", options.vertices).same("average_degree", options.average_degree);
    call.same("probability", options.probability.value_or(-1)).same("seed", options.seed);
    edge_list graph;
    agreed(call, [&] { graph = own_share(comm, options); });
    return graph;
}

} // namespace weft
