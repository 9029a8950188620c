/// Weighted random draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft::detail {

/// Returns `n` as a size. Throws: `usage_error` if it is negative.
[[nodiscard]] std::size_t number_of_draws(std::int64_t n);

/// Walker's alias table: each place has a part of its own probability, and an alias for the rest.
class alias_draws {
public:
    alias_draws() = default;
    /// Throws: `usage_error` for a weight that is negative or not finite; `std::bad_alloc`.
    explicit alias_draws(std::span<double const> weights);

    /// Returns the place that 64 random bits select; at least one weight must be positive.
    [[nodiscard]] std::size_t place(std::uint64_t random) const noexcept {
        __extension__ using wide = unsigned __int128;
        wide const scaled = static_cast<wide>(random) * places_.size();
        auto const place = static_cast<std::size_t>(scaled >> 64);
        return static_cast<std::uint64_t>(scaled) < places_[place].own ? place : places_[place].other;
    }
    [[nodiscard]] double weight() const noexcept { return weight_; }

private:
    struct chance {
        std::uint64_t own = ~std::uint64_t{0}; // as a fraction of 2^64
        std::size_t other = 0;
    };
    std::vector<chance> places_;
    double weight_ = 0;
};

/// Draws ranks by the total weights of their items, with random bits for the draw on that rank.
class rank_draws {
public:
    rank_draws() = default;
    /// Throws: `usage_error` if all weights are 0.
    rank_draws(std::span<double const> of_ranks, int rank, std::uint64_t seed);

    [[nodiscard]] std::pair<int, std::uint64_t> next() noexcept;
    [[nodiscard]] double weight() const noexcept { return ranks_.weight(); }

private:
    alias_draws ranks_;
    std::uint64_t state_ = 0;
};

} // namespace weft::detail
