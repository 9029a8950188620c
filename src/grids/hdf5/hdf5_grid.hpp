/// Datasets of HDF5 as grids.
#pragma once

#include <grids/grid_source.hpp>
#include <io/formats/hdf5_address.hpp>

namespace weft {

/// Opens a dataset with up to three indices, z, y and x; see `indices_of`. `options.variable` names it, or
/// one dataset for each component, separated by commas, where an empty name means zero. It may be left out if
/// the address has a path or the file has one dataset. Reads boxes. Throws: `io_error`; `usage_error`, with a
/// list of all datasets, for one that is not a grid.
[[nodiscard]] std::unique_ptr<grid_source> open_hdf5_grid(
    io::hdf5_address const& address, grid_file_options const& options);
/// Returns the paths of all datasets of numbers with at least one index. Local. Throws: `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_hdf5_file(std::filesystem::path const& file);

} // namespace weft
