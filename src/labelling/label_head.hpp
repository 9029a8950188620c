/// Heads of files of labels, one a format.
#pragma once

#include <files/vtk_output.hpp>
#include <grids/grid_source.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace weft {

/// Even steps of a grid in the world: from point to point along axis d by `steps[d]`.
struct even_place {
    std::array<double, 3> origin{};
    std::array<std::array<double, 3>, 3> steps{};
};

/// Local. Throws: `usage_error`, with `where` before it, for axes that are not even.
[[nodiscard]] even_place even_place_of(grid_shape const& shape, std::string const& where);

/// VTK image data, up to its arrays. Throws: `usage_error` for axes that are not even, as NRRD and NIfTI do.
[[nodiscard]] vtk_output vti_head(grid_shape const& shape, std::string const& where);
/// A rectilinear grid of VTK, up to its arrays. Throws: `usage_error` for a grid that is turned in space.
[[nodiscard]] vtk_output vtr_head(grid_shape const& shape, std::string const& where);

/// The bytes before the labels, which are int32, or int64 where they are `wide`. Local.
[[nodiscard]] std::string nrrd_head(grid_shape const& shape, bool wide, std::string const& where);
/// Throws: `usage_error` also for more than 32,767 points along an axis. Coordinates of a space that is
/// said to count to the left or to the back change their sign: NIfTI counts to the right and to the front.
[[nodiscard]] std::string nifti_head(grid_shape const& shape, bool wide, std::string const& where);

} // namespace weft
