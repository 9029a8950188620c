/// The common part of tests of labels: volumes, and a simple labelling as an oracle. Private.
#pragma once

#include <harness/mpi_test.hpp>

#include <labelling/block_labels.hpp>
#include <labelling/paint_labels.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace weft_test {

/// Voxels of uint8, x fastest.
struct volume {
    std::array<std::int64_t, 3> points{};
    std::vector<std::uint8_t> values;

    [[nodiscard]] std::size_t place(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return static_cast<std::size_t>((z * points[1] + y) * points[0] + x);
    }
    [[nodiscard]] weft::box<std::int64_t> all() const { return {3, {}, {points[0], points[1], points[2]}}; }
    [[nodiscard]] std::string name() const {
        return std::to_string(points[0]) + " x " + std::to_string(points[1]) + " x " +
               std::to_string(points[2]);
    }

    /// Returns the values of a box.
    [[nodiscard]] std::vector<std::uint8_t> part(weft::box<std::int64_t> const& box) const {
        std::vector<std::uint8_t> found;
        for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z)
            for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y)
                for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x) found.push_back(values[place(x, y, z)]);
        return found;
    }
    [[nodiscard]] weft::row_runs runs(weft::box<std::int64_t> const& box) const {
        std::vector<std::uint8_t> const found = part(box);
        return weft::find_runs(
            std::as_bytes(std::span(found)), weft::value_type::uint8, box, {.threshold = 1, .missing = {}});
    }
};

/// Returns a volume with `percent` percent of foreground voxels.
inline volume random_volume(std::array<std::int64_t, 3> points, unsigned percent, std::mt19937_64& random) {
    volume made{points, {}};
    for (std::int64_t i = 0; i < points[0] * points[1] * points[2]; ++i)
        made.values.push_back(random() % 100 < percent ? 1 : 0);
    return made;
}

/// Labels by flooding, from 1 in the order of first voxels.
inline std::vector<std::int64_t> flooded(volume const& of, weft::connectivity neighbors) {
    std::vector<std::int64_t> labels(of.values.size(), 0);
    std::vector<std::array<std::int64_t, 3>> open;
    std::int64_t const steps = neighbors.corners ? 3 : neighbors.edges ? 2 : 1; // of neighbours, along axes
    std::int64_t components = 0;
    for (std::int64_t z = 0; z < of.points[2]; ++z)
        for (std::int64_t y = 0; y < of.points[1]; ++y)
            for (std::int64_t x = 0; x < of.points[0]; ++x) {
                if (of.values[of.place(x, y, z)] == 0 || labels[of.place(x, y, z)] != 0) continue;
                labels[of.place(x, y, z)] = ++components;
                open.push_back({x, y, z});
                while (!open.empty()) {
                    auto const [cx, cy, cz] = open.back();
                    open.pop_back();
                    for (std::int64_t dz = -1; dz <= 1; ++dz)
                        for (std::int64_t dy = -1; dy <= 1; ++dy)
                            for (std::int64_t dx = -1; dx <= 1; ++dx) {
                                if (dx * dx + dy * dy + dz * dz > steps) continue;
                                if (!neighbors.across_planes && dz != 0) continue;
                                std::int64_t const nx = cx + dx;
                                std::int64_t const ny = cy + dy;
                                std::int64_t const nz = cz + dz;
                                if (nx < 0 || ny < 0 || nz < 0 || nx >= of.points[0] || ny >= of.points[1] ||
                                    nz >= of.points[2])
                                    continue;
                                std::size_t const next = of.place(nx, ny, nz);
                                if (of.values[next] == 0 || labels[next] != 0) continue;
                                labels[next] = components;
                                open.push_back({nx, ny, nz});
                            }
                }
            }
    return labels;
}

constexpr weft::connectivity all_connectivities[] = {
    {false, true}, {true, true}, {false, true, true}, {false, false}, {true, false}};

/// Returns the blocks of a volume with their runs.
inline weft::block_set<weft::labelled_block> blocks_of(
    volume const& of, weft::regular_grid<std::int64_t> const& grid, weft::assignment const& where) {
    return {world(), grid, where, [&](weft::block_id id) {
                weft::labelled_block block;
                block.rows = of.runs(grid.bounds(id));
                return block;
            }};
}

} // namespace weft_test
