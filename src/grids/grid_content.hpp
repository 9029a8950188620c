/// The formats of grids by what files begin with.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// The ending that a file with this content would have in its name: ".nrrd", ".nii.gz", ... Any content might
/// be raw values: ".raw". `start`: its first 4 KiB, or all. Local.
[[nodiscard]] std::string ending_of_grid(std::string_view start);

} // namespace weft
