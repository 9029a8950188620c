/// Adds up one row of a matrix in any order. Private.
#pragma once

#include <collective/fixed_point.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace weft {

/// A sum of products below 2^`exponent`, in integers of 126 bits: independent of order and distribution.
/// Infinite products and NaN are added separately, where order makes no difference either.
class hub_sum {
public:
    hub_sum(std::int64_t products, int exponent) noexcept
        : exponent_(std::max(exponent, -1074)), // smaller products are 0
          half_(std::ldexp(1, -(exponent_ / 2))),
          other_half_(std::ldexp(1, -(exponent_ - exponent_ / 2))),
          total_(std::bit_width(static_cast<std::uint64_t>(products)) - 125) {}

    void add(double product) noexcept {
        if (std::isfinite(product)) [[likely]]
            total_.add(product * half_ * other_half_);
        else
            infinite_ += product;
    }
    [[nodiscard]] std::array<std::int64_t, 3> pieces() const noexcept { return total_.pieces(); }
    [[nodiscard]] double infinite() const noexcept { return infinite_; }

    /// Returns the sum, including the sums of others.
    [[nodiscard]] double with(std::array<std::int64_t, 3> others, double infinite) const noexcept {
        infinite += infinite_;
        if (!(infinite == 0)) return infinite;
        std::array<std::int64_t, 3> const mine = pieces();
        for (std::size_t i = 0; i < others.size(); ++i) others[i] += mine[i];
        fixed_point all = total_;
        all.assign(others);
        return std::ldexp(all.value(), exponent_);
    }

private:
    int exponent_;
    double half_;
    double other_half_;
    fixed_point total_;
    double infinite_ = 0;
};

} // namespace weft
