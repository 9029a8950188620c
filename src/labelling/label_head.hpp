/// Heads of files of labels, one a format.
#pragma once

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

/// The bytes before the labels and behind them; labels are int32, or int64 where they are `wide`. Local.
struct label_frame {
    std::string head = {};
    std::string foot = {};
};

/// VTK image data. Throws: `usage_error` for axes that are not even, as that of NRRD and NIfTI.
[[nodiscard]] label_frame vti_frame(grid_shape const& shape, bool wide, std::string const& where);
/// A rectilinear grid of VTK. Throws: `usage_error` for a grid that is turned in space.
[[nodiscard]] label_frame vtr_frame(grid_shape const& shape, bool wide, std::string const& where);
[[nodiscard]] label_frame nrrd_frame(grid_shape const& shape, bool wide, std::string const& where);
/// Throws: `usage_error` also for more than 32,767 points along an axis. Coordinates of a space that is
/// said to count to the left or to the back change their sign: NIfTI counts to the right and to the front.
[[nodiscard]] label_frame nifti_frame(grid_shape const& shape, bool wide, std::string const& where);

} // namespace weft
