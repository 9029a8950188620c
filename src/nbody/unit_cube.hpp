/// The cube that the octree divides, the same on all ranks.
#pragma once

#include <weft/nbody/particle.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace weft::nbody {

/// Levels of the octree below its root; a key has three bits for each.
inline constexpr int deepest_level = 21;

/// An axis-parallel box; empty where nothing was added.
struct bounds {
    std::array<double, 3> lo;
    std::array<double, 3> hi;

    bounds() {
        lo.fill(std::numeric_limits<double>::infinity());
        hi.fill(-std::numeric_limits<double>::infinity());
    }
    void add(std::array<double, 3> const& point) noexcept {
        for (std::size_t d = 0; d < 3; ++d) {
            lo[d] = point[d] < lo[d] ? point[d] : lo[d];
            hi[d] = point[d] > hi[d] ? point[d] : hi[d];
        }
    }
    [[nodiscard]] bool empty() const noexcept { return !(lo[0] <= hi[0]); }
};

[[nodiscard]] bounds bounds_of(std::span<particle const> particles) noexcept;

/// Scales positions by a power of two, which loses nothing, so that the cube has side 1: then no power of a
/// distance leaves the range of doubles.
class unit_cube {
public:
    unit_cube() = default;
    explicit unit_cube(bounds const& of_all);

    /// A position of the input in units of the cube.
    [[nodiscard]] double scaled(double coordinate) const noexcept { return coordinate * scale_; }
    /// 2^-k where the side of the cube is 2^k.
    [[nodiscard]] double scale() const noexcept { return scale_; }

    /// The digits of the cells that hold a scaled point, the root's first.
    [[nodiscard]] std::uint64_t key_of(double const (&point)[3]) const noexcept;
    /// The centre of the cell at a level whose key begins like this one.
    void center_of(std::uint64_t key, int level, double (&center)[3]) const noexcept;

private:
    double scale_ = 1;
    std::array<double, 3> lo_{}; // scaled
};

} // namespace weft::nbody
