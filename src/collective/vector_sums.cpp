#include "vector_sums.hpp"
#include "exact_sum.hpp"

#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace weft {

namespace {

/// Sums of values in -1..1 over all ranks.
template <class ValueOf>
double sum_of(
    communicator const& comm, std::span<double const> mine, std::int64_t count, ValueOf&& value_of) {
    fixed_point total(std::bit_width(static_cast<std::uint64_t>(count)) - 125);
    for (double const each : mine) total.add(value_of(each));
    return sum_of_all(comm, total);
}

} // namespace

vector_sums find_sums(communicator const& comm, std::span<double const> mine) {
    // The bits of doubles that are not negative are ordered as they are; NaN stands above infinity.
    census_value seen = census_value::identity();
    seen.sum[0] = std::ssize(mine);
    for (double const each : mine)
        seen.max[0] = std::max(seen.max[0], std::bit_cast<std::int64_t>(std::abs(each)));
    seen = combine_all(comm, seen);
    std::int64_t const count = seen.sum[0];
    if (count == 0) return {};
    auto const largest = std::bit_cast<double>(seen.max[0]);
    if (!std::isfinite(largest)) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan};
    }

    int exponent = 0;
    (void)std::frexp(largest, &exponent);
    auto const scaled = [&](double each) { return std::ldexp(each, -exponent); };
    vector_sums result;
    result.sum = std::ldexp(sum_of(comm, mine, count, scaled), exponent);
    result.abs_sum =
        std::ldexp(sum_of(comm, mine, count, [&](double each) { return std::abs(scaled(each)); }), exponent);
    double const squares =
        sum_of(comm, mine, count, [&](double each) { return scaled(each) * scaled(each); });
    result.norm2 = std::ldexp(std::sqrt(squares), exponent);
    return result;
}

} // namespace weft
