/// Meshes of cubes, each cut into cells of one kind.
#pragma once

#include "balls.hpp"

#include <weft/contouring/mesh.hpp>

#include <algorithm>

namespace weft_test {

/// A mesh on all ranks, and the values of its points.
struct cut_cubes {
    weft::mesh mesh;
    std::vector<double> values;
};

/// Returns the corners of the cells of a cube: 0 to 7 with x, y and z as bits, 8 for the centre.
inline std::vector<std::vector<int>> cells_in_cube(weft::cell_kind kind) {
    switch (kind) {
    case weft::cell_kind::hexahedron:
        return {{0, 1, 3, 2, 4, 5, 7, 6}};
    case weft::cell_kind::prism:
        return {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
    case weft::cell_kind::pyramid:
        return {{0, 1, 3, 2, 8}, {4, 5, 7, 6, 8}, {0, 1, 5, 4, 8}, {2, 3, 7, 6, 8}, {0, 2, 6, 4, 8},
            {1, 3, 7, 5, 8}};
    default: // along the diagonal from 0 to 7
        return {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    }
}

/// Cuts the cubes of a grid; kinds may differ between cubes if their faces fit. Half of all cells are turned
/// inside out.
inline cut_cubes mesh_of(field const& of, std::vector<weft::cell_kind> const& kinds) {
    auto const& [nx, ny, nz] = of.points;
    std::vector<std::array<double, 3>> places;
    std::vector<double> values = of.values;
    for (std::int64_t z = 0; z < nz; ++z)
        for (std::int64_t y = 0; y < ny; ++y)
            for (std::int64_t x = 0; x < nx; ++x)
                places.push_back({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
    std::vector<weft::cell_kind> all_kinds;
    std::vector<std::vector<weft::global_id>> all_corners;
    for (std::int64_t z = 0; z + 1 < nz; ++z)
        for (std::int64_t y = 0; y + 1 < ny; ++y)
            for (std::int64_t x = 0; x + 1 < nx; ++x) {
                weft::cell_kind const kind = kinds[static_cast<std::size_t>(x + y + z) % kinds.size()];
                weft::global_id corner[9];
                double sum = 0;
                for (int c = 0; c < 8; ++c) {
                    corner[c] = ((z + (c >> 2)) * ny + y + (c >> 1 & 1)) * nx + x + (c & 1);
                    sum += values[static_cast<std::size_t>(corner[c])] / 8;
                }
                corner[8] = static_cast<weft::global_id>(places.size());
                if (kind == weft::cell_kind::pyramid) {
                    places.push_back({static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                        static_cast<double>(z) + 0.5});
                    values.push_back(sum);
                }
                for (auto const& cell : cells_in_cube(kind)) {
                    std::vector<weft::global_id> corners;
                    for (int const c : cell) corners.push_back(corner[c]);
                    if (all_kinds.size() % 2 == 1 && kind == weft::cell_kind::tetrahedron)
                        std::swap(corners[0], corners[1]);
                    all_kinds.push_back(kind);
                    all_corners.push_back(corners);
                }
            }
    cut_cubes made;
    weft::communicator const& comm = world();
    made.mesh.points = weft::block_distribution::uniform(comm, static_cast<std::int64_t>(places.size()));
    made.mesh.cells = weft::block_distribution::uniform(comm, static_cast<std::int64_t>(all_kinds.size()));
    for (std::int64_t i = made.mesh.points.begin(comm.rank()); i < made.mesh.points.end(comm.rank()); ++i) {
        made.mesh.places.push_back(places[static_cast<std::size_t>(i)]);
        made.values.push_back(values[static_cast<std::size_t>(i)]);
    }
    for (std::int64_t i = made.mesh.cells.begin(comm.rank()); i < made.mesh.cells.end(comm.rank()); ++i) {
        auto const& corners = all_corners[static_cast<std::size_t>(i)];
        made.mesh.kinds.push_back(all_kinds[static_cast<std::size_t>(i)]);
        made.mesh.corners.insert(made.mesh.corners.end(), corners.begin(), corners.end());
    }
    return made;
}

/// Counts crossed edges of cells, each once.
inline std::int64_t crossed_edges(cut_cubes const& of, double value) {
    auto const all = all_gatherv(world(), of.values);
    auto const corners = all_gatherv(world(), of.mesh.corners);
    std::vector<std::uint8_t> mine;
    for (auto const kind : of.mesh.kinds) mine.push_back(static_cast<std::uint8_t>(kind));
    auto const kinds = all_gatherv(world(), mine);
    constexpr int edges[4][12][2] = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}},
        {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}},
        {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
        {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
    constexpr int edge_counts[] = {6, 8, 9, 12};
    std::map<std::pair<weft::global_id, weft::global_id>, bool> found;
    std::size_t at = 0;
    for (std::uint8_t const kind : kinds) {
        for (int e = 0; e < edge_counts[kind]; ++e) {
            weft::global_id const a = corners[at + static_cast<std::size_t>(edges[kind][e][0])];
            weft::global_id const b = corners[at + static_cast<std::size_t>(edges[kind][e][1])];
            if ((all[static_cast<std::size_t>(a)] >= value) != (all[static_cast<std::size_t>(b)] >= value))
                found[std::minmax(a, b)] = true;
        }
        at += weft::corners_of(static_cast<weft::cell_kind>(kind));
    }
    return static_cast<std::int64_t>(found.size());
}

} // namespace weft_test
