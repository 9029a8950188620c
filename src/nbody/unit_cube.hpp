/// The cube that the octree divides, the same on all ranks.
#pragma once

#include <weft/nbody/particle.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>

namespace weft::nbody {

/// Levels of the octree below its root: a cluster may be 10^11 times smaller than the cube.
inline constexpr int deepest_level = 42;

/// The path from the root to a cell: three bits for each level, the first 21 levels in `high`.
struct cell_key {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend auto operator<=>(cell_key const&, cell_key const&) = default;

    /// Returns the key of a child at `level`; this key must end above that level.
    [[nodiscard]] cell_key child(int level, std::uint64_t digit) const noexcept {
        return level <= half ? cell_key{high | digit << 3 * (half - level), low}
                             : cell_key{high, low | digit << 3 * (deepest_level - level)};
    }
    /// Returns the last key in the cell at `level` that begins with this key.
    [[nodiscard]] cell_key last(int level) const noexcept {
        return level <= half ? cell_key{high | ones(half - level), ones(half)}
                             : cell_key{high, low | ones(deepest_level - level)};
    }

private:
    static constexpr int half = deepest_level / 2;
    static constexpr std::uint64_t ones(int levels) noexcept { return (std::uint64_t{1} << 3 * levels) - 1; }
};

/// An axis-parallel box; empty until a point is added.
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

/// Shifts positions by an origin and scales them by a power of two, so that the cube has side 1. Then powers
/// of distances stay within the range of doubles, and few digits are lost if all particles are far from 0.
class unit_cube {
public:
    unit_cube() = default;
    unit_cube(bounds const& of_all, std::array<double, 3> const& origin);

    /// Returns a position of the input in units of the cube.
    [[nodiscard]] std::array<double, 3> place_of(std::array<double, 3> const& position) const noexcept {
        return {scaled(position[0] - origin_[0]), scaled(position[1] - origin_[1]),
            scaled(position[2] - origin_[2])};
    }
    /// Returns a length of the input in units of the cube.
    [[nodiscard]] double scaled(double length) const noexcept { return length * scale_; }
    /// Returns 2^-k for a cube of side 2^k.
    [[nodiscard]] double scale() const noexcept { return scale_; }

    /// Returns the key of the deepest cell that contains a place.
    [[nodiscard]] cell_key key_of(std::array<double, 3> const& place) const noexcept;
    /// Computes the centre of the cell at a level whose key begins with this one.
    void center_of(cell_key const& key, int level, double (&center)[3]) const noexcept;

private:
    double scale_ = 1;
    std::array<double, 3> origin_{};
    std::array<double, 3> lo_{}; // scaled
};

} // namespace weft::nbody
