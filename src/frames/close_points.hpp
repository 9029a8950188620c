/// Points that lie close together. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/frames/numbering.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace weft {

/// Gives points one number that are not further apart than `tolerance`, or joined by a chain of such; a
/// merged number stands where the least of its numbers stood. `exact` has the number of each point, equal
/// ones having one.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: points go to their cells in a grid, two each
/// in space, 2^D at most; then rounds of two moves each, about as many as the logarithm of the longest chain,
/// in cells.
template <std::size_t D>
[[nodiscard]] global_numbers merge_close_points(communicator const& comm,
    std::span<std::array<double, D> const> points, global_numbers const& exact, double tolerance);

} // namespace weft
