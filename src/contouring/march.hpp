/// The serial kernel: triangles of cells that a surface crosses. Private.
#pragma once

#include <contouring/case_table.hpp>
#include <contouring/edge_numbers.hpp>

#include <weft/core/ids.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::contouring {

using place3 = std::array<double, 3>;

/// The part of a surface that a rank has made: points by the ids of their edges, each once on this rank.
struct marched {
    std::vector<global_id> edges;
    std::vector<place3> places;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint32_t> cells;         ///< in which triangles lie, from 0
    std::vector<std::vector<double>> carried; ///< by field, of points
};

/// How far from a to b a field that is linear between them has the wanted value.
[[nodiscard]] inline double share_of_way(double a, double b, double wanted) noexcept {
    return (0.5 * wanted - 0.5 * a) / (0.5 * b - 0.5 * a); // halves do not overflow
}

/// Cells are read one after the other: `size()` of them, whose edges have a `reach_of_edges()` as
/// `edge_numbers` has it, `load(i)`, then `table()`, `corner_value(c)`, `wanted()`, `is_inside_out()`, and
/// for crossed edges `edge_id(edge)`, `place_on(edge)` and `carry(edge, carried)`, which appends the values
/// there.
template <class Cells>
[[nodiscard]] marched march(Cells& cells) {
    marched made;
    made.places.reserve(cells.size() + cells.size() / 8);
    made.triangles.reserve(2 * cells.size() + cells.size() / 8);
    made.cells.reserve(made.triangles.capacity());
    made.carried.resize(cells.carried_fields());
    edge_numbers numbers(cells.size(), cells.reach_of_edges());
    std::array<std::uint32_t, 12> number_on{};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells.load(i);
        cell_table const& table = cells.table();
        unsigned inside = 0;
        for (std::size_t c = 0; c < table.corners; ++c)
            inside |= static_cast<unsigned>(cells.corner_value(c) >= cells.wanted()) << c;
        cell_case const& how = table.cases[inside];
        for (std::size_t k = 0; k < how.crossings; ++k) {
            std::size_t const edge = how.crossed[k];
            global_id const id = cells.edge_id(edge);
            number_on[edge] = numbers.number_of(id);
            if (number_on[edge] == made.places.size()) {
                made.places.push_back(cells.place_on(edge));
                cells.carry(edge, made.carried);
            }
        }
        bool const turned = cells.is_inside_out();
        for (std::size_t k = 0; k < how.triangles; ++k) {
            auto const [a, b, c] = how.corners[k];
            std::array<std::uint32_t, 3> triangle{number_on[a], number_on[b], number_on[c]};
            // Edges of a cell that has a corner twice may be one.
            if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0])
                continue;
            if (turned) std::swap(triangle[1], triangle[2]);
            made.triangles.push_back(triangle);
            made.cells.push_back(static_cast<std::uint32_t>(i));
        }
    }
    made.edges = numbers.take_ids();
    return made;
}

} // namespace weft::contouring
