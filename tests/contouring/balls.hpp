/// Fields with known surfaces, and checks of surfaces on one rank.
#pragma once

#include <weft/collective/gather.hpp>
#include <weft/contouring/contour.hpp>
#include <weft/frames/uniform_distribution.hpp>

#include <harness/mpi_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace weft_test {

/// A whole grid, the same on all ranks.
struct field {
    std::array<std::int64_t, 3> points;
    std::vector<double> values;
    std::array<std::vector<double>, 3> axes;
    weft::placement place = {};

    [[nodiscard]] double at(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return values[static_cast<std::size_t>((z * points[1] + y) * points[0] + x)];
    }
};

/// Returns a field of the depth of points in a ball in the middle of a cube.
inline field ball_of(std::int64_t width, double radius) {
    field made{{width, width, width}, {}, {}};
    double const middle = static_cast<double>(width - 1) / 2;
    for (std::int64_t z = 0; z < width; ++z)
        for (std::int64_t y = 0; y < width; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                made.values.push_back(
                    radius - std::hypot(static_cast<double>(x) - middle, static_cast<double>(y) - middle,
                                 static_cast<double>(z) - middle));
    return made;
}

inline field noise_of(std::array<std::int64_t, 3> points) {
    field made{points, {}, {}};
    std::uint64_t state = 12345;
    for (std::int64_t i = 0; i < points[0] * points[1] * points[2]; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        made.values.push_back(static_cast<double>(state >> 11) * 0x1p-53);
    }
    return made;
}

/// Surrounds the field with a rim of one value.
inline field with_rim(field const& of, double value) {
    field made{{of.points[0] + 2, of.points[1] + 2, of.points[2] + 2}, {}, {}};
    for (std::int64_t z = -1; z <= of.points[2]; ++z)
        for (std::int64_t y = -1; y <= of.points[1]; ++y)
            for (std::int64_t x = -1; x <= of.points[0]; ++x) {
                bool const rim =
                    x < 0 || y < 0 || z < 0 || x == of.points[0] || y == of.points[1] || z == of.points[2];
                made.values.push_back(rim ? value : of.at(x, y, z));
            }
    return made;
}

/// Returns views of the layers of cells of this rank; lower ranks have smaller z.
inline std::vector<weft::grid_values<double>> layers_of(field const& of) {
    weft::uniform_distribution const layers(of.points[2] - 1, world().size());
    std::int64_t const first = layers.begin(world().rank());
    std::int64_t const end = layers.end(world().rank());
    std::vector<weft::grid_values<double>> mine;
    std::size_t const layer = static_cast<std::size_t>(of.points[0] * of.points[1]);
    if (first < end)
        mine.push_back({{3, {0, 0, first}, {of.points[0], of.points[1], end + 1}},
            std::span(of.values).subspan(
                static_cast<std::size_t>(first) * layer, static_cast<std::size_t>(end + 1 - first) * layer)});
    return mine;
}

inline weft::contour_result contour_of(
    field const& of, weft::contour_options const& options, std::optional<double> missing = {}) {
    std::vector<weft::grid_values<double>> const mine = layers_of(of);
    return contour(world(), {of.points, of.axes, missing, {}, of.place},
        std::span<weft::grid_values<double> const>(mine), options);
}

/// Counts the edges between neighbours one of which is inside; both must belong to a cell with all values.
inline std::int64_t crossed_edges(field const& of, double value, std::optional<double> missing = {}) {
    auto const known = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        for (int corner = 0; corner < 8; ++corner) {
            double const at = of.at(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
            if (!std::isfinite(at) || (missing && at == *missing)) return false;
        }
        return true;
    };
    std::map<std::pair<std::int64_t, int>, bool> found;
    for (std::int64_t z = 0; z + 1 < of.points[2]; ++z)
        for (std::int64_t y = 0; y + 1 < of.points[1]; ++y)
            for (std::int64_t x = 0; x + 1 < of.points[0]; ++x) {
                if (!known(x, y, z)) continue;
                for (int d = 0; d < 3; ++d)
                    for (int other = 0; other < 4; ++other) {
                        std::int64_t at[3] = {x, y, z};
                        at[(d + 1) % 3] += other & 1;
                        at[(d + 2) % 3] += other >> 1;
                        double const a = of.at(at[0], at[1], at[2]);
                        double const b = of.at(at[0] + (d == 0), at[1] + (d == 1), at[2] + (d == 2));
                        if ((a >= value) != (b >= value))
                            found[{(at[2] * of.points[1] + at[1]) * of.points[0] + at[0], d}] = true;
                    }
            }
    return static_cast<std::int64_t>(found.size());
}

/// The whole surface, on each rank.
struct whole_surface {
    std::vector<std::array<double, 3>> places;
    std::vector<std::array<float, 3>> normals;
    std::vector<std::int32_t> values;
    std::vector<std::array<weft::global_id, 3>> corners;

    friend bool operator==(whole_surface const&, whole_surface const&) = default;
};

inline whole_surface gathered(weft::surface const& of) {
    return {all_gatherv(world(), of.places), all_gatherv(world(), of.normals),
        all_gatherv(world(), of.values), all_gatherv(world(), of.corners)};
}

/// Counts sides of triangles that no other triangle has in the opposite direction.
inline std::int64_t open_sides(whole_surface const& of) {
    std::map<std::pair<weft::global_id, weft::global_id>, std::int64_t> sides;
    for (auto const& corners : of.corners)
        for (std::size_t k = 0; k < 3; ++k) {
            ++sides[{corners[k], corners[(k + 1) % 3]}];
            --sides[{corners[(k + 1) % 3], corners[k]}];
        }
    std::int64_t open = 0;
    for (auto const& [side, count] : sides) open += count != 0;
    return open;
}

/// Fails for two points at one place, unused points, and triangles without an area.
inline void expect_points_apart(whole_surface const& of) {
    std::vector<std::array<double, 3>> sorted = of.places;
    std::ranges::sort(sorted);
    EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
    std::vector<bool> used(of.places.size());
    for (auto const& corners : of.corners) {
        std::array<double, 3> side[2];
        for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t k = 0; k < 2; ++k)
                side[k][d] = of.places[static_cast<std::size_t>(corners[k + 1])][d] -
                             of.places[static_cast<std::size_t>(corners[0])][d];
        double size = 0;
        for (std::size_t d = 0; d < 3; ++d)
            size += std::abs(side[0][d] * side[1][(d + 1) % 3] - side[0][(d + 1) % 3] * side[1][d]);
        EXPECT_GT(size, 0);
        for (weft::global_id const corner : corners) used[static_cast<std::size_t>(corner)] = true;
    }
    EXPECT_EQ(std::ranges::count(used, false), 0);
}

/// Returns the volume within a closed surface; negative if its triangles are turned inside out.
inline double enclosed(whole_surface const& of) {
    double six = 0;
    for (auto const& corners : of.corners) {
        auto const& a = of.places[static_cast<std::size_t>(corners[0])];
        auto const& b = of.places[static_cast<std::size_t>(corners[1])];
        auto const& c = of.places[static_cast<std::size_t>(corners[2])];
        six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return six / 6;
}

} // namespace weft_test
