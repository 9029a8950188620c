#include <grids/grid_source.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {

void number_axes(grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) {
        shape.axes[d].resize(static_cast<std::size_t>(shape.points[d]));
        std::iota(shape.axes[d].begin(), shape.axes[d].end(), 0.0);
    }
}

void place_points(grid_shape& shape, std::array<double, 3> const& origin,
    std::array<std::array<double, 3>, 3> const& steps, std::string const& where) {
    number_axes(shape);
    shape.place.origin = origin;
    for (std::size_t d = 0; d < 3; ++d) {
        double const length = std::hypot(steps[d][0], steps[d][1], steps[d][2]);
        if (!(length > 0) || !std::isfinite(length) || !std::isfinite(origin[d]))
            throw io_error(where +
                           ": expected finite places of its points in space, not all the same along " +
                           "xyz"[d]);
        for (double& each : shape.axes[d]) each *= length;
        for (std::size_t e = 0; e < 3; ++e) shape.place.matrix[e][d] = steps[d][e] / length;
    }
    straighten(shape, where);
}

void straighten(grid_shape& shape, std::string const& where) {
    double const volume = std::abs(shape.place.determinant());
    if (!(volume > 1e-6) || !std::isfinite(volume))
        throw io_error(where + ": its axes lie in a plane; expected three directions in space");
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t e = 0; e < 3; ++e)
            if (d != e && shape.place.matrix[d][e] != 0) return;
    for (std::size_t d = 0; d < 3; ++d)
        for (double& each : shape.axes[d]) each = shape.place.origin[d] + shape.place.matrix[d][d] * each;
    shape.place = {};
}

void move_to_cells(grid_shape& shape) {
    shape.values_at = value_place::cells;
    shape.cell_ends = shape.axes;
    for (std::size_t d = 0; d < 3; ++d) {
        std::vector<double>& axis = shape.axes[d];
        for (std::size_t i = 0; i + 1 < axis.size(); ++i) axis[i] = (axis[i] + axis[i + 1]) / 2;
        if (axis.size() > 1) axis.pop_back();
        shape.points[d] = static_cast<std::int64_t>(axis.size());
    }
}

void grid_source::read_hidden(box<std::int64_t> const&, std::span<std::uint8_t> into) {
    std::ranges::fill(into, std::uint8_t{0});
}

std::size_t bytes_of(grid_shape const& shape, box<std::int64_t> const& points) {
    if (points.dimensions != 3) throw usage_error("a box of a grid has three dimensions");
    std::size_t bytes = size_of(shape.type) * static_cast<std::size_t>(shape.components);
    for (std::size_t d = 0; d < 3; ++d)
        bytes *= static_cast<std::size_t>(std::max<std::int64_t>(points.hi[d] - points.lo[d], 0));
    return bytes;
}

} // namespace weft
