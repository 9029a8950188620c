/// The meaning of the dimensions of NetCDF variables.
#pragma once

#include <grids/formats/netcdf_file.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weft {

enum class axis_role : std::uint8_t { x, y, z, time, unknown };

/// A dimension of a variable. `role` by the attributes of its coordinates: axis, standard_name, units,
/// positive; else by their name.
struct netcdf_axis {
    axis_role role = axis_role::unknown;
    std::string name = {};           ///< "longitude" and "latitude" are those of the earth
    std::string units = {};          ///< of its coordinates
    std::vector<double> coordinates; ///< unpacked; none where the file has none
    /// Where cells along it end, one more than coordinates: where `bounds` says so and the cells touch.
    std::vector<double> ends = {};
};

/// Of one dimension of a variable, whose attribute `coordinates` may name its coordinates. Longitudes that
/// pass the end of the circle go on behind it: 358, 359, 0, 1 are 358 to 361. Throws: `io_error`, also for
/// coordinates that are missing. Source: CF Metadata Conventions 1.11, chapters 4 and 5.
[[nodiscard]] netcdf_axis axis_of(netcdf_file const& file, int variable, int dimension);

/// Why the axes of a variable do not say where its values lie: its longitudes or latitudes depend on several
/// dimensions. Empty where they do.
[[nodiscard]] std::string why_bent(
    netcdf_file const& file, int variable, std::vector<netcdf_axis> const& axes);

/// True if the values of a variable are of cells along a dimension: its `cell_methods` names the dimension,
/// its coordinates or, for x and y, the area, with another method than `point`. Bounds alone do not say so:
/// without a method values are those of points. Source: CF Metadata Conventions 1.11, section 7.3.
[[nodiscard]] bool is_of_cells(netcdf_file const& file, int variable, int dimension, netcdf_axis const& axis);

/// Which of the axes, in the order of the file, is x, y and z: by their roles where these are known, the
/// others in the order that is left, the fastest first. Local. There are three at most.
[[nodiscard]] std::vector<std::size_t> in_space(std::vector<netcdf_axis> const& axes);

} // namespace weft
