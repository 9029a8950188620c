/// Checks of the boxes and axes of a grid. Private.
#pragma once

#include <weft/contouring/contour.hpp>
#include <weft/core/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::contouring {

/// Returns true if the axes are a left-handed system in the world, so that cells are inside out.
inline bool is_mirrored(grid_lines const& grid) noexcept {
    bool mirrored = grid.place.determinant() < 0;
    for (std::vector<double> const& axis : grid.axes)
        if (axis.size() > 1 && axis.back() < axis.front()) mirrored = !mirrored;
    return mirrored;
}

/// Returns the place of a point of a grid in the world. Local, O(1).
inline std::array<double, 3> place_of(
    grid_lines const& grid, std::array<std::int64_t, 3> const& point) noexcept {
    std::array<double, 3> along;
    for (std::size_t d = 0; d < 3; ++d)
        along[d] = grid.axes[d].empty() ? static_cast<double>(point[d])
                                        : grid.axes[d][static_cast<std::size_t>(point[d])];
    return grid.place.moves() ? grid.place.to_world(along) : along;
}

inline void check_axes(grid_lines const& grid) {
    constexpr double too_large = 1e100; // areas and volumes of smaller places are finite
    std::int64_t points = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        if (grid.points[d] < 1 || points > INT64_MAX / grid.points[d])
            throw usage_error("grid: expected at least 1 point along each axis and less than 2^63 in all, "
                              "found " +
                              std::to_string(grid.points[0]) + " x " + std::to_string(grid.points[1]) +
                              " x " + std::to_string(grid.points[2]));
        points *= grid.points[d];
        std::vector<double> const& axis = grid.axes[d];
        if (!axis.empty() && static_cast<std::int64_t>(axis.size()) != grid.points[d])
            throw usage_error(std::string("grid: expected ") + std::to_string(grid.points[d]) +
                              " coordinates along " + "xyz"[d] + ", found " + std::to_string(axis.size()));
        for (double const each : axis)
            if (!(std::abs(each) < too_large))
                throw usage_error(std::string("grid: expected finite coordinates along ") + "xyz"[d] +
                                  ", found " + std::to_string(each));
    }
    double const volume = grid.place.determinant();
    bool bounded = std::isfinite(volume) && volume != 0;
    for (std::size_t d = 0; d < 3; ++d) bounded = bounded && std::abs(grid.place.origin[d]) < too_large;
    if (!bounded)
        throw usage_error("grid: expected a finite place in the world with axes that do not lie in a plane");
}

/// Throws unless a box is within the grid and has a value for each point or cell.
template <class T>
void check_box(grid_lines const& grid, grid_values<T> const& part) {
    std::int64_t points = 1;
    std::int64_t cells = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        if (part.points.dimensions != 3 || part.points.lo[d] < 0 || part.points.hi[d] < part.points.lo[d] ||
            part.points.hi[d] > grid.points[d])
            throw usage_error("grid: expected boxes of three dimensions in the grid");
        points *= part.points.hi[d] - part.points.lo[d];
        bool const flat = grid.points[d] == 1; // an axis with one point has one layer of cells
        cells *= std::max<std::int64_t>(part.points.hi[d] - part.points.lo[d] - (flat ? 0 : 1), 0);
    }
    auto const check = [](std::size_t found, std::int64_t expected, char const* of) {
        if (static_cast<std::int64_t>(found) != expected)
            throw usage_error(
                "grid: expected " + std::to_string(expected) + of + ", found " + std::to_string(found));
    };
    check(part.values.size(), grid.values_of_cells ? cells : points, " values of a box");
    check(part.carried.size(), static_cast<std::int64_t>(grid.carried.size()),
        " fields of a box to be carried");
    check(part.carried_of_cells.size(), static_cast<std::int64_t>(grid.carried_of_cells.size()),
        " fields of the cells of a box to be carried");
    for (std::span<double const> const each : part.carried)
        check(each.size(), points, " values of a field to be carried");
    for (std::span<double const> const each : part.carried_of_cells)
        check(each.size(), cells, " values of a field of cells to be carried");
    if (!part.hidden.empty()) check(part.hidden.size(), cells, " marks of hidden cells");
}

} // namespace weft::contouring
