/// The type of numbers that are computed from values. Private.
#pragma once

#include <weft/grids/grid_shape.hpp>

namespace weft {

/// The smaller of the real types that has all values of a type.
[[nodiscard]] constexpr value_type real_type_for(value_type type) noexcept {
    return size_of(type) <= 2 || type == value_type::float32 ? value_type::float32 : value_type::float64;
}

} // namespace weft
