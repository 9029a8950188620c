/// Grids in NetCDF files.
#pragma once

#include <grids/grid_source.hpp>

namespace weft {

/// Variables whose last three dimensions are z, y and x (a missing one counts as one point); one before these
/// is time, of which `options.step` is read. Without a step a variable of up to three dimensions is taken as
/// it is. Throws: `io_error`; `usage_error`, which names the variables there are.
[[nodiscard]] std::unique_ptr<grid_source> open_netcdf_grid(
    std::filesystem::path const& file, grid_file_options const& options);
/// The variables that are grids. Local. Throws: `io_error`.
[[nodiscard]] std::vector<std::string> fields_of_netcdf(std::filesystem::path const& file);

} // namespace weft
