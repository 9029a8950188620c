/// The data that a census combines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// A fixed record that is combined over all ranks: sums, maxima and flags. The combination is associative and
/// commutative on integers, so the result does not depend on the number of ranks or the order.
struct census_value {
    static constexpr std::size_t sums = 4;   ///< The number of sums.
    static constexpr std::size_t maxima = 6; ///< The number of maxima.

    std::array<std::int64_t, sums> sum{};   ///< Sums over all ranks.
    std::array<std::int64_t, maxima> max{}; ///< Maxima over all ranks.
    std::uint64_t any = 0;                  ///< The bitwise or over all ranks.

    /// Returns the value that changes no result: zero sums, least maxima, no flags.
    [[nodiscard]] static constexpr census_value identity() noexcept {
        census_value value;
        value.max.fill(INT64_MIN);
        return value;
    }

    friend constexpr census_value combine(census_value a, census_value const& b) noexcept {
        for (std::size_t i = 0; i < sums; ++i) a.sum[i] += b.sum[i];
        for (std::size_t i = 0; i < maxima; ++i) a.max[i] = a.max[i] < b.max[i] ? b.max[i] : a.max[i];
        a.any |= b.any;
        return a;
    }
    friend constexpr bool operator==(census_value const&, census_value const&) = default;
};

} // namespace weft
