/// Chooses the number of blocks along each dimension.
#pragma once

#include <weft/blocks/box.hpp>

#include <cstdint>

namespace weft {

/// A dimension before it is divided.
struct divisible {
    std::int64_t given = 0; ///< the number of blocks, 0 to choose one
    std::int64_t most = 1;  ///< greatest number of blocks
    double extent = 0;
};

/// Returns divisions with the product `blocks` and the given numbers, none above its limit, such that blocks
/// have the least surface; among equal ones, those with larger numbers in lower dimensions. Throws:
/// `usage_error` if there is no such division.
[[nodiscard]] coordinates<std::int64_t> choose_divisions(
    std::int64_t blocks, int dimensions, coordinates<divisible> const& along);

} // namespace weft
