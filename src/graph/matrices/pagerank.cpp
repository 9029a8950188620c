#include <weft/graph/pagerank.hpp>

#include "arc_probabilities.hpp"
#include "pairwise_sum.hpp"
#include "stepped_halo.hpp"

#include "graph/tell_round.hpp"

#include <collective/fixed_point.hpp>
#include <collective/gated_merges.hpp>
#include <core/number_text.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/detail/frames/halo_pattern.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// Returns the number of arcs that leave each vertex of this rank, from the incoming arcs of a directed
/// graph. The gate keeps errors.
std::vector<double> count_outgoing(
    gate& call, arc_graph const& incoming, detail::halo_pattern const& pattern) {
    auto const own = static_cast<std::size_t>(incoming.local_count());
    std::span<std::uint32_t const> const wanted = pattern.wanted();
    std::vector<double> degree;
    std::vector<double> elsewhere;
    agreed(call, [&] {
        degree.resize(own + incoming.ghosts().size());
        elsewhere.resize(wanted.size());
    });
    for (std::uint32_t const source : incoming.all_neighbors()) ++degree[source];
    call.guard([&] { // only neighbours would learn of an error
        pattern.plan().exchange(std::span(std::as_const(degree)).subspan(own), std::span(elsewhere));
        for (std::size_t i = 0; i < wanted.size(); ++i) degree[wanted[i]] += elsewhere[i];
    });
    degree.resize(own);
    return degree;
}

/// Consecutive rows.
struct row_run {
    std::uint32_t begin;
    std::uint32_t end;
};

/// One rank's part in the iterations. A vertex's share is its value divided by its outgoing arcs, by 1 if it
/// has no such arc or arcs have weights; memory holds only shares, of type `Share`.
template <class Share>
class iteration {
public:
    iteration(gate& call, arc_graph const& incoming, pagerank_options const& options)
        : graph_(incoming),
          damping_(options.damping),
          vertices_(static_cast<double>(incoming.vertex_count())),
          unentered_value_(1 / vertices_),
          shares_(incoming.comm(), incoming.vertices().owners(), incoming.ghosts()) {
        std::vector<bool> has_weight;
        if (incoming.weighted())
            probability_ = find_probabilities(call, incoming, has_weight);
        else if (incoming.direction() == arc_direction::backward)
            degree_ = count_outgoing(call, incoming, shares_.pattern());
        call.guard([&] {
            if (!options.personalization.empty()) jumps_ = probabilities(options.personalization);
            if (incoming.weighted())
                sort_vertices([&](std::size_t i) { return has_weight[i]; });
            else if (!degree_.empty())
                sort_vertices([&](std::size_t i) { return degree_[i] > 0; });
            else
                sort_vertices(
                    [first = graph_.first_neighbors()](std::size_t i) { return first[i] < first[i + 1]; });
            for (double& degree : degree_) degree = std::max(degree, 1.0);
            with_parts([&](auto const& parts) {
                for (std::uint32_t i = 0; i < shares_.next().size(); ++i)
                    shares_.next()[i] =
                        static_cast<Share>((jumps_.empty() ? 1 / vertices_ : jumps_[i]) / parts(i));
            });
            shares_.swap();
        });
        (void)agree_on_sums(call, fixed_point(unit));
    }

    /// Computes the next values; returns the sum of their changes over all vertices.
    double step(gate& call) {
        shares_.start();
        fixed_point change(unit);
        with_parts([&](auto const& parts) {
            if (jumps_.empty()) {
                double const base = (1 - damping_) / vertices_ + damping_ * dangling_ / vertices_;
                change.add(std::abs(base - unentered_value_), std::ssize(unentered_));
                unentered_value_ = base;
                for (std::uint32_t const vertex : unentered_)
                    shares_.next()[vertex] = static_cast<Share>(base / parts(vertex));
                compute_all([base](std::size_t) { return base; }, parts, change);
            } else {
                double const jumping = 1 - damping_ + damping_ * dangling_;
                compute_all([&](std::size_t vertex) { return jumping * jumps_[vertex]; }, parts, change);
            }
        });
        shares_.swap();
        return agree_on_sums(call, change);
    }

    [[nodiscard]] std::vector<double> values() const {
        std::vector<double> value(static_cast<std::size_t>(graph_.local_count()));
        with_parts([&](auto const& parts) {
            for (std::uint32_t i = 0; i < value.size(); ++i) value[i] = shares_.current()[i] * parts(i);
        });
        for (std::uint32_t const vertex : unentered_)
            value[vertex] = unentered_value_; // equal for all of them
        return value;
    }

private:
    static constexpr int unit = -82; // so that two parts of a fixed-point number hold sums below 4

