#include <grids/values/cell_rows.hpp>

#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>

namespace weft {

std::vector<box<std::int64_t>> boxes_of_cell_rows(grid_shape const& shape, int part, int parts) {
    std::vector<box<std::int64_t>> boxes;
    if (*std::ranges::min_element(shape.points) < 2) return boxes;
    std::int64_t const layer = shape.points[1] - 1; // rows of cells
    uniform_distribution const rows(layer * (shape.points[2] - 1), parts);
    std::int64_t const end = rows.end(part);
    // Rows of one layer, whole layers, rows of another one.
    for (std::int64_t row = rows.begin(part); row < end;) {
        std::int64_t const y = row % layer;
        std::int64_t const z = row / layer;
        bool const whole = y == 0 && end - row >= layer;
        std::int64_t const layers = whole ? (end - row) / layer : 1;
        std::int64_t const last = whole ? layer : std::min(layer, y + end - row);
        boxes.push_back({3, {0, y, z}, {shape.points[0], last + 1, z + layers + 1}});
        row += whole ? layers * layer : last - y;
    }
    return boxes;
}

} // namespace weft
