#include <contouring/write_kept.hpp>

#include <contouring/check_grid.hpp>
#include <files/placed_writer.hpp>
#include <files/vtk_output.hpp>

#include <weft/protocol/collectives.hpp>

#include <array>
#include <limits>

namespace weft::contouring {

namespace {

constexpr std::int64_t corners_each = 8;
constexpr std::uint8_t vtk_hexahedron = 12;

/// Writes the corners of all cells, around each end; in a mirrored grid the upper ends come first.
void put_corners(
    placed_writer& out, std::vector<kept_box> const& boxes, kept_points const& points, bool upper_first) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        row_runs const& cells = boxes[i].rows;
        kept_points::numbered_runs const& numbered = points.of_boxes()[i];
        for (std::size_t row = 0; row < cells.rows(); ++row)
            for (std::size_t run = cells.first[row]; run < cells.first[row + 1]; ++run) {
                auto const [begin, end] = cells.runs[run];
                std::array<global_id, 4> lines; // the number of the first corner along x, for each y and z
                for (std::size_t c = 0; c < 4; ++c)
                    lines[c] = numbered.number_of(
                        numbered.rows.row_at(cells.y_of(row) + static_cast<std::int64_t>(c & 1),
                            cells.z_of(row) + static_cast<std::int64_t>(c >> 1)),
                        begin);
                std::size_t const first = upper_first ? 2 : 0;
                std::size_t const second = 2 - first;
                for (std::int64_t x = 0; x < end - begin; ++x)
                    out.put(std::array<global_id, corners_each>{lines[first] + x, lines[first] + x + 1,
                        lines[first + 1] + x + 1, lines[first + 1] + x, lines[second] + x,
                        lines[second] + x + 1, lines[second + 1] + x + 1, lines[second + 1] + x});
            }
    }
}

/// Writes values of the corners of all boxes at the places given by their numbers. Several boxes may write
/// the same corner. `value(i, at)`: the value at a point of box i.
template <class Value>
void put_at_points(placed_writer& out, std::int64_t start, std::vector<kept_box> const& boxes,
    kept_points const& points, Value&& value) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        auto const& [rows, numbers] = points.of_boxes()[i];
        for (std::size_t row = 0; row < rows.rows(); ++row)
            for (std::size_t run = rows.first[row]; run < rows.first[row + 1]; ++run) {
                out.go_to(start + numbers[run] * static_cast<std::int64_t>(sizeof(double)));
                auto const first = row * static_cast<std::size_t>(rows.width());
                for (std::int64_t x = rows.runs[run].begin; x < rows.runs[run].end; ++x)
                    out.put(static_cast<double>(value(i, first + static_cast<std::size_t>(x))));
            }
    }
}

/// Writes values of the kept cells; `value(i, cell)`: that of a cell of box i.
template <class Value>
void put_at_cells(placed_writer& out, std::vector<kept_box> const& boxes, Value&& value) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for_kept(boxes[i], [&](std::int64_t, std::int64_t, std::int64_t, std::size_t cell) {
            out.put(static_cast<double>(value(i, cell)));
        });
}

} // namespace

template <class T>
void write_kept(communicator const& comm, grid_lines const& grid, std::span<grid_values<T> const> mine,
    std::vector<kept_box> const& boxes, kept_points const& points, std::string const& name,
    std::int64_t cells, std::filesystem::path const& file) {
    std::int64_t const all_cells = sum(comm, cells);
    std::int64_t const all_points = points.total();
    file_segments segments;
    gate call(comm, "write_threshold");
    call.guard([&] {
        vtk_output made = vtk_output::unstructured_grid(all_points, all_cells);
        auto const at_points = [&](std::string const& field, auto value) {
            made.array<double>(field, 1, all_points, points.mine(),
                in_pieces([&boxes, &points, value](placed_writer& out, std::int64_t, std::int64_t start) {
                    put_at_points(out, start, boxes, points, value);
                }));
        };
        auto const at_cells = [&](std::string const& field, auto value) {
            made.array<double>(field, 1, all_cells, cells,
                in_pieces([&boxes, value](placed_writer& out, std::int64_t, std::int64_t) {
                    put_at_cells(out, boxes, value);
                }));
        };
        made.section("PointData");
        if (!grid.values_of_cells)
            at_points(name, [&grid, mine](std::size_t i, std::size_t at) {
                auto const number = static_cast<double>(mine[i].values[at]);
                bool const is_missing = grid.missing && number == *grid.missing;
                return is_missing ? std::numeric_limits<double>::quiet_NaN() : number;
            });
        for (std::size_t field = 0; field < grid.carried.size(); ++field)
            at_points(grid.carried[field],
                [mine, field](std::size_t i, std::size_t at) { return mine[i].carried[field][at]; });
        made.section("CellData");
        if (grid.values_of_cells)
            at_cells(name, [mine](std::size_t i, std::size_t cell) { return mine[i].values[cell]; });
        for (std::size_t field = 0; field < grid.carried_of_cells.size(); ++field)
            at_cells(grid.carried_of_cells[field], [mine, field](std::size_t i, std::size_t cell) {
                return mine[i].carried_of_cells[field][cell];
            });
        made.section("Points");
        made.array<double>("Points", 3, all_points, points.mine(),
            in_pieces([&grid, &points](placed_writer& out, std::int64_t, std::int64_t) {
                points.for_mine([&](std::int64_t x, std::int64_t y, std::int64_t z) {
                    out.put(place_of(grid, {x, y, z}));
                });
            }));
        made.section("Cells");
        made.array<global_id>("connectivity", 1, all_cells * corners_each, cells * corners_each,
            in_pieces([&](placed_writer& out, std::int64_t, std::int64_t) {
                put_corners(out, boxes, points, is_mirrored(grid));
            }));
        made.array<global_id>("offsets", 1, all_cells, cells,
            in_pieces([cells](placed_writer& out, std::int64_t mine_at, std::int64_t start) {
                std::int64_t const before = (mine_at - start) / static_cast<std::int64_t>(sizeof(global_id));
                for (std::int64_t cell = 1; cell <= cells; ++cell) out.put((before + cell) * corners_each);
            }));
        made.array<std::uint8_t>(
            "types", 1, all_cells, cells, in_pieces([cells](placed_writer& out, std::int64_t, std::int64_t) {
                for (std::int64_t cell = 0; cell < cells; ++cell) out.put(vtk_hexahedron);
            }));
        segments = made.segments();
    });
    segments.write(call, file);
}

#define WEFT_WRITE_KEPT(T)                                                                                   \
    template void write_kept(communicator const&, grid_lines const&, std::span<grid_values<T> const>,        \
        std::vector<kept_box> const&, kept_points const&, std::string const&, std::int64_t,                  \
        std::filesystem::path const&);
WEFT_WRITE_KEPT(std::int8_t)
WEFT_WRITE_KEPT(std::uint8_t)
WEFT_WRITE_KEPT(std::int16_t)
WEFT_WRITE_KEPT(std::uint16_t)
WEFT_WRITE_KEPT(std::int32_t)
WEFT_WRITE_KEPT(std::uint32_t)
WEFT_WRITE_KEPT(std::int64_t)
WEFT_WRITE_KEPT(std::uint64_t)
WEFT_WRITE_KEPT(float)
WEFT_WRITE_KEPT(double)
#undef WEFT_WRITE_KEPT

} // namespace weft::contouring
