/// Grids of which a part is hidden.
#pragma once

#include <grids/grid_source.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Marks of a whole grid, x fastest: not 0 for what is hidden. An empty vector hides nothing.
struct grid_mask {
    std::vector<std::uint8_t> values; ///< a mark a value
    std::vector<std::uint8_t> cells;  ///< a mark a cell between values at points
};

/// The same grid whose hidden values are missing. Real numbers become NaN; integers are of the next wider
/// signed type, whose lowest value stands for none, and those of 64 bits give up their end. The source itself
/// where nothing is hidden. Local. `read` throws: `io_error` where a visible value of 64 bits is that end.
[[nodiscard]] std::unique_ptr<grid_source> with_mask(
    std::unique_ptr<grid_source> source, grid_mask mask, std::string const& file);

} // namespace weft
