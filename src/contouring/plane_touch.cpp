#include <contouring/plane_touch.hpp>

#include <contouring/case_table.hpp>

#include <weft/extend/protocol/gate.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/protocol/agreement.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace weft::contouring {

namespace {

/// A face on the plane: its corners ascending; a triangle has one twice.
struct plane_face {
    std::array<global_id, 4> corners;
    bool behind = false; ///< true if its cell is behind the plane
};

/// Faces by the rank where they meet: the lowest corner of each, and four further numbers.
struct met_faces {
    std::vector<global_id> lowest;
    std::vector<global_id> rest; ///< the other corners, and 1 if the cell is behind
};

/// Returns a mark for each face: 1 if it has a cell in front and no cell behind.
std::vector<std::uint8_t> lone_of(met_faces const& met) {
    std::vector<std::size_t> order(met.lowest.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const key = [&](std::size_t i) {
        return std::array{met.lowest[i], met.rest[4 * i], met.rest[4 * i + 1], met.rest[4 * i + 2]};
    };
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    std::vector<std::uint8_t> lone(order.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first;
        bool behind = false;
        for (; end < order.size() && key(order[end]) == key(order[first]); ++end)
            behind = behind || met.rest[4 * order[end] + 3] != 0;
        for (; first < end; ++first) lone[order[first]] = behind ? 0 : 1;
    }
    return lone;
}

/// Returns a mark for each face: 1 if it has a cell in front and no cell behind. `whole`: the distribution of
/// points. Throws: the error kept in `call`, agreed.
std::vector<std::uint8_t> lone_faces(
    gate& call, block_distribution const& whole, std::vector<plane_face> const& faces) {
    met_faces mine;
    call.guard([&] {
        for (plane_face const& each : faces) {
            mine.lowest.push_back(each.corners[0]);
            mine.rest.insert(
                mine.rest.end(), {each.corners[1], each.corners[2], each.corners[3], each.behind ? 1 : 0});
        }
    });
    census_value count = census_value::identity();
    count.sum[0] = static_cast<std::int64_t>(faces.size());
    if (call.agree(count).sum[0] == 0) return {};
    part_to_block const meeting(call.comm(), whole, mine.lowest);
    met_faces met;
    met.rest = meeting.keep(mine.rest, 4);
    std::vector<std::uint8_t> lone;
    agreed(call, [&] {
        met.lowest = meeting.arrival_ids();
        lone = lone_of(met);
    });
    return meeting.reverse_kept(lone);
}

/// Appends the faces of a cell that lie on the plane. `id(c)` and `distance(c)` describe its corner c.
template <class Id, class Distance>
void add_faces(cell_table const& table, Id&& id, Distance&& distance, std::vector<plane_face>& into) {
    double least = distance(0);
    double largest = least;
    for (std::size_t c = 0; c < table.corners; ++c) {
        double const each = distance(c);
        if (!std::isfinite(each)) return;
        least = std::min(least, each);
        largest = std::max(largest, each);
    }
    if ((least != 0 && largest != 0) || least == largest) return;
    for (auto const& face : table.faces) {
        if (std::ranges::any_of(face, [&](std::uint8_t c) { return distance(c) != 0; })) continue;
        plane_face made{{id(face[0]), id(face[1]), id(face[2]), id(face[3])}, largest == 0};
        std::ranges::sort(made.corners);
        into.push_back(made);
    }
}

/// Faces on the plane, and their cells.
struct faces_of_cells {
    std::vector<plane_face> faces;
    std::vector<std::size_t> cells; ///< the cell of each face
};

faces_of_cells faces_in(grid_lines const& grid, grid_values<double> const& part) {
    faces_of_cells found;
    auto const& [dimensions, lo, hi] = part.points;
    std::size_t const width = static_cast<std::size_t>(hi[0] - lo[0]);
    std::size_t const layer = width * static_cast<std::size_t>(hi[1] - lo[1]);
    cell_table const& table = table_of(cell_kind::hexahedron);
    if (std::ranges::find(part.values, 0.0) == part.values.end()) return found;
    std::size_t cell = 0;
    for (std::int64_t z = lo[2]; z + 1 < hi[2]; ++z)
        for (std::int64_t y = lo[1]; y + 1 < hi[1]; ++y)
            for (std::int64_t x = lo[0]; x + 1 < hi[0]; ++x, ++cell) {
                if (!part.hidden.empty() && part.hidden[cell] != 0) continue;
                std::size_t const low = static_cast<std::size_t>(z - lo[2]) * layer +
                                        static_cast<std::size_t>(y - lo[1]) * width +
                                        static_cast<std::size_t>(x - lo[0]);
                auto const along = [](std::size_t c, std::size_t d) { // around each end of a hexahedron
                    return d == 0 ? (c ^ (c >> 1)) & 1 : d == 1 ? c >> 1 & 1 : c >> 2;
                };
                auto const id = [&](std::size_t c) {
                    auto const at = [&](std::size_t d, std::int64_t first) {
                        return first + static_cast<std::int64_t>(along(c, d));
                    };
                    return (at(2, z) * grid.points[1] + at(1, y)) * grid.points[0] + at(0, x);
                };
                auto const distance = [&](std::size_t c) {
                    return part.values[low + along(c, 2) * layer + along(c, 1) * width + along(c, 0)];
                };
                add_faces(table, id, distance, found.faces);
                found.cells.resize(found.faces.size(), cell);
            }
    return found;
}

} // namespace

std::vector<std::vector<std::uint8_t>> touched_cells(
    communicator const& comm, grid_lines const& grid, std::span<grid_values<double> const> mine) {
    gate call(comm, "slice");
    std::vector<faces_of_cells> of_boxes;
    std::vector<plane_face> all;
    std::int64_t points = 1;
    for (std::int64_t const each : grid.points) points *= each;
    call.guard([&] {
        for (grid_values<double> const& part : mine) {
            of_boxes.push_back(faces_in(grid, part));
            all.insert(all.end(), of_boxes.back().faces.begin(), of_boxes.back().faces.end());
        }
    });
    std::vector<std::uint8_t> const lone = lone_faces(call, block_distribution::uniform(comm, points), all);
    std::vector<std::vector<std::uint8_t>> marks;
    agreed(call, [&] {
        marks.resize(mine.size());
        std::size_t face = 0;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            std::size_t cells = 1;
            for (std::size_t d = 0; d < 3; ++d)
                cells *= static_cast<std::size_t>(
                    std::max<std::int64_t>(mine[i].points.hi[d] - mine[i].points.lo[d] - 1, 0));
            for (std::size_t const cell : of_boxes[i].cells)
                if (lone[face++] != 0) {
                    marks[i].resize(cells);
                    marks[i][cell] = 1;
                }
        }
    });
    return marks;
}

std::vector<std::uint8_t> touched_cells(
    communicator const& comm, mesh const& of, std::span<double const> distances) {
    gate call(comm, "slice");
    faces_of_cells found;
    call.guard([&] {
        std::size_t at = 0;
        for (std::size_t cell = 0; cell < of.kinds.size(); at += corners_of(of.kinds[cell++])) {
            add_faces(
                table_of(of.kinds[cell]), [&](std::size_t c) { return of.corners[at + c]; },
                [&](std::size_t c) { return distances[at + c]; }, found.faces);
            found.cells.resize(found.faces.size(), cell);
        }
    });
    std::vector<std::uint8_t> const lone = lone_faces(call, of.points, found.faces);
    std::vector<std::uint8_t> marks;
    agreed(call, [&] {
        marks.resize(of.kinds.size());
        for (std::size_t face = 0; face < lone.size(); ++face)
            if (lone[face] != 0) marks[found.cells[face]] = 1;
    });
    return marks;
}

} // namespace weft::contouring
