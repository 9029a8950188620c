/// Merges points that are close together. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/frames/numbering.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace weft {

/// Gives one number to points that are at most `tolerance` apart, or joined by a chain of such points. The
/// merged number takes the position of the least of its numbers. `exact`: the number of each point, in which
/// equal points have the same number.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: points go to their cells in a grid, about two
/// each in space and at most 2^D; then rounds of two moves each, about the logarithm of the longest chain in
/// cells.
template <std::size_t D>
[[nodiscard]] global_numbers merge_close_points(communicator const& comm,
    std::span<std::array<double, D> const> points, global_numbers const& exact, double tolerance);

} // namespace weft
