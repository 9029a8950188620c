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

/// A dimension of a variable. Its `role` comes from the attributes of its coordinates (axis, standard_name,
/// units, positive), or else from their name.
struct netcdf_axis {
    axis_role role = axis_role::unknown;
    std::string name = {};           ///< "longitude" or "latitude" for those of the earth
    std::string units = {};          ///< of its coordinates
    std::vector<double> coordinates; ///< unpacked; empty if the file has none
    /// The ends of the cells along this dimension, one more than coordinates; empty unless the file has
    /// `bounds` and the cells touch.
    std::vector<double> ends = {};
};

/// Reads the axis of one dimension of a variable, whose attribute `coordinates` may name its coordinates.
/// Longitudes continue beyond the end of the circle: 358, 359, 0, 1 become 358 to 361. Throws: `io_error`,
/// also for coordinates that are missing. Source: CF Metadata Conventions 1.11, chapters 4 and 5.
[[nodiscard]] netcdf_axis axis_of(netcdf_file const& file, int variable, int dimension);

/// Returns the reason if the axes of a variable do not determine the places of its values, because its
/// longitudes or latitudes depend on several dimensions. Else empty.
[[nodiscard]] std::string why_bent(
    netcdf_file const& file, int variable, std::vector<netcdf_axis> const& axes);

/// Returns true if the values of a variable belong to cells along a dimension: its `cell_methods` names the
/// dimension, its coordinates or, for x and y, the area, with a method other than `point`. Bounds alone are
/// not enough: without a method, values belong to points. Source: CF Metadata Conventions 1.11, section 7.3.
[[nodiscard]] bool is_of_cells(netcdf_file const& file, int variable, int dimension, netcdf_axis const& axis);

/// Returns the places of x, y and z among the axes, which are in the order of the file. Axes with a role
/// get their places first; the others fill the remaining places, the fastest one first. Local. There are at
/// most three.
[[nodiscard]] std::vector<std::size_t> in_space(std::vector<netcdf_axis> const& axes);

} // namespace weft
