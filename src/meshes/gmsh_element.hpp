/// The elements of Gmsh by their numbers.
#pragma once

#include <weft/contouring/cell_kind.hpp>

#include <cstdint>
#include <optional>

namespace weft {

/// An element: the number of its nodes, of which corners are the first; its kind if it has a volume.
struct gmsh_element {
    std::int64_t nodes = 0;
    std::optional<cell_kind> kind = {};
};

/// Returns the element of a number; null if it is not known here. Local.
[[nodiscard]] gmsh_element const* gmsh_element_of(std::int64_t number) noexcept;

} // namespace weft
