#include <weft/graph/pagerank.hpp>

#include <core/number_text.hpp>

#include "graph/components/local_numbering.hpp"
#include "graph/search/weighted_adjacency.hpp"
#include "graph/tell_round.hpp"

#include <collective/fixed_point.hpp>
#include <collective/gated_merges.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/protocol/engine.hpp>
#include <weft/frames/halo.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace weft {

namespace {

/// How many arcs leave each vertex of this rank: as many as come in, or found from those. The gate keeps what
/// fails.
std::vector<std::int64_t> count_outgoing(gate& call, arc_graph const& incoming, halo<double> const& ghosts) {
    auto const own = static_cast<std::size_t>(incoming.local_count());
    std::vector<std::int64_t> degree;
    if (incoming.direction() == arc_direction::both) {
        call.guard([&] {
            degree.resize(own);
            auto const first = incoming.first_neighbors();
            for (std::size_t i = 0; i < own; ++i)
                degree[i] = static_cast<std::int64_t>(first[i + 1] - first[i]);
        });
        return degree;
    }
    agreed(call, [&] { degree.resize(own + incoming.ghosts().size()); });
    for (std::uint32_t const source : incoming.all_neighbors()) ++degree[source];
    call.guard([&] { // neighbours alone would hear of it
        ghosts.add_to_owners(std::span(degree).subspan(own), std::span(degree).first(own));
    });
    degree.resize(own);
    return degree;
}

/// Most vertices have few arcs: a call for each would take longer than their sum.
template <class Term>
[[gnu::always_inline]] inline double sum_of_few(std::size_t first, std::size_t count, Term const& term) {
    double a = 0; // sums which do not wait for one another
    double b = 0;
    double c = 0;
    double d = 0;
    std::size_t const end = first + count;
    std::size_t arc = first;
    for (; arc + 4 <= end; arc += 4) {
        a += term(arc);
        b += term(arc + 1);
        c += term(arc + 2);
        d += term(arc + 3);
    }
    if (arc < end) a += term(arc);
    if (arc + 1 < end) b += term(arc + 1);
    if (arc + 2 < end) c += term(arc + 2);
    return (a + b) + (c + d);
}

constexpr std::size_t few_arcs = 32;

template <class Term>
[[gnu::noinline]] double sum_of_many(std::size_t first, std::size_t count, Term const& term) {
    if (count <= few_arcs) return sum_of_few(first, count, term);
    std::size_t const half = count / 2;
    return sum_of_many(first, half, term) + sum_of_many(first + half, count - half, term);
}

/// The sum of the terms of some arcs, in pairs: one after the other, the errors of a hub's sum would exceed
/// the tolerance, and iterations would go round in circles instead of converging.
template <class Term>
[[gnu::always_inline]] inline double sum_of(std::size_t first, std::size_t count, Term const& term) {
    return count <= few_arcs ? sum_of_few(first, count, term) : sum_of_many(first, count, term);
}

/// The sums of the weights of the arcs that leave each vertex of this rank, in a fixed order. `weights`:
/// scaled by the exponents of their sources. The gate keeps what fails in the end.
std::vector<double> add_outgoing_weights(gate& call, arc_graph const& incoming,
    std::span<double const> weights, std::vector<int> const& exponents) {
    auto const own = static_cast<std::uint32_t>(incoming.local_count());
    global_id const first = incoming.vertices().first_local();
    weighted_adjacency outgoing;
    std::span<std::size_t const> rows = incoming.first_neighbors();
    if (incoming.direction() == arc_direction::backward) { // else what comes in goes out
        edge_list arcs;
        call.guard([&] {
            for (std::int64_t target = 0; target < own; ++target)
                for (std::uint32_t const source : incoming.neighbors(target))
                    arcs.edges.push_back(
                        {source < own ? first + source : incoming.ghosts()[source - own], first + target});
            arcs.weights.assign(weights.begin(), weights.end());
        });
        outgoing = store_weighted_edges(
            call, incoming.vertices().owners(), std::move(arcs), stored_with::source, arc_weights::sum);
        rows = outgoing.arcs.first;
        weights = outgoing.weight;
    }
    std::vector<double> sums;
    // Weights of arcs that come in are scaled by the other ends.
    bool const comes_in = incoming.direction() != arc_direction::backward;
    std::span<double const> const unscaled = incoming.all_weights();
    call.guard([&] {
        sums.resize(own);
        for (std::size_t i = 0; i < own; ++i)
            sums[i] = sum_of(rows[i], rows[i + 1] - rows[i], [&](std::size_t arc) {
                return comes_in ? std::ldexp(unscaled[arc], -exponents[i]) : weights[arc];
            });
    });
    return sums;
}

/// For each vertex of this rank and each ghost the power of two of the largest weight that leaves it. The
/// gate keeps what fails in the end.
std::vector<int> outgoing_exponents(gate& call, arc_graph const& incoming, halo<double>& ghosts) {
    auto const own = static_cast<std::size_t>(incoming.local_count());
    std::vector<double> largest;
    std::vector<int> exponents;
    agreed(call, [&] {
        largest.resize(own + incoming.ghosts().size());
        exponents.reserve(largest.size());
    });
    std::span<double const> const weights = incoming.all_weights();
    for (std::size_t arc = 0; arc < weights.size(); ++arc) {
        double& of_source = largest[incoming.all_neighbors()[arc]];
        of_source = std::max(of_source, weights[arc]);
    }
    call.guard([&] { // neighbours alone would hear of it
        ghosts.add_to_owners(std::span(largest).subspan(own), std::span(largest).first(own),
            [](double a, double b) noexcept { return std::max(a, b); });
    });
    std::copy_n(largest.begin(), own, ghosts.own().begin());
    ghosts.start();
    ghosts.finish();
    for (double const each : ghosts.values()) exponents.push_back(each > 0 ? std::ilogb(each) : 0);
    return exponents;
}

/// The probability of each arc, among those that leave the same vertex. `leads_on` says of own vertices
/// whether there is any. The gate keeps what fails in the end.
std::vector<double> find_probabilities(
    gate& call, arc_graph const& incoming, halo<double>& ghosts, std::vector<bool>& leads_on) {
    // Powers of two, so that sums do not overflow and nothing is rounded; a vertex has its own, so that
    // weights which are small everywhere around it are not lost.
    std::vector<int> const exponents = outgoing_exponents(call, incoming, ghosts);
    std::vector<double> probability;
    call.guard([&] {
        probability.assign(incoming.all_weights().begin(), incoming.all_weights().end());
        for (std::size_t arc = 0; arc < probability.size(); ++arc)
            probability[arc] = std::ldexp(probability[arc], -exponents[incoming.all_neighbors()[arc]]);
    });

    auto const sums = add_outgoing_weights(call, incoming, probability, exponents);
    call.guard([&] {
        for (double const sum : sums) leads_on.push_back(sum > 0);
    });
    call.agree(); // before a run among neighbours
    std::ranges::copy(sums, ghosts.own().begin());
    ghosts.start();
    ghosts.finish();
    for (std::size_t arc = 0; arc < probability.size(); ++arc)
        if (double const all = ghosts.values()[incoming.all_neighbors()[arc]]; all > 0)
            probability[arc] /= all;
    return probability;
}

/// One rank's part in the iterations.
class iteration {
public:
    iteration(gate& call, arc_graph const& incoming, pagerank_options const& options)
        : graph_(incoming),
          damping_(options.damping),
          vertices_(static_cast<double>(incoming.vertex_count())),
          halo_(incoming.comm(), incoming.vertices().owners(), incoming.ghosts()) {
        std::vector<bool> leads_on;
        std::vector<std::int64_t> out_degree;
        if (incoming.weighted())
            probability_ = find_probabilities(call, incoming, halo_, leads_on);
        else
            out_degree = count_outgoing(call, incoming, halo_);
        call.guard([&] {
            value_.assign(static_cast<std::size_t>(incoming.local_count()), 1 / vertices_);
            if (!options.personalization.empty()) value_ = jumps_ = probabilities(options.personalization);
            leads_on.reserve(value_.size());
            parts_.reserve(value_.size());
            for (std::int64_t const degree : out_degree) leads_on.push_back(degree > 0);
            for (std::size_t i = 0; i < leads_on.size(); ++i)
                parts_.push_back(!leads_on[i]         ? infinitely_many
                                 : out_degree.empty() ? 1
                                                      : static_cast<double>(out_degree[i]));
            sort_vertices(leads_on);
        });
        (void)agree_on_sums(call, fixed_point(unit));
    }

