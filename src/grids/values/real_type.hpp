/// The type of numbers computed from values. Private.
#pragma once

#include <weft/grids/grid_shape.hpp>

namespace weft {

/// Returns the smallest real type with all values of `type`.
[[nodiscard]] constexpr value_type real_type_for(value_type type) noexcept {
    return size_of(type) <= 2 || type == value_type::float32 ? value_type::float32 : value_type::float64;
}

} // namespace weft
