#include <weft/graph/pagerank.hpp>

#include "fixed_point.hpp"
#include "local_numbering.hpp"

#include <weft/core/error.hpp>
#include <weft/exchange/exchange.hpp>
#include <weft/graph/halo.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace weft {

namespace {

/// How many arcs leave each vertex of this rank, found from those that come in.
std::vector<std::int64_t> count_outgoing(arc_graph const& incoming, halo const& ghosts) {
    auto const own = static_cast<std::size_t>(incoming.local_count());
    std::vector<std::int64_t> degree(own + incoming.ghosts().size(), 0);
    for (std::uint32_t const source : incoming.all_neighbors()) ++degree[source];
    ghosts.add_to_owners(std::span(degree).subspan(own), std::span(degree).first(own));
    degree.resize(own);
    return degree;
}

/// The sum of the shares of some vertices, in pairs: one after the other, the errors of a hub's sum would
/// exceed the tolerance, and iterations would go round in circles instead of converging.
double sum_of(std::span<double const> share, std::span<std::uint32_t const> vertices) {
    constexpr std::size_t few = 32;
    if (vertices.size() > few) {
        std::size_t const half = vertices.size() / 2;
        return sum_of(share, vertices.first(half)) + sum_of(share, vertices.subspan(half));
    }
    double sum = 0;
    for (std::uint32_t const vertex : vertices) sum += share[vertex];
    return sum;
}

/// One rank's part in the iterations.
class iteration {
public:
    iteration(arc_graph const& incoming, double damping)
        : graph_(incoming),
          damping_(damping),
          vertices_(static_cast<double>(incoming.vertex_count())),
          halo_(incoming.comm(), incoming.vertices().owners(), incoming.ghosts()),
          out_degree_(count_outgoing(incoming, halo_)),
          rows_(
              split_by_ghosts(incoming.first_neighbors(), incoming.all_neighbors(), incoming.local_count())),
          value_(out_degree_.size(), 1 / vertices_) {
        (void)agree_on_sums(fixed_point(unit));
    }

    /// Computes the next values; returns by how much they differ from the last, over all vertices.
    double step() {
        std::span<double> const share = halo_.own(); // what a vertex gives to each of its arcs
        for (std::size_t i = 0; i < value_.size(); ++i)
            share[i] = out_degree_[i] == 0 ? 0 : value_[i] / static_cast<double>(out_degree_[i]);
        halo_.start();
        double const base = (1 - damping_) / vertices_ + damping_ * dangling_ / vertices_;
        fixed_point change(unit);
        compute(rows_.inner, base, change);
        halo_.finish();
        compute(rows_.boundary, base, change);
        return agree_on_sums(change);
    }

    [[nodiscard]] std::vector<double> take_values() && { return std::move(value_); }

private:
    static constexpr int unit = -82; // two pieces of a fixed-point number hold sums below 4

    void compute(std::span<std::uint32_t const> vertices, double base, fixed_point& change) {
        std::span<double const> const share = halo_.values();
        for (std::uint32_t const vertex : vertices) {
            double const value = base + damping_ * sum_of(share, graph_.neighbors(vertex));
            change.add(std::abs(value - value_[vertex]));
            value_[vertex] = value;
        }
    }

    /// The change over all ranks; and `dangling_`, for the next step, in the same census.
    double agree_on_sums(fixed_point change) {
        fixed_point dangling(unit);
        for (std::size_t i = 0; i < value_.size(); ++i)
            if (out_degree_[i] == 0) dangling.add(value_[i]);
        census_value sums = census_value::identity();
        std::copy_n(change.pieces().begin(), 2, sums.sum.begin());
        std::copy_n(dangling.pieces().begin(), 2, sums.sum.begin() + 2);
        sums = combine_all(graph_.comm(), sums);
        change.assign({sums.sum[0], sums.sum[1], 0});
        dangling.assign({sums.sum[2], sums.sum[3], 0});
        dangling_ = dangling.value();
        return change.value();
    }

    arc_graph const& graph_;
    double damping_;
    double vertices_;
    halo halo_;
    std::vector<std::int64_t> out_degree_;
    split_rows rows_; // by whether ghosts are among their neighbours
    std::vector<double> value_;
    double dangling_ = 0; // the sum of the values of vertices that no arc leaves
};

/// Finds the least value and the largest ten.
void summarise(arc_graph const& graph, pagerank_values& found) {
    // The bits of values that are not negative are ordered as they are.
    std::int64_t least = INT64_MAX;
    for (double const value : found.value) least = std::min(least, std::bit_cast<std::int64_t>(value));
    found.least = std::bit_cast<double>(min(graph.comm(), least));

    constexpr std::size_t kept = 10;
    auto const keep_top = [&](std::vector<ranked_vertex>& vertices) {
        std::size_t const most = std::min(kept, vertices.size());
        std::ranges::partial_sort(vertices, vertices.begin() + static_cast<std::ptrdiff_t>(most), {},
            [](ranked_vertex const& each) { return std::pair(-each.value, each.vertex); });
        vertices.resize(most);
    };
    for (std::size_t i = 0; i < found.value.size(); ++i)
        found.top.push_back({graph.vertices().first_local() + static_cast<global_id>(i), found.value[i]});
    keep_top(found.top);
    outbox<ranked_vertex> to_root(graph.comm());
    to_root[0].append(found.top);
    found.top = exchange(std::move(to_root)).concatenate();
    keep_top(found.top);
    outbox<ranked_vertex> to_all(graph.comm());
    if (graph.comm().rank() == 0)
        for (int rank = 0; rank < graph.comm().size(); ++rank) to_all[rank].append(found.top);
    found.top = exchange(std::move(to_all)).concatenate();
}

void check(arc_graph const& graph, pagerank_options const& options) { // the same on all ranks
    if (graph.direction() == arc_direction::forward)
        throw usage_error("find_pagerank: expected a graph of backward arcs, or both, found forward ones");
    if (!(options.damping >= 0 && options.damping < 1))
        throw usage_error(
            "find_pagerank: expected damping in 0..1, below 1, found " + std::to_string(options.damping));
    if (!(options.tolerance >= 0))
        throw usage_error(
            "find_pagerank: expected a tolerance of at least 0, found " + std::to_string(options.tolerance));
}

} // namespace

pagerank_values find_pagerank(arc_graph const& incoming, pagerank_options const& options) {
    check(incoming, options);
    pagerank_values found;
    if (incoming.vertex_count() == 0) {
        found.converged = true;
        return found;
    }
    iteration values(incoming, options.damping);
    while (!found.converged && found.iterations < options.max_iterations) {
        found.converged = values.step() < options.tolerance;
        ++found.iterations;
    }
    found.value = std::move(values).take_values();
    summarise(incoming, found);
    return found;
}

} // namespace weft
