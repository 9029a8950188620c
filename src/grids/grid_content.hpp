/// Recognises formats of grids by their first bytes.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Returns the ending of the name of a file with this content: ".nrrd", ".nii.gz", ... Unknown content may be
/// raw values: ".raw". `start`: its first 4 KiB, or all. Local.
[[nodiscard]] std::string ending_of_grid(std::string_view start);

} // namespace weft
