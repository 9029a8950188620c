/// Coastlines of the earth, for maps.
#pragma once

#include <filesystem>
#include <vector>

namespace weft {

/// In degrees.
struct map_point {
    double longitude = 0;
    double latitude = 0;
};

/// Where Debian's package python-cartopy-data has coastlines (GSHHG, Wessel and Smith 1996).
inline constexpr char const* installed_coastlines =
    "/usr/share/cartopy/data/shapefiles/gshhs/c/GSHHS_c_L1.shp";

/// The pieces of coastlines that lie in a window, each a polyline; a window beyond 180 degrees east sees the
/// earth go on. `shapefile` has polygons or lines in degrees. Nothing where Weft was built without shapelib.
/// Local. Throws: `io_error` where the file cannot be read.
[[nodiscard]] std::vector<std::vector<map_point>> coastlines_within(
    std::filesystem::path const& shapefile, map_point const& lo, map_point const& hi);

} // namespace weft