    /// Returns a probability for each vertex of this rank, proportional to a list of values.
    [[nodiscard]] std::vector<double> probabilities(std::span<ranked_vertex const> listed) const {
        double largest = 0; // divides the others, so that their sum does not overflow
        for (ranked_vertex const& each : listed) largest = std::max(largest, each.value);
        double all = 0;
        for (ranked_vertex const& each : listed) all += each.value / largest;
        std::vector<double> own(static_cast<std::size_t>(graph_.local_count()));
        for (ranked_vertex const& each : listed) {
            global_id const local = each.vertex - graph_.vertices().first_local();
            if (local >= 0 && local < std::ssize(own))
                own[static_cast<std::size_t>(local)] += each.value / largest / all;
        }
        return own;
    }

    /// Sorts vertices by their incoming and outgoing arcs: those without an incoming arc all have one value,
    /// unless jumps are personal. `leads_on`: true for a vertex that an arc leaves.
    template <class LeadsOn>
    void sort_vertices(LeadsOn const& leads_on) {
        auto const first = graph_.first_neighbors();
        auto const own = static_cast<std::uint32_t>(graph_.local_count());
        bool const has_ghosts = !graph_.ghosts().empty();
        for (std::uint32_t i = 0; i < own; ++i) {
            bool const is_computed = first[i] < first[i + 1] || !jumps_.empty();
            if (!is_computed)
                unentered_.push_back(i);
            else if (has_ghosts &&
                     std::ranges::any_of(graph_.neighbors(i), [&](std::uint32_t j) { return j >= own; }))
                extend(boundary_, i);
            else
                extend(inner_, i);
            if (leads_on(i)) continue;
            if (is_computed)
                ends_.push_back(i);
            else
                ++isolated_;
        }
    }

    static void extend(std::vector<row_run>& rows, std::uint32_t row) {
        if (rows.empty() || rows.back().end != row) rows.push_back({row, row});
        ++rows.back().end;
    }

    /// Calls `body` with a function that returns by how much a vertex's value is divided for its share.
    template <class Body>
    void with_parts(Body const& body) const {
        std::span<std::size_t const> const first = graph_.first_neighbors();
        if (graph_.weighted())
            body([](std::size_t) { return 1.0; });
        else if (graph_.direction() == arc_direction::backward)
            body([degree = std::span(degree_)](std::size_t vertex) { return degree[vertex]; });
        else
            body([first](std::size_t vertex) {
                std::size_t const arcs = first[vertex + 1] - first[vertex];
                return static_cast<double>(static_cast<std::int64_t>(std::max<std::size_t>(arcs, 1)));
            });
    }

    /// Computes the shares of all but the unentered vertices; `base`: for each, the part of its value that
    /// comes along no arc.
    template <class Base, class Parts>
    void compute_all(Base const& base, Parts const& parts, fixed_point& change) {
        compute(inner_, base, parts, change);
        shares_.finish();
        compute(boundary_, base, parts, change);
    }

    template <class Base, class Parts>
    void compute(std::span<row_run const> rows, Base const& base, Parts const& parts, fixed_point& change) {
        Share const* const share = shares_.current().data();
        std::uint32_t const* const source = graph_.all_neighbors().data();
        if (graph_.weighted())
            compute(
                rows, base, parts, change, [share, source, weight = probability_.data()](std::size_t arc) {
                    return weight[arc] * share[source[arc]];
                });
        else
            compute(rows, base, parts, change,
                [share, source](std::size_t arc) -> double { return share[source[arc]]; });
    }

    /// `term`: the part of the value that comes along an arc.
    template <class Base, class Parts, class Term>
    void compute(std::span<row_run const> rows, Base const& base, Parts const& parts, fixed_point& change,
        Term const& term) {
        std::size_t const* const first = graph_.first_neighbors().data();
        Share const* const share = shares_.current().data();
        Share* const next = shares_.next().data();
        double const damping = damping_;
        fixed_point changed = change; // a local one stays in registers
        for (row_run const& run : rows)
            for (std::size_t vertex = run.begin, begin = first[vertex]; vertex < run.end; ++vertex) {
                std::size_t const end = first[vertex + 1];
                double const value = base(vertex) + damping * sum_of(begin, end, term);
                double const divisor = parts(vertex);
                changed.add(std::abs(value - share[vertex] * divisor));
                next[vertex] = static_cast<Share>(value / divisor);
                begin = end;
            }
        change = changed;
    }

    /// Returns the change over all ranks; also sets `dangling_` for the next step, in the same census.
    double agree_on_sums(gate& call, fixed_point change) {
        fixed_point dangling(unit);
        for (std::uint32_t const vertex : ends_) dangling.add(shares_.current()[vertex]);
        dangling.add(unentered_value_, isolated_);
        census_value sums = census_value::identity();
        std::copy_n(change.pieces().begin(), 2, sums.sum.begin());
        std::copy_n(dangling.pieces().begin(), 2, sums.sum.begin() + 2);
        sums = call.agree(sums);
        change.assign({sums.sum[0], sums.sum[1], 0});
        dangling.assign({sums.sum[2], sums.sum[3], 0});
        dangling_ = dangling.value();
        return change.value();
    }

