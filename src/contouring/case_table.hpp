/// Which edges of a cell a surface crosses, and the triangles between them. Private.
#pragma once

#include <weft/contouring/cell_kind.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace weft::contouring {

/// One of the ways in which corners can be inside.
struct cell_case {
    std::array<std::uint8_t, 12> crossed{}; ///< edges with one end inside
    std::uint8_t crossings = 0;
    /// Of numbers of edges; seen from outside they turn to the left.
    std::array<std::array<std::uint8_t, 3>, 5> corners{};
    std::uint8_t triangles = 0;
};

/// A kind of cell. Bit c of the number of a case: corner c is inside.
struct cell_table {
    std::uint8_t corners = 0;
    std::span<std::array<std::uint8_t, 2> const> edges;
    std::span<cell_case const> cases;
    /// Corners of the faces, outwards; a triangle has its first corner twice.
    std::span<std::array<std::uint8_t, 4> const> faces;
};

/// Local. Cost: tables are made at the first call.
[[nodiscard]] cell_table const& table_of(cell_kind kind);

} // namespace weft::contouring