    /// Computes the next values; returns by how much they differ from the last, over all vertices.
    double step(gate& call) {
        // The share that a vertex gives to each of its arcs, or with weights to all of them.
        std::span<double> const share = halo_.own();
        for (std::size_t i = 0; i < value_.size(); ++i) share[i] = value_[i] / parts_[i];
        halo_.start();
        fixed_point change(unit);
        if (jumps_.empty()) {
            double const base = (1 - damping_) / vertices_ + damping_ * dangling_ / vertices_;
            add_all(
                unentered_, [&](double value) { return std::abs(base - value); }, change);
            for (std::uint32_t const vertex : unentered_) value_[vertex] = base;
            compute_all([base](std::uint32_t) { return base; }, change);
        } else {
            double const jumping = 1 - damping_ + damping_ * dangling_;
            auto const base = [&](std::uint32_t vertex) { return jumping * jumps_[vertex]; };
            for (std::uint32_t const vertex : unentered_) replace(vertex, base(vertex), change);
            compute_all(base, change);
        }
        return agree_on_sums(call, change);
    }

    [[nodiscard]] std::vector<double> take_values() && { return std::move(value_); }

private:
    static constexpr int unit = -82; // two pieces of a fixed-point number hold sums below 4

    static constexpr double infinitely_many = std::numeric_limits<double>::infinity();

