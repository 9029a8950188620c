/// Grids in NetCDF files.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Opens variables whose last three dimensions are z, y and x (an absent one has one point); an earlier one
/// is time, of which `options.step` is read. Without a step, a variable with up to three dimensions is used
/// as a whole. Throws: `io_error`; `usage_error`, which lists the variables.
[[nodiscard]] std::unique_ptr<grid_source> open_netcdf_grid(
    std::filesystem::path const& file, grid_file_options const& options);
/// Returns the variables that are grids. Local. Throws: `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_netcdf(std::filesystem::path const& file);

} // namespace weft
