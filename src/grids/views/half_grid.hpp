/// Real numbers of 16 bits as those of 32.
#pragma once

#include <grids/grid_source.hpp>

#include <cstdint>
#include <memory>

namespace weft {

/// The real number that has these bits in IEEE's format of 16, of which float32 has all. Local.
[[nodiscard]] float from_half(std::uint16_t bits) noexcept;

/// A grid of float32 whose values are the 16-bit real numbers that `bits` has as uint16. Local.
[[nodiscard]] std::unique_ptr<grid_source> grid_of_halves(std::unique_ptr<grid_source> bits);

} // namespace weft