    /// For each vertex of this rank, of a list of values that are in proportion to them.
    [[nodiscard]] std::vector<double> probabilities(std::span<ranked_vertex const> listed) const {
        double largest = 0; // by which the others are divided first: their sum does not overflow
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

    /// Sorts them by the arcs that enter and leave them: those that no arc enters all have one value, unless
    /// it is personal.
    void sort_vertices(std::vector<bool> const& leads_on) {
        auto const first = graph_.first_neighbors();
        auto const is_entered = [&](std::uint32_t i) { return first[i] < first[i + 1]; };
        rows_ = split_by_ghosts(first, graph_.all_neighbors(), graph_.local_count());
        std::erase_if(rows_.inner, [&](std::uint32_t i) { return !is_entered(i); });
        for (std::uint32_t i = 0; i < leads_on.size(); ++i) {
            if (!is_entered(i)) unentered_.push_back(i);
            if (!leads_on[i]) (is_entered(i) || !jumps_.empty() ? ends_ : isolated_).push_back(i);
        }
    }

    /// The values of vertices that an arc enters; `base` says for each what comes to it along none.
    template <class Base>
    void compute_all(Base const& base, fixed_point& change) {
        compute(rows_.inner, base, change);
        halo_.finish();
        compute(rows_.boundary, base, change);
    }

    template <class Base>
    void compute(std::span<std::uint32_t const> vertices, Base const& base, fixed_point& change) {
        std::span<double const> const share = halo_.values();
        for (std::uint32_t const vertex : vertices)
            replace(vertex, base(vertex) + damping_ * received_by(vertex, share), change);
    }

    void replace(std::uint32_t vertex, double value, fixed_point& change) {
        change.add(std::abs(value - value_[vertex]));
        value_[vertex] = value;
    }

    [[nodiscard, gnu::always_inline]] double received_by(
        std::uint32_t vertex, std::span<double const> share) const {
        std::size_t const first = graph_.first_neighbors()[vertex];
        std::size_t const count = graph_.first_neighbors()[vertex + 1] - first;
        std::span<std::uint32_t const> const sources = graph_.all_neighbors();
        if (!graph_.weighted())
            return sum_of(first, count, [&](std::size_t arc) { return share[sources[arc]]; });
        return sum_of(first, count, [&](std::size_t arc) { return probability_[arc] * share[sources[arc]]; });
    }

    /// Adds up a term of the values of vertices that all have the same.
    template <class Term>
    void add_all(std::span<std::uint32_t const> vertices, Term const& term, fixed_point& sum) const {
        if (!vertices.empty())
            sum.add(term(value_[vertices.front()]), static_cast<std::int64_t>(vertices.size()));
    }

    /// The change over all ranks; and `dangling_`, for the next step, in the same census.
    double agree_on_sums(gate& call, fixed_point change) {
        fixed_point dangling(unit);
        for (std::uint32_t const vertex : ends_) dangling.add(value_[vertex]);
        add_all(isolated_, std::identity(), dangling);
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
    halo<double> halo_;
    std::vector<double> probability_; // by arc, for a graph with weights
    std::vector<double> parts_;       // that the value of a vertex is divided into
    std::vector<double> value_;
    std::vector<double> jumps_; // probabilities of vertices for who follows no arc; empty where all are alike
    split_rows rows_;           // of vertices that an arc enters, by whether ghosts are neighbours
    std::vector<std::uint32_t> unentered_; // vertices that no arc enters
    std::vector<std::uint32_t> ends_;      // vertices that an arc enters, but no arc leaves
    std::vector<std::uint32_t> isolated_;  // those of no arc; none where jumps are personal
    double dangling_ = 0;                  // the sum of the values of vertices that no arc leaves
};

/// Finds the least value and the largest ten.
void summarise(gate& call, arc_graph const& graph, pagerank_values& found) {
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
    using list = std::vector<ranked_vertex>;
    list mine;
    call.guard([&] {
        double least_kept = -1; // of those that are sorted
        for (std::size_t i = 0; i < found.value.size(); ++i) {
            if (found.value[i] <= least_kept) continue; // of equal ones the first is kept
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

} // namespace

pagerank_values find_pagerank(arc_graph const& incoming, pagerank_options const& options) {
    gate call(incoming.comm(), "find_pagerank");
    call.same("damping", options.damping).same("tolerance", options.tolerance);
    call.same("max_iterations", options.max_iterations);
    static_assert(sizeof(ranked_vertex) == sizeof(global_id) + sizeof(double)); // nothing in between
    call.same(
        "a hash of personalization", detail::hash_of(std::as_bytes(std::span(options.personalization))));
    agreed(call, [&] { check(incoming, options); });
    pagerank_values found;
    if (incoming.vertex_count() == 0) {
        found.converged = true;
        return found;
    }
    iteration values(call, incoming, options);
    while (!found.converged && found.iterations < options.max_iterations) {
        found.converged = values.step(call) < options.tolerance;
        tell_round(incoming.comm(), ++found.iterations);
    }
    found.value = std::move(values).take_values();
    summarise(call, incoming, found);
    return found;
}

} // namespace weft
