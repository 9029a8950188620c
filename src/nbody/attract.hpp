/// The forces of point masses and of cells on a few particles: the innermost loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::nbody {

/// The particles that are computed side by side.
inline constexpr std::size_t lanes_a_block = 8;
/// A group walks the tree together: one bit a particle in a mask.
inline constexpr std::size_t blocks_a_group = 4;
inline constexpr std::size_t group_size = lanes_a_block * blocks_a_group;

/// Particles that are attracted, and their attraction so far. `half_softening`: half of the squared
/// softening.
struct target_block {
    alignas(64) double x[lanes_a_block];
    alignas(64) double y[lanes_a_block];
    alignas(64) double z[lanes_a_block];
    alignas(64) double half_softening[lanes_a_block];
    alignas(64) double ax[lanes_a_block];
    alignas(64) double ay[lanes_a_block];
    alignas(64) double az[lanes_a_block];
    alignas(64) double potential[lanes_a_block];
};

/// Point masses that attract, an array a property.
struct source_arrays {
    std::vector<double> x, y, z, mass, half_softening;

    [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
    void clear();
    void reserve(std::size_t sources);
    void push_back(double const (&place)[3], double its_mass, double its_half_softening);
};

/// The masses of a cell as seen from afar: about their centre of mass, `second` = 3 sum of m x x, its entries
/// xx, yy, zz, xy, xz, yz, and `trace` = xx + yy + zz.
struct multipole {
    double mass = 0;
    double center[3] = {};
    double second[6] = {};
    double trace = 0;
    double half_softening = 0; ///< Weighed by mass.
};

/// A cell, and the particles of a group that take it as a whole.
struct cell_entry {
    std::size_t cell;
    std::uint32_t mask;
};
/// Sources one after the other, and the particles of a group that take each of them.
struct source_entry {
    std::size_t begin;
    std::size_t end;
    std::uint32_t mask;
};

/// Adds the attraction of cells and sources to a group of `blocks` blocks, for G = 1. A source at the place
/// of a particle exerts no force; it adds to the potential where one of them is softened. Local.
void attract(std::span<target_block> blocks, std::span<cell_entry const> cells, multipole const* multipoles,
    std::span<source_entry const> runs, source_arrays const& sources);

/// The particles of a group whose squared distance from a point is at least `least`, as a mask.
[[nodiscard]] std::uint32_t far_enough(
    std::span<target_block const> blocks, double const (&point)[3], double least);

} // namespace weft::nbody
