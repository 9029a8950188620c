/// The serial kernel: makes triangles in the cells that a surface crosses. Private.
#pragma once

#include <contouring/case_table.hpp>
#include <contouring/edge_numbers.hpp>

#include <weft/core/ids.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft::contouring {

using place3 = std::array<double, 3>;

using triangle3 = std::array<std::uint32_t, 3>;

/// A list of triangles in pieces. It grows without copying, and pieces can be freed one after the
/// other.
class triangle_list {
public:
    void push_back(triangle3 const& each) {
        if (pieces_.empty() || pieces_.back().size() == pieces_.back().capacity()) {
            std::size_t const room = pieces_.empty() ? first_room : 2 * pieces_.back().capacity();
            pieces_.emplace_back().reserve(std::min(room, most_room));
        }
        pieces_.back().push_back(each);
        ++size_;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::span<std::vector<triangle3> const> pieces() const noexcept { return pieces_; }
    [[nodiscard]] std::span<std::vector<triangle3>> pieces() noexcept { return pieces_; }

private:
    static constexpr std::size_t first_room = 1024;
    // 64 MiB: an array of this size is returned to the system when it is freed.
    static constexpr std::size_t most_room = (std::size_t{64} << 20) / sizeof(triangle3);

    std::vector<std::vector<triangle3>> pieces_;
    std::size_t size_ = 0;
};

/// The part of a surface made by a rank: points by the ids of their edges, each once on this rank.
struct marched {
    std::vector<global_id> edges;
    std::vector<place3> places;
    triangle_list triangles;
    std::vector<std::uint32_t> cells;         ///< for each triangle its cell, from 0, if `names_cells()`
    std::vector<std::vector<double>> carried; ///< by field, of points
};

/// Returns the share of the way from a to b where a linear field has the wanted value.
[[nodiscard]] inline double share_of_way(double a, double b, double wanted) noexcept {
    return (0.5 * wanted - 0.5 * a) / (0.5 * b - 0.5 * a); // halves avoid overflow
}

/// Removes points that no triangle uses.
inline void drop_lone_points(marched& made) {
    constexpr std::uint32_t unused = UINT32_MAX;
    std::vector<std::uint32_t> number(made.places.size(), unused);
    for (auto const& piece : made.triangles.pieces())
        for (triangle3 const& triangle : piece)
            for (std::uint32_t const point : triangle) number[point] = 0;
    std::uint32_t kept = 0;
    for (std::size_t point = 0; point < number.size(); ++point) {
        if (number[point] == unused) continue;
        made.edges[kept] = made.edges[point];
        made.places[kept] = made.places[point];
        for (std::size_t field = 0; field < made.carried.size(); ++field) {
            std::size_t const width = made.carried[field].size() / number.size();
            for (std::size_t c = 0; c < width; ++c)
                made.carried[field][kept * width + c] = made.carried[field][point * width + c];
        }
        number[point] = kept++;
    }
    for (std::vector<double>& each : made.carried) each.resize(each.size() / number.size() * kept);
    made.edges.resize(kept);
    made.places.resize(kept);
    for (auto& piece : made.triangles.pieces())
        for (triangle3& triangle : piece)
            for (std::uint32_t& point : triangle) point = number[point];
}

/// Estimates the points of this number of cells: one each on most surfaces, half as many again in noise.
inline constexpr std::size_t points_expected(std::size_t cells) noexcept {
    return cells + cells / 8 * 5;
}

/// Reads cells one after the other. `Cells` has `size()`; `reach_of_edges()`, for `edge_numbers`; `load(i)`,
/// then `table()`, `corner_value(c)`, `bound()` and `is_inside_out()`; for crossed edges `edge_id(edge)`,
/// `place_on(edge)` and `carry_on(edge, carried)`, which appends the values there. A corner whose value is
/// the bound is a point of the surface, with `corner_id(c)`, `place_of(c)` and `carry_of(c, carried)`. The
/// edges that end there share this point, and triangles that lose a corner are left out. `names_cells()`: the
/// cells of triangles are recorded.
template <class Cells>
[[nodiscard]] marched march(Cells& cells) {
    marched made;
    made.places.reserve(points_expected(cells.size()));
    made.carried.resize(cells.carried_fields());
    edge_numbers numbers(points_expected(cells.size()), cells.reach_of_edges());
    std::array<std::uint32_t, 12> number_on{};
    bool has_lone_points = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells.load(i);
        cell_table const& table = cells.table();
        unsigned inside = 0;
        unsigned on_surface = 0;
        for (std::size_t c = 0; c < table.corners; ++c) {
            inside |= static_cast<unsigned>(cells.corner_value(c) >= cells.bound()) << c;
            on_surface |= static_cast<unsigned>(cells.corner_value(c) == cells.bound()) << c;
        }
        cell_case const& how = table.cases[inside];
        for (std::size_t k = 0; k < how.crossings; ++k) {
            std::size_t const edge = how.crossed[k];
            auto const [from, to] = table.edges[edge];
            if (on_surface != 0 && ((on_surface >> from | on_surface >> to) & 1) != 0) [[unlikely]] {
                std::size_t const corner = (on_surface >> from & 1) != 0 ? from : to;
                number_on[edge] = numbers.number_of(cells.corner_id(corner));
                if (number_on[edge] == made.places.size()) {
                    made.places.push_back(cells.place_of(corner));
                    cells.carry_of(corner, made.carried);
                }
                continue;
            }
            number_on[edge] = numbers.number_of(cells.edge_id(edge));
            if (number_on[edge] == made.places.size()) {
                made.places.push_back(cells.place_on(edge));
                cells.carry_on(edge, made.carried);
            }
        }
        bool const turned = cells.is_inside_out();
        for (std::size_t k = 0; k < how.triangles; ++k) {
            auto const [a, b, c] = how.corners[k];
            triangle3 triangle{number_on[a], number_on[b], number_on[c]};
            // Edges may end in the same corner, and edges of a degenerate cell may coincide.
            if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) {
                has_lone_points = has_lone_points || on_surface != 0;
                continue;
            }
            if (turned) std::swap(triangle[1], triangle[2]);
            made.triangles.push_back(triangle);
            if (cells.names_cells()) made.cells.push_back(static_cast<std::uint32_t>(i));
        }
    }
    made.edges = numbers.take_ids();
    if (has_lone_points) drop_lone_points(made);
    return made;
}

} // namespace weft::contouring
