/// How many blocks along each dimension.
#pragma once

#include <weft/blocks/box.hpp>

#include <cstdint>

namespace weft {

/// A dimension before it is divided.
struct divisible {
    std::int64_t given = 0; ///< the number of blocks, 0 to choose one
    std::int64_t most = 1;  ///< not more blocks than this
    double extent = 0;
};

/// Divisions with the product `blocks`, the given ones as they are, none above its limit, such that a block
/// has the least surface; of equal ones those that are larger in the lower dimensions. Throws: `usage_error`
/// where there are none.
[[nodiscard]] coordinates<std::int64_t> choose_divisions(
    std::int64_t blocks, int dimensions, coordinates<divisible> const& along);

} // namespace weft
