#include <grids/values/cell_rows.hpp>

#include <weft/frames/uniform_distribution.hpp>

#include <algorithm>

namespace weft {

std::vector<box<std::int64_t>> boxes_of_cell_rows(
    std::array<std::int64_t, 3> const& points, int part, int parts) {
    std::vector<box<std::int64_t>> boxes;
    auto const cells = [&](std::size_t d) { return std::max<std::int64_t>(points[d] - 1, 1); };
    std::int64_t const layer = cells(1); // rows of cells in a layer
    uniform_distribution const rows(layer * cells(2), parts);
    std::int64_t const end = rows.end(part);
    // The rest of a layer, then whole layers, then the begin of another layer.
    for (std::int64_t row = rows.begin(part); row < end;) {
        std::int64_t const y = row % layer;
        std::int64_t const z = row / layer;
        bool const whole = y == 0 && end - row >= layer;
        std::int64_t const layers = whole ? (end - row) / layer : 1;
        std::int64_t const last = whole ? layer : std::min(layer, y + end - row);
        boxes.push_back(
            {3, {0, y, z}, {points[0], std::min(last + 1, points[1]), std::min(z + layers + 1, points[2])}});
        row += whole ? layers * layer : last - y;
    }
    return boxes;
}

} // namespace weft
