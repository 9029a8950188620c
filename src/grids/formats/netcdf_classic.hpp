/// Checks of classic NetCDF files that the library does not do.
#pragma once

#include <filesystem>

namespace weft {

/// Reads the head of a classic file (CDF-1, CDF-2, CDF-5) and checks the places of its variables against the
/// length of the file; other files pass. The library reads zeros for values beyond the end. Local. Throws:
/// `io_error`.
void check_netcdf_classic(std::filesystem::path const& file);

} // namespace weft
