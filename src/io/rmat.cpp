#include "rmat.hpp"
#include "generator_check.hpp"

#include <weft/core/communicator.hpp>
#include <weft/detail/core/huge_pages.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace weft {

namespace io {

scrambler::scrambler(int scale, std::uint64_t seed) noexcept
    : mask_((std::uint64_t{1} << scale) - 1), shift_((scale + 1) / 2) {
    counter_random const random(seed, 1);
    offset_ = random(0);
    for (std::size_t i = 0; i < factors_.size(); ++i) factors_[i] = random(i + 1) | 1;
    if (shift_ == 0) shift_ = 1; // a single vertex: any shift leaves it
}

quadrant_table::quadrant_table(double a, double b, double c) {
    std::array<double, 4> const quadrant{a, b, c, std::max(0.0, 1 - a - b - c)};
    // How full each column of the table is, in units of an equal share.
    std::array<double, std::size_t{1} << outcome_bits> fill;
    for (std::size_t outcome = 0; outcome < fill.size(); ++outcome) {
        fill[outcome] = static_cast<double>(fill.size());
        for (int level = 0; level < levels; ++level) {
            std::size_t const source_bit = outcome >> (levels + level) & 1;
            std::size_t const target_bit = outcome >> level & 1;
            fill[outcome] *= quadrant[2 * source_bit + target_bit];
        }
    }
    std::vector<std::size_t> under, over;
    for (std::size_t outcome = 0; outcome < fill.size(); ++outcome)
        (fill[outcome] < 1 ? under : over).push_back(outcome);
    for (std::size_t column = 0; column < fill.size(); ++column)
        columns_[column] = column; // always "the other"
    while (!under.empty() && !over.empty()) {
        std::size_t const poor = under.back();
        std::size_t const rich = over.back();
        under.pop_back();
        auto const threshold = static_cast<std::uint64_t>(fill[poor] * static_cast<double>(fraction_mask));
        columns_[poor] = threshold << outcome_bits | rich;
        fill[rich] -= 1 - fill[poor];
        if (fill[rich] >= 1) continue;
        over.pop_back();
        under.push_back(rich);
    }
}

rmat_edges::rmat_edges(rmat_options const& options)
    : table_(options.a, options.b, options.c),
      random_(options.seed),
      draws_((options.scale + quadrant_table::levels - 1) / quadrant_table::levels),
      unused_levels_(draws_ * quadrant_table::levels - options.scale),
      scramble_(options.scramble),
      scrambler_(options.scale, options.seed) {
}

} // namespace io

namespace {

void check_options(rmat_options const& options) {
    io::generator_check const check("generate_rmat");
    check.require(options.scale >= 0 && options.scale <= 62, "a scale in 0..62", options.scale);
    std::int64_t const most = (std::int64_t{1} << 62) >> options.scale;
    check.require(options.edge_factor >= 0 && options.edge_factor <= most,
        "an edge factor in 0.." + std::to_string(most) + " at scale " + std::to_string(options.scale),
        options.edge_factor);
    for (double const probability : {options.a, options.b, options.c})
        check.require(probability >= 0 && probability <= 1, "probabilities in 0..1", probability);
    double const together = options.a + options.b + options.c;
    check.require(together <= 1 + 1e-12, "probabilities a + b + c up to 1", together);
}

/// The edges of this rank.
edge_list own_share(communicator const& comm, rmat_options const& options) {
    check_options(options);
    edge_list graph;
    graph.vertices = graph.rows = graph.columns = std::int64_t{1} << options.scale;
    graph.format = "R-MAT scale " + std::to_string(options.scale) + " edge factor " +
                   std::to_string(options.edge_factor) + " seed " + std::to_string(options.seed);
    uniform_distribution const shares(options.edge_factor << options.scale, comm.size());
    detail::reserve_in_huge_pages(graph.edges, static_cast<std::size_t>(shares.size(comm.rank())));
    io::rmat_edges const edges(options);
    constexpr std::int64_t edges_between_calls = 1 << 20; // some tenth of a second
    std::int64_t const begin = shares.begin(comm.rank());
    std::int64_t const end = shares.end(comm.rank());
    for (std::int64_t number = begin; number < end;) {
        if (options.progress) options.progress(number - begin, end - begin);
        for (std::int64_t const until = number + std::min(edges_between_calls, end - number); number < until;
             ++number)
            graph.edges.push_back(edges(number));
    }
    return graph;
}

} // namespace

edge_list generate_rmat(communicator const& comm, rmat_options const& options) {
    gate call(comm, "generate_rmat");
    call.same("scale", options.scale).same("edge_factor", options.edge_factor).same("seed", options.seed);
    call.same("a", options.a).same("b", options.b).same("c", options.c).same("scramble", options.scramble);
    edge_list graph;
    agreed(call, [&] { graph = own_share(comm, options); });
    return graph;
}

} // namespace weft
