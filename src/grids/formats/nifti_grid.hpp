/// Grids in NIfTI files.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Volumes, and series of them, of which `options.step` is read; a series of single planes is a stack. Values
/// that the file scales come scaled, as float32, or float64 where those stored have more than 16 bits. Reads
/// boxes; of a file that is packed it unpacks all that is before them. Throws: `io_error`; `usage_error`
/// where a step is missing or does not exist.
[[nodiscard]] std::unique_ptr<grid_source> open_nifti_grid(
    std::filesystem::path const& file, grid_file_options const& options);

} // namespace weft
