#include <grids/grid_source.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <numeric>

namespace weft {

void number_axes(grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) {
        shape.axes[d].resize(static_cast<std::size_t>(shape.points[d]));
        std::iota(shape.axes[d].begin(), shape.axes[d].end(), 0.0);
    }
}

void move_to_cells(grid_shape& shape) {
    for (std::size_t d = 0; d < 3; ++d) {
        std::vector<double>& axis = shape.axes[d];
        for (std::size_t i = 0; i + 1 < axis.size(); ++i) axis[i] = (axis[i] + axis[i + 1]) / 2;
        if (axis.size() > 1) axis.pop_back();
        shape.points[d] = static_cast<std::int64_t>(axis.size());
    }
}

std::size_t bytes_of(grid_shape const& shape, box<std::int64_t> const& points) {
    if (points.dimensions != 3) throw usage_error("a box of a grid has three dimensions");
    std::size_t bytes = size_of(shape.type) * static_cast<std::size_t>(shape.components);
    for (std::size_t d = 0; d < 3; ++d)
        bytes *= static_cast<std::size_t>(std::max<std::int64_t>(points.hi[d] - points.lo[d], 0));
    return bytes;
}

} // namespace weft
