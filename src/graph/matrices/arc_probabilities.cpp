#include "arc_probabilities.hpp"

#include "pairwise_sum.hpp"

#include "graph/search/weighted_adjacency.hpp"

#include <weft/frames/halo.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace weft {

namespace {

/// Returns for each vertex of this rank the sum of the weights of its outgoing arcs, in a fixed order.
/// `weights`: scaled by the exponents of their sources. The gate keeps final errors.
std::vector<double> add_outgoing_weights(gate& call, arc_graph const& incoming,
    std::span<double const> weights, std::vector<int> const& exponents) {
    auto const own = static_cast<std::uint32_t>(incoming.local_count());
    global_id const first = incoming.vertices().first_local();
    weighted_adjacency outgoing;
    std::span<std::size_t const> rows = incoming.first_neighbors();
    if (incoming.direction() == arc_direction::backward) { // else incoming arcs are also outgoing
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
    // Weights of incoming arcs are scaled by the other ends.
    bool const comes_in = incoming.direction() != arc_direction::backward;
    std::span<double const> const unscaled = incoming.all_weights();
    call.guard([&] {
        sums.resize(own);
        for (std::size_t i = 0; i < own; ++i)
            sums[i] = sum_of(rows[i], rows[i + 1], [&](std::size_t arc) {
                return comes_in ? std::ldexp(unscaled[arc], -exponents[i]) : weights[arc];
            });
    });
    return sums;
}

/// Returns for each vertex of this rank and each ghost the power of two of its largest outgoing weight. The
/// gate keeps final errors.
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
    call.guard([&] { // only neighbours would learn of an error
        ghosts.add_to_owners(std::span(largest).subspan(own), std::span(largest).first(own),
            [](double a, double b) noexcept { return std::max(a, b); });
    });
    std::copy_n(largest.begin(), own, ghosts.own().begin());
    ghosts.start();
    ghosts.finish();
    for (double const each : ghosts.values()) exponents.push_back(each > 0 ? std::ilogb(each) : 0);
    return exponents;
}

} // namespace

std::vector<double> find_probabilities(gate& call, arc_graph const& incoming, std::vector<bool>& leads_on) {
    halo<double> ghosts(incoming.comm(), incoming.vertices().owners(), incoming.ghosts());
    // Powers of two keep sums from overflow without rounding. Each vertex has its own, so that weights which
    // are small everywhere around it do not underflow.
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
    call.agree(); // before communication between neighbours
    std::ranges::copy(sums, ghosts.own().begin());
    ghosts.start();
    ghosts.finish();
    for (std::size_t arc = 0; arc < probability.size(); ++arc)
        if (double const all = ghosts.values()[incoming.all_neighbors()[arc]]; all > 0)
            probability[arc] /= all;
    return probability;
}

} // namespace weft
