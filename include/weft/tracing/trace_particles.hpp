/// Traces particles through a field of vectors in the memory of all ranks, or given by a formula.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/core/communicator.hpp>
#include <weft/tracing/traces.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// The points and times at which a field has values: a grid with straight axes. Values are interpolated,
/// trilinearly between points and linearly between steps. The grid is equal on all ranks.
struct vector_grid {
    std::array<std::int64_t, 3> points{1, 1, 1}; ///< The number of points along x, y and z.
    /// Coordinates of the points along each axis, ascending. Default: 0, 1, 2, ...
    std::array<std::vector<double>, 3> axes = {};
    /// The times of the field's time steps, ascending; a single time for a steady field.
    std::vector<double> times{0};
    /// True for axes whose last point is the same as their first point: a particle that leaves at one end
    /// enters at the other.
    std::array<bool, 3> periodic{};
};

/// Limits of the paths, and options of their computation. Times are in the units of the field's times; the
/// options are equal on all ranks.
struct path_options {
    /// True for steps by Dormand and Prince, of order 5, whose length is adapted to their error; false for
    /// classical Runge-Kutta steps of order 4 and fixed length.
    bool adaptive = false;
    /// The duration of a step, or of the first step if steps are adaptive. The value 0 means the time in
    /// which the fastest flow crosses half of the narrowest cell.
    double step = 0;
    std::int64_t max_steps = 1000; ///< the most steps of a particle
    /// The time for which each particle travels, if steps are adaptive.
    double duration = std::numeric_limits<double>::infinity();
    double tolerance = 1e-6; ///< the largest error of an adaptive step, divided by the domain's diagonal
    double min_step = 0;     ///< the shortest adaptive step; 0 means a millionth of `step`
    /// The longest adaptive step. The value 0 means the time in which the fastest flow crosses the domain.
    double max_step = 0;
    /// The time at which paths begin. Default: the first time of the field, or the last time if `backward` is
    /// true.
    std::optional<double> start = {};
    bool backward = false;   ///< True for paths against the flow, back in time.
    bool lines = false;      ///< True to keep all points of paths, not only their ends.
    std::int64_t blocks = 4; ///< The number of blocks on each rank; fewer if there are too few cells.
    int threads = 1;         ///< The number of blocks on which a rank works at the same time.
    /// True if all blocks exchange particles in rounds, false if each block sends particles at any time.
    bool in_rounds = false;
};

/// Reads a field for `trace_particles`: a reference to a callable of any type.
class vector_reader {
public:
    /// A function that reads the values at `points` of the time step `step` into memory for `values` numbers.
    using call = void (*)(
        void* with, std::size_t step, box<std::int64_t> const& points, std::byte* into, std::size_t values);

    /// Makes a reader from a function and its first argument `with`, which must outlive the reader.
    vector_reader(call reads, void* with, bool is_double) noexcept
        : reads_(reads), with_(with), is_double_(is_double) {}

    /// Reads the values at the points of a box, with x running fastest, into memory for `values` numbers.
    void operator()(
        std::size_t step, box<std::int64_t> const& points, std::byte* into, std::size_t values) const {
        reads_(with_, step, points, into, values);
    }
    /// Returns true if the callable reads values of type double, false if float.
    [[nodiscard]] bool is_double() const noexcept { return is_double_; }

private:
    call reads_;
    void* with_;
    bool is_double_;
};

/// Traces particles through a field that `read` reads. Collective, Blocks, Cost, Throws: as the template
/// `trace_particles`.
[[nodiscard]] traces trace_particles(communicator const& comm, vector_grid const& grid, vector_reader read,
    std::span<vector3 const> seeds, path_options const& options);

/// Traces particles from `seeds`, the places where this rank's particles start. Seeds have the ids 0, 1, ...
/// over all ranks, in the order of ranks. Blocks of the grid are assigned to ranks. Each rank gets velocities
/// by calls `read(step, points, into)`, which write the velocities at a box of points into a span of T: with
/// x running fastest, and three values for each point. The span has zeros before the call. Values that are
/// not finite are missing; a particle ends there as at the end of the domain. `read` must be able to give the
/// values at any points of the grid; it is called for the points of this rank's blocks and of a layer of
/// cells around them.
///
/// T is double, or float, which takes half the memory. Collective: yes. Blocks: until the paths of all
/// particles have ended. Cost: memory for all steps of the values of this rank's blocks; a message each time
/// that a particle enters a block, and four sparse exchanges. Order: results have the same bits at any number
/// of ranks, blocks and threads, and for both values of `path_options::in_rounds`; ends are distributed
/// evenly over the ranks, by id. Throws: `usage_error` on all ranks for axes and times that do not ascend or
/// have wrong lengths, for invalid options, and for grids and options that differ between ranks; errors of
/// `read` on its rank, and `remote_error` on the others. Source: Morozov and others, LDAV 2021, section 4.1
/// (iexchange).
template <class T = double, class Read>
[[nodiscard]] traces trace_particles(communicator const& comm, vector_grid const& grid, Read&& read,
    std::span<vector3 const> seeds, path_options const& options = {}) {
    static_assert(std::same_as<T, double> || std::same_as<T, float>,
        "trace_particles: the values of a field are double or float");
    auto reads = [&read](
                     std::size_t step, box<std::int64_t> const& points, std::byte* into, std::size_t values) {
        read(step, points, std::span<T>(reinterpret_cast<T*>(into), values));
    };
    vector_reader const lent(
        [](void* with, std::size_t step, box<std::int64_t> const& points, std::byte* into,
            std::size_t values) { (*static_cast<decltype(reads)*>(with))(step, points, into, values); },
        &reads, std::same_as<T, double>);
    return trace_particles(comm, grid, lent, seeds, options);
}

} // namespace weft
