/// Grids in NIfTI files.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens volumes, and series of them, of which `options.step` is read; a series of single planes is a stack.
/// Scaled values are converted to float32, or to float64 if stored with more than 16 bits. Reads boxes; of a
/// compressed file it also decompresses the bytes before them. Throws: `io_error`; `usage_error` if a step is
/// missing or does not exist.
[[nodiscard]] std::unique_ptr<grid_source> open_nifti_grid(
    std::filesystem::path const& file, grid_file_options const& options);

} // namespace weft
