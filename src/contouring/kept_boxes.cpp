#include <contouring/kept_boxes.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace weft::contouring {

namespace {

template <class T>
std::vector<std::uint8_t> marks_in_range(
    grid_lines const& grid, grid_values<T> const& part, value_range<T> const& range) {
    std::vector<std::uint8_t> marks(part.values.size());
    for (std::size_t i = 0; i < marks.size(); ++i)
        marks[i] = range.has(part.values[i]) &&
                           !(grid.missing && static_cast<double>(part.values[i]) == *grid.missing)
                       ? 1
                       : 0;
    return marks;
}

/// Returns a mark for each cell: whether any, or all, of its corners are marked.
std::vector<std::uint8_t> marks_of_cells(
    std::vector<std::uint8_t> const& points, box<std::int64_t> const& in, bool any) {
    auto const size = [&](std::size_t d) { return static_cast<std::size_t>(in.hi[d] - in.lo[d]); };
    std::size_t const width = size(0);
    std::size_t const layer = width * size(1);
    std::vector<std::uint8_t> cells((size(0) - 1) * (size(1) - 1) * (size(2) - 1));
    std::vector<std::uint8_t> sums(width); // for each x, the sum of the four points across the row
    std::uint8_t* to = cells.data();
    for (std::size_t z = 0; z + 1 < size(2); ++z)
        for (std::size_t y = 0; y + 1 < size(1); ++y, to += width - 1) {
            std::uint8_t const* const from = points.data() + z * layer + y * width;
            for (std::size_t x = 0; x < width; ++x)
                sums[x] = static_cast<std::uint8_t>(
                    from[x] + from[width + x] + from[layer + x] + from[layer + width + x]);
            int const least = any ? 1 : 8;
            for (std::size_t x = 0; x + 1 < width; ++x) to[x] = sums[x] + sums[x + 1] >= least ? 1 : 0;
        }
    return cells;
}

} // namespace

template <class T>
kept_box keep_cells(grid_lines const& grid, grid_values<T> const& part, value_range<T> const& range) {
    kept_box made;
    made.points = part.points;
    box<std::int64_t> cells = part.points;
    for (std::size_t d = 0; d < 3; ++d) {
        if (cells.hi[d] - cells.lo[d] < 2) {
            made.rows.first = {0};
            return made;
        }
        --cells.hi[d];
    }
    std::vector<std::uint8_t> kept = marks_in_range(grid, part, range);
    if (!grid.values_of_cells) kept = marks_of_cells(kept, part.points, range.one_corner_is_enough());
    for (std::size_t i = 0; i < part.hidden.size(); ++i)
        if (part.hidden[i] != 0) kept[i] = 0;
    made.rows = find_runs(std::as_bytes(std::span(kept)), value_type::uint8, cells, {.threshold = 1});
    kept = {};
    made.labels = label_box(made.rows, {.corners = true});
    std::int64_t count = 1;
    for (std::size_t d = 0; d < 3; ++d) count *= part.points.hi[d] - part.points.lo[d];
    made.used.resize(static_cast<std::size_t>(count));
    row_runs const& rows = made.rows;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run)
            for (std::int64_t corner = 0; corner < 4; ++corner) {
                std::size_t const first = made.place_of(part.points.lo[0] + rows.runs[run].begin,
                    rows.y_of(row) + (corner & 1), rows.z_of(row) + (corner >> 1));
                std::fill_n(made.used.begin() + static_cast<std::ptrdiff_t>(first),
                    rows.runs[run].end - rows.runs[run].begin + 1, std::uint8_t{1});
            }
    made.used_count = static_cast<std::size_t>(std::ranges::count(made.used, std::uint8_t{1}));
    return made;
}

std::vector<shared_corner> shared_corners(grid_lines const& grid, kept_box const& of) {
    std::vector<shared_corner> found;
    auto const is_inner = [&](std::size_t d, std::int64_t at) {
        return (at == of.points.lo[d] && at > 0) || (at + 1 == of.points.hi[d] && at + 1 < grid.points[d]);
    };
    row_runs const& rows = of.rows;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run)
            for (std::int64_t corner = 0; corner < 4; ++corner) {
                std::int64_t const y = rows.y_of(row) + (corner & 1);
                std::int64_t const z = rows.z_of(row) + (corner >> 1);
                std::int64_t const begin = of.points.lo[0] + rows.runs[run].begin;
                std::int64_t const end = of.points.lo[0] + rows.runs[run].end;
                auto const add = [&](std::int64_t x) {
                    found.push_back({(z * grid.points[1] + y) * grid.points[0] + x, of.labels.of_run[run]});
                };
                if (is_inner(1, y) || is_inner(2, z)) {
                    for (std::int64_t x = begin; x <= end; ++x) add(x);
                } else {
                    if (is_inner(0, begin)) add(begin);
                    if (is_inner(0, end)) add(end);
                }
            }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

#define WEFT_KEEP_CELLS(T)                                                                                   \
    template kept_box keep_cells(grid_lines const&, grid_values<T> const&, value_range<T> const&);
WEFT_KEEP_CELLS(std::int8_t)
WEFT_KEEP_CELLS(std::uint8_t)
WEFT_KEEP_CELLS(std::int16_t)
WEFT_KEEP_CELLS(std::uint16_t)
WEFT_KEEP_CELLS(std::int32_t)
WEFT_KEEP_CELLS(std::uint32_t)
WEFT_KEEP_CELLS(std::int64_t)
WEFT_KEEP_CELLS(std::uint64_t)
WEFT_KEEP_CELLS(float)
WEFT_KEEP_CELLS(double)
#undef WEFT_KEEP_CELLS

} // namespace weft::contouring
