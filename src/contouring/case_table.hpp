/// The edges of a cell that a surface crosses, and the triangles between them. Private.
#pragma once

#include <weft/contouring/cell_kind.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace weft::contouring {

/// The surface in a cell, for one set of corners inside.
struct cell_case {
    std::array<std::uint8_t, 12> crossed{}; ///< edges with one end inside
    std::uint8_t crossings = 0;
    /// Triangles by numbers of edges, counterclockwise as seen from outside.
    std::array<std::array<std::uint8_t, 3>, 5> corners{};
    std::uint8_t triangles = 0;
};

/// A kind of cell. Bit c of the number of a case is set if corner c is inside.
struct cell_table {
    std::uint8_t corners = 0;
    std::span<std::array<std::uint8_t, 2> const> edges;
    std::span<cell_case const> cases;
    /// Corners of the faces, in the order that points outwards; a triangle repeats its first corner.
    std::span<std::array<std::uint8_t, 4> const> faces;
};

/// Returns the table of a kind of cell. Local. Cost: the first call makes all tables.
[[nodiscard]] cell_table const& table_of(cell_kind kind);

} // namespace weft::contouring
