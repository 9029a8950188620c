/// Cells of meshes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// The shape of a cell. Corners are numbered as in VTK files: around one end, then around the other end; the
/// apex of a pyramid is its last corner. The order of corners may also be that of the mirrored cell.
enum class cell_kind : std::uint8_t {
    tetrahedron, ///< 4 corners.
    pyramid,     ///< 5 corners: a quadrilateral, then the apex.
    prism,       ///< 6 corners: a triangle, then the opposite triangle.
    hexahedron   ///< 8 corners: a quadrilateral, then the opposite quadrilateral.
};

/// Returns the number of corners of a cell: 4, 5, 6 or 8.
[[nodiscard]] constexpr std::size_t corners_of(cell_kind kind) noexcept {
    constexpr std::size_t corners[] = {4, 5, 6, 8};
    return corners[static_cast<std::size_t>(kind)];
}

} // namespace weft
