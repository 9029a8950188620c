/// Grids in memory.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Makes a source of the values at `bytes`, which live as long as `owner`.
[[nodiscard]] std::unique_ptr<grid_source> grid_in_memory(
    grid_shape shape, std::span<std::byte const> bytes, std::shared_ptr<void const> owner);

} // namespace weft
