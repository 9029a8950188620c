/// Prefix sums of shares. Private.
#pragma once

#include <cmath>
#include <vector>

namespace weft {

/// Returns the sum of the shares before each share, and of all; in a smaller unit if it would overflow.
/// Shares must be finite and not negative.
[[nodiscard]] inline std::vector<double> sums_before(std::vector<double> const& shares) {
    double sum = 0;
    for (double const each : shares) sum += each;
    double const unit = std::isfinite(sum) ? 1 : 0x1p-100; // there are fewer than 2^100 shares
    std::vector<double> before{0};
    before.reserve(shares.size() + 1);
    for (double const each : shares) before.push_back(before.back() + each * unit);
    return before;
}

} // namespace weft
