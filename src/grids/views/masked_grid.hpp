/// Grids with hidden parts.
#pragma once

#include <grids/grid_source.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Marks of a whole grid, x fastest: not 0 for hidden values or cells. An empty vector hides nothing.
struct grid_mask {
    std::vector<std::uint8_t> values; ///< a mark for each value
    std::vector<std::uint8_t> cells;  ///< a mark for each cell between values at points
};

/// Returns a view of the grid in which hidden values are missing: real numbers become NaN; integers become
/// the next wider signed type, marked by its lowest value (64 bits stay). Returns the source if nothing is
/// hidden. Local. `read` throws: `io_error` if a visible value of 64 bits is the mark.
[[nodiscard]] std::unique_ptr<grid_source> with_mask(
    std::unique_ptr<grid_source> source, grid_mask mask, std::string const& file);

} // namespace weft
