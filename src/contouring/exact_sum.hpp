/// Sums over all ranks that depend on the addends alone. Private.
#pragma once

#include <graph/matrices/fixed_point.hpp>

#include <weft/collective/arrays.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace weft::contouring {

/// The sum of addends that are not negative, 2^40 at most, taken in integers. `addends(add)` calls `add` with
/// each of this rank, and does so twice. Collective. Throws: what `call` has kept, agreed.
template <class Addends>
[[nodiscard]] double exact_sum(gate& call, Addends&& addends) {
    double largest = 0;
    if (!call.failed()) addends([&](double each) { largest = std::max(largest, each); });
    census_value value = census_value::identity();
    value.max[census_slot::first_free] = largest > 0 ? std::ilogb(largest) : INT32_MIN;
    std::int64_t const power = call.agree(value).max[census_slot::first_free];
    fixed_point sum(static_cast<int>(std::clamp<std::int64_t>(power - 84, -1000, 1000))); // and 2^40 addends
    addends([&](double each) { sum.add(each); });
    auto pieces = sum.pieces();
    all_reduce(call.comm(), std::span<std::int64_t>(pieces),
        [](std::int64_t a, std::int64_t b) noexcept { return a + b; });
    sum.assign(pieces);
    return sum.value();
}

} // namespace weft::contouring