    arc_graph const& graph_;
    double damping_;
    double vertices_;
    double unentered_value_; // of vertices without incoming arcs
    stepped_halo<Share> shares_;
    std::vector<double> probability_; // by arc, for a graph with weights
    std::vector<double> degree_; // outgoing arcs by vertex, at least 1, for a directed graph without weights
    std::vector<double> jumps_;  // probabilities of the vertices for jumps; empty if all are equal
    std::vector<row_run> inner_; // vertices with incoming arcs, whose neighbours are not ghosts
    std::vector<row_run> boundary_; // vertices with incoming arcs, the others
    std::vector<std::uint32_t>
        unentered_; // vertices without incoming arcs; if jumps are personal, these are inner
    std::vector<std::uint32_t> ends_; // other vertices without outgoing arcs
    std::int64_t isolated_ = 0;       // unentered vertices without outgoing arcs
    double dangling_ = 0;             // sum of the values of vertices without outgoing arcs
};

/// Finds the least value and the largest ten.
void summarise(gate& call, arc_graph const& graph, pagerank_values& found) {
    // Nonnegative doubles have the order of their bits.
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
    using list = std::vector<ranked_vertex>;
    list mine;
    call.guard([&] {
        double least_kept = -1; // among the sorted ones
        for (std::size_t i = 0; i < found.value.size(); ++i) {
            if (found.value[i] <= least_kept) continue; // of equal values the first is kept
            mine.push_back({graph.vertices().first_local() + static_cast<global_id>(i), found.value[i]});
            if (mine.size() < 2 * kept) continue;
            keep_top(mine);
            least_kept = mine.back().value;
        }
        keep_top(mine);
    });
    found.top = all_reduce(call, std::move(mine), [&](list top, list const& others) {
        top.insert(top.end(), others.begin(), others.end());
        keep_top(top);
        return top;
    });
}

void check(arc_graph const& graph, pagerank_options const& options) {
    if (graph.direction() == arc_direction::forward)
        throw usage_error("find_pagerank: expected a graph of backward arcs, or both, found forward ones");
    if (!(options.damping >= 0 && options.damping < 1))
        throw usage_error(
            "find_pagerank: expected damping in 0..1, below 1, found " + number_text(options.damping));
    if (!(options.tolerance >= 0))
        throw usage_error(
            "find_pagerank: expected a tolerance of at least 0, found " + number_text(options.tolerance));
    bool any = options.personalization.empty();
    for (ranked_vertex const& each : options.personalization) {
        if (each.vertex < 0 || each.vertex >= graph.vertex_count())
            throw usage_error("find_pagerank: personalization: " + std::to_string(each.vertex) +
                              " is no vertex; vertices are 0.." + std::to_string(graph.vertex_count() - 1));
        if (!(each.value >= 0 && std::isfinite(each.value)))
            throw usage_error("find_pagerank: personalization: expected values of at least 0, found " +
                              number_text(each.value));
        any = any || each.value > 0;
    }
    if (!any) throw usage_error("find_pagerank: personalization: expected a value above 0, found none");
    if (!graph.weighted()) return;
    if (std::ranges::any_of(
            graph.all_weights(), [](double weight) { return !(weight >= 0 && std::isfinite(weight)); }))
        throw usage_error(
            "find_pagerank: expected weights of at least 0, found one that is negative, infinite or NaN");
}

/// With this tolerance shares are numbers of 4 bytes: the changes that their rounding causes are 256 times
/// smaller.
constexpr double coarse_tolerance = 0x1p-16;

template <class Share>
void iterate(gate& call, arc_graph const& incoming, pagerank_options const& options, pagerank_values& found) {
    iteration<Share> values(call, incoming, options);
    while (!found.converged && found.iterations < options.max_iterations) {
        found.converged = values.step(call) < options.tolerance;
        tell_round(incoming.comm(), ++found.iterations);
    }
    agreed(call, [&] { found.value = values.values(); });
}

} // namespace

pagerank_values find_pagerank(arc_graph const& incoming, pagerank_options const& options) {
    gate call(incoming.comm(), "find_pagerank");
    call.same("damping", options.damping).same("tolerance", options.tolerance);
    call.same("max_iterations", options.max_iterations);
    static_assert(sizeof(ranked_vertex) == sizeof(global_id) + sizeof(double)); // no padding
    call.same(
        "a hash of personalization", detail::hash_of(std::as_bytes(std::span(options.personalization))));
    agreed(call, [&] { check(incoming, options); });
    pagerank_values found;
    if (incoming.vertex_count() == 0) {
        found.converged = true;
        return found;
    }
    bool const is_coarse =
        options.tolerance >= coarse_tolerance && !incoming.weighted() && options.personalization.empty();
    if (is_coarse)
        iterate<float>(call, incoming, options, found);
    else
        iterate<double>(call, incoming, options, found);
    summarise(call, incoming, found);
    return found;
}

} // namespace weft
