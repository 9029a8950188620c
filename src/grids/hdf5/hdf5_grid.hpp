/// Datasets of HDF5 as grids.
#pragma once

#include <grids/grid_source.hpp>
#include <io/formats/hdf5_address.hpp>

namespace weft {

/// A dataset of up to three indices, z, y and x; see `indices_of`. `options.variable` names it, or one
/// dataset a component, separated by commas, of which an empty name means zero; it may be left out where the
/// address has a path or the file has one dataset. Box by box. Throws: `io_error`; `usage_error` for a
/// dataset that is no grid, with a list of those there are.
[[nodiscard]] std::unique_ptr<grid_source> open_hdf5_grid(
    io::hdf5_address const& address, grid_file_options const& options);
/// The paths of all datasets of numbers with one index or more. Local. Throws: `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_hdf5_file(std::filesystem::path const& file);

} // namespace weft
