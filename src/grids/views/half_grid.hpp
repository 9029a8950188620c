/// Converts real numbers of 16 bits to 32 bits.
#pragma once

#include <grids/grid_source.hpp>

#include <cstdint>
#include <memory>

namespace weft {

/// Returns the real number with these bits in IEEE's 16-bit format, exactly. Local.
[[nodiscard]] float from_half(std::uint16_t bits) noexcept;

/// Returns a float32 grid of the 16-bit real numbers whose bits are the uint16 values of `bits`. Local.
[[nodiscard]] std::unique_ptr<grid_source> grid_of_halves(std::unique_ptr<grid_source> bits);

} // namespace weft
