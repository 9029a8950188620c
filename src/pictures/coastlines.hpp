/// Coastlines of the earth, for maps.
#pragma once

#include <filesystem>
#include <vector>

namespace weft {

/// A point of a map, in degrees.
struct map_point {
    double longitude = 0;
    double latitude = 0;
};

/// The coastlines of Debian's package python-cartopy-data (GSHHG, Wessel and Smith 1996).
inline constexpr char const* installed_coastlines =
    "/usr/share/cartopy/data/shapefiles/gshhs/c/GSHHS_c_L1.shp";

/// Returns the pieces of coastlines in a window, each a polyline. A window may extend beyond 180 degrees
/// east. `shapefile` has polygons or lines in degrees. Empty if Weft is built without shapelib. Local.
/// Throws: `io_error` if the file cannot be read.
[[nodiscard]] std::vector<std::vector<map_point>> coastlines_within(
    std::filesystem::path const& shapefile, map_point const& lo, map_point const& hi);

} // namespace weft
