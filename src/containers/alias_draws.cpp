#include <weft/detail/containers/alias_draws.hpp>

#include <weft/core/error.hpp>
#include <weft/detail/core/hash.hpp>

#include <cmath>
#include <string>

namespace weft::detail {

std::size_t number_of_draws(std::int64_t n) {
    if (n < 0)
        throw usage_error(
            "alias_table::sample: expected a number of items of at least 0, found " + std::to_string(n));
    return static_cast<std::size_t>(n);
}

alias_draws::alias_draws(std::span<double const> weights) {
    for (std::size_t place = 0; place < weights.size(); ++place) {
        if (!(weights[place] >= 0) || std::isinf(weights[place]))
            throw usage_error("alias_table: expected weights of at least 0, found " +
                              std::to_string(weights[place]) + " at item " + std::to_string(place) +
                              " of this rank");
        weight_ += weights[place];
    }
    if (std::isinf(weight_)) throw usage_error("alias_table: the weights are too large to be added up");
    if (weight_ == 0) return;
    places_.resize(weights.size());
    std::vector<double> left(weights.size()); // in even shares, not yet given to a place
    std::vector<std::size_t> low;
    std::vector<std::size_t> high;
    for (std::size_t place = 0; place < weights.size(); ++place) {
        left[place] = weights[place] / weight_ * static_cast<double>(weights.size());
        (left[place] < 1 ? low : high).push_back(place);
        places_[place].other = place;
    }
    while (!low.empty() && !high.empty()) {
        std::size_t const poor = low.back();
        std::size_t const rich = high.back();
        low.pop_back();
        places_[poor] = {static_cast<std::uint64_t>(std::ldexp(left[poor], 64)), rich};
        left[rich] -= 1 - left[poor];
        if (left[rich] >= 1) continue;
        high.pop_back();
        low.push_back(rich);
    }
    // Rounding leaves some places with about an even share. An item of weight 0 must not be drawn even then.
    for (std::size_t const place : low)
        if (weights[place] == 0) {
            std::size_t greatest = 0;
            for (std::size_t i = 1; i < weights.size(); ++i)
                if (weights[i] > weights[greatest]) greatest = i;
            places_[place] = {0, greatest};
        }
}

rank_draws::rank_draws(std::span<double const> of_ranks, int rank, std::uint64_t seed)
    : ranks_(of_ranks), state_(mixed(seed) ^ mixed(golden * (static_cast<std::uint64_t>(rank) + 1))) {
    if (!(ranks_.weight() > 0))
        throw usage_error("alias_table: expected an item with a weight above 0, found none on any rank");
}

std::pair<int, std::uint64_t> rank_draws::next() noexcept {
    state_ += golden;
    std::uint64_t const first = mixed(state_);
    state_ += golden;
    return {static_cast<int>(ranks_.place(first)), mixed(state_)};
}

} // namespace weft::detail
