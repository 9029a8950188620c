/// Sums over all ranks that depend on the addends alone. Private.
#pragma once

#include "fixed_point.hpp"

#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace weft {

/// The sum of what all ranks have added up, in the same unit. Collective.
[[nodiscard]] inline double sum_of_all(communicator const& comm, fixed_point mine) {
    census_value pieces = census_value::identity();
    std::ranges::copy(mine.pieces(), pieces.sum.begin());
    pieces = combine_all(comm, pieces);
    mine.assign({pieces.sum[0], pieces.sum[1], pieces.sum[2]});
    return mine.value();
}

/// The sum of `count` addends at most, from 0 to `largest`, on all ranks. `addends(add)` calls `add` with
/// each of this rank. Collective, with the same bounds on all ranks.
template <class Addends>
[[nodiscard]] double exact_sum(
    communicator const& comm, double largest, std::int64_t count, Addends&& addends) {
    if (!(largest > 0)) return 0;
    constexpr std::int64_t bits = 124; // of a sum
    std::int64_t const unit =
        std::int64_t{std::ilogb(largest)} + 1 + std::bit_width(static_cast<std::uint64_t>(count)) - bits;
    fixed_point sum(static_cast<int>(std::clamp<std::int64_t>(unit, -1000, 1000)));
    addends([&](double each) { sum.add(each); });
    return sum_of_all(comm, sum);
}

/// The sum of addends that are not negative, 2^38 at most. `addends` is called twice. Collective. Throws:
/// what `call` has kept, agreed.
template <class Addends>
[[nodiscard]] double exact_sum(gate& call, Addends&& addends) {
    double largest = 0;
    if (!call.failed()) addends([&](double each) { largest = std::max(largest, each); });
    census_value value = census_value::identity();
    // The bits of numbers that are not negative are ordered as they are.
    value.max[census_slot::first_free] = std::bit_cast<std::int64_t>(largest);
    largest = std::bit_cast<double>(call.agree(value).max[census_slot::first_free]);
    return exact_sum(call.comm(), largest, std::int64_t{1} << 38, addends);
}

} // namespace weft
