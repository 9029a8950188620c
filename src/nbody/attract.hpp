/// The innermost loops: forces of point masses and cells on a few particles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::nbody {

/// The number of particles that are computed side by side.
inline constexpr std::size_t lanes_a_block = 8;
/// The blocks of a group, which walks the tree together; masks have one bit for each of its particles.
inline constexpr std::size_t blocks_a_group = 4;
inline constexpr std::size_t group_size = lanes_a_block * blocks_a_group;

/// Particles that are attracted, and the sums of their attractions. `half_softening`: half of the squared
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

/// Point masses that attract, with an array for each property.
struct source_arrays {
    std::vector<double> x, y, z, mass, half_softening;

    [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
    void clear();
    void reserve(std::size_t sources);
    void push_back(double const (&place)[3], double its_mass, double its_half_softening);
};

/// The multipole moments of a cell about its centre of mass. `second` = 3 sum of m x x, with entries xx, yy,
/// zz, xy, xz, yz; `trace` = xx + yy + zz.
struct multipole {
    double mass = 0;
    double center[3] = {};
    double second[6] = {};
    double trace = 0;
    double half_softening = 0; ///< The mean, weighted by mass.
};

/// A cell, and the particles of a group for which it acts as a whole.
struct cell_entry {
    std::size_t cell;
    std::uint32_t mask;
};
/// A range of sources, and the particles of a group on which each of them acts.
struct source_entry {
    std::size_t begin;
    std::size_t end;
    std::uint32_t mask;
};

/// Adds the attraction of cells and sources to a group of `blocks`, for G = 1. A source at the place of a
/// particle exerts no force; it adds to the potential if either is softened. Local.
void attract(std::span<target_block> blocks, std::span<cell_entry const> cells, multipole const* multipoles,
    std::span<source_entry const> runs, source_arrays const& sources);

/// Returns, as a mask, the particles of a group whose squared distance from a point is at least `least`.
[[nodiscard]] std::uint32_t far_enough(
    std::span<target_block const> blocks, double const (&point)[3], double least);

} // namespace weft::nbody
