/// Heads of files of labels, one function for each format.
#pragma once

#include <files/vtk_output.hpp>
#include <grids/grid_source.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace weft {

/// The place of a grid with even steps in the world: neighbouring points along axis d differ by `steps[d]`.
struct even_place {
    std::array<double, 3> origin{};
    std::array<std::array<double, 3>, 3> steps{};
};

/// Local. Throws: `usage_error`, prefixed with `where`, for axes that are not even.
[[nodiscard]] even_place even_place_of(grid_shape const& shape, std::string const& where);

/// VTK image data, up to its arrays. Throws: `usage_error` for axes that are not even, as NRRD and NIfTI do.
[[nodiscard]] vtk_output vti_head(grid_shape const& shape, std::string const& where);
/// A rectilinear grid of VTK, up to its arrays. Throws: `usage_error` for a grid that is turned in space.
[[nodiscard]] vtk_output vtr_head(grid_shape const& shape, std::string const& where);

/// Return the bytes before the labels, which are int64 if `wide`, else int32. Local.
[[nodiscard]] std::string nrrd_head(grid_shape const& shape, bool wide, std::string const& where);
/// Throws: `usage_error` also for more than 32,767 points along an axis. Coordinates that count to the left
/// or to the back, by the name of the space, change their sign: NIfTI counts to the right and to the front.
[[nodiscard]] std::string nifti_head(grid_shape const& shape, bool wide, std::string const& where);

} // namespace weft
