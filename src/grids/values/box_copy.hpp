/// Copies a box of points out of an array of points.
#pragma once

#include <weft/blocks/box.hpp>

#include <cstdint>
#include <functional>

namespace weft {

/// Calls `row(offset, first, count)` for each row of `wanted` along x, or for several at once if these are
/// contiguous in both arrays. `offset` is its place in an array of the box `stored`, and `first` in an array
/// of `wanted`, which must be within `stored`. Local, O(rows).
void for_rows(box<std::int64_t> const& wanted, box<std::int64_t> const& stored,
    std::function<void(std::int64_t offset, std::int64_t first, std::int64_t count)> const& row);

} // namespace weft
