/// The paths of particles, and how they ended.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// A place or a velocity, by its components along x, y and z.
using vector3 = std::array<double, 3>;

/// A point of a line, in 32-bit numbers.
struct line_point {
    float place[3]; ///< Coordinates along x, y and z.
    float speed;    ///< The length of the velocity at this point.
};

/// Whole paths of particles as lines, ordered by seed.
struct line_set {
    std::vector<std::int64_t> seeds; ///< The id of the seed where each line begins.
    std::vector<std::int64_t> ends;  ///< For each line, the index in `points` after its last point.
    std::vector<line_point> points;  ///< The points of all lines, one line after the other.

    /// Returns the index of a line's first point.
    [[nodiscard]] std::int64_t begin_of(std::size_t line) const noexcept {
        return line == 0 ? 0 : ends[line - 1];
    }
};

/// The end of a particle's path.
struct trace_end {
    std::int64_t id;     ///< the id of the particle's seed: 0, 1, ... over all ranks
    vector3 seed;        ///< The place where the path began.
    vector3 place;       ///< The particle's last place; within the domain if axes are periodic.
    std::int64_t steps;  ///< The number of steps of the integration.
    double path;         ///< The length of the path.
    std::int64_t inside; ///< 1 if the particle ended in the domain, else 0.
};

/// Totals of all particles; equal on all ranks.
struct trace_totals {
    std::int64_t seeds = 0;  ///< Seeds on all ranks.
    std::int64_t inside = 0; ///< Particles that end in the domain.
    std::int64_t steps = 0;  ///< Steps of the integration on all ranks.
    vector3 mean_final{};    ///< The mean of the particles' last places.
    double mean_path = 0;    ///< Mean length of the paths.
};

/// Traces of particles: their ends, and their lines if `path_options::lines` is true.
struct traces {
    /// The ends of paths on this rank, ascending by id; lower ranks have lower ids.
    std::vector<trace_end> ends;
    /// The lines of the particles in `ends`; lines continue beyond the ends of periodic axes.
    line_set lines;
    trace_totals totals; ///< Sums and means over all ranks.
    double seconds = 0;  ///< The seconds for which this rank traced particles.
};

} // namespace weft
