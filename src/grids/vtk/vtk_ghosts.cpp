#include <grids/vtk/vtk_ghosts.hpp>

#include <algorithm>
#include <cstddef>

namespace weft {

namespace {

constexpr unsigned duplicate_point = 1;
constexpr unsigned hidden_point = 2;
constexpr unsigned hidden_cell = 1 | 8 | 16 | 32;

std::vector<std::uint8_t> marks_with(std::vector<std::uint8_t> const& bits, unsigned wanted) {
    std::vector<std::uint8_t> marks(bits.size());
    std::ranges::transform(
        bits, marks.begin(), [&](std::uint8_t each) { return (each & wanted) != 0 ? 1 : 0; });
    return marks;
}

/// Marks the cells with a hidden point as a corner.
void mark_around(std::vector<std::uint8_t> const& hidden, std::array<std::int64_t, 3> const& points,
    std::vector<std::uint8_t>& cells) {
    std::array<std::int64_t, 3> count;
    for (std::size_t d = 0; d < 3; ++d) count[d] = std::max<std::int64_t>(points[d] - 1, 1);
    cells.resize(static_cast<std::size_t>(count[0] * count[1] * count[2]));
    std::size_t at = 0;
    for (std::int64_t z = 0; z < points[2]; ++z)
        for (std::int64_t y = 0; y < points[1]; ++y)
            for (std::int64_t x = 0; x < points[0]; ++x) {
                if (hidden[at++] == 0) continue;
                for (std::int64_t k = std::max<std::int64_t>(z - 1, 0); k <= std::min(z, count[2] - 1); ++k)
                    for (std::int64_t j = std::max<std::int64_t>(y - 1, 0); j <= std::min(y, count[1] - 1);
                         ++j)
                        for (std::int64_t i = std::max<std::int64_t>(x - 1, 0);
                             i <= std::min(x, count[0] - 1); ++i)
                            cells[static_cast<std::size_t>((k * count[1] + j) * count[0] + i)] = 1;
            }
}

/// Marks the points that only belong to hidden cells.
void mark_points_of(std::vector<std::uint8_t> const& hidden_cells, std::array<std::int64_t, 3> const& points,
    std::vector<std::uint8_t>& marks) {
    std::array<std::int64_t, 3> count;
    for (std::size_t d = 0; d < 3; ++d) count[d] = std::max<std::int64_t>(points[d] - 1, 1);
    marks.resize(static_cast<std::size_t>(points[0] * points[1] * points[2]));
    auto const is_visible = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        for (std::int64_t k = std::max<std::int64_t>(z - 1, 0); k <= std::min(z, count[2] - 1); ++k)
            for (std::int64_t j = std::max<std::int64_t>(y - 1, 0); j <= std::min(y, count[1] - 1); ++j)
                for (std::int64_t i = std::max<std::int64_t>(x - 1, 0); i <= std::min(x, count[0] - 1); ++i)
                    if (hidden_cells[static_cast<std::size_t>((k * count[1] + j) * count[0] + i)] == 0)
                        return true;
        return false;
    };
    std::size_t at = 0;
    for (std::int64_t z = 0; z < points[2]; ++z)
        for (std::int64_t y = 0; y < points[1]; ++y)
            for (std::int64_t x = 0; x < points[0]; ++x, ++at)
                if (!is_visible(x, y, z)) marks[at] = 1;
}

} // namespace

grid_mask mask_of(vtk_ghosts const& ghosts, std::array<std::int64_t, 3> const& points, value_place values_at,
    bool each_once) {
    grid_mask made;
    if (values_at == value_place::points) {
        made.values = marks_with(ghosts.of_points, hidden_point | (each_once ? duplicate_point : 0));
        made.cells = marks_with(ghosts.of_cells, hidden_cell);
        if (std::ranges::any_of(made.cells, [](std::uint8_t each) { return each != 0; }))
            mark_points_of(made.cells, points, made.values);
        return made;
    }
    made.values = marks_with(ghosts.of_cells, hidden_cell);
    if (!ghosts.of_points.empty())
        mark_around(marks_with(ghosts.of_points, hidden_point), points, made.values);
    return made;
}

} // namespace weft
