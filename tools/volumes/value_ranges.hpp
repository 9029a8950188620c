/// The least and the greatest of the values of files.
#pragma once

#include <grids/grid_source.hpp>

#include <weft/contouring/mesh.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/value_bound.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::tool {

/// Of one component, over all ranks.
struct value_range {
    value_bound least = 0; ///< of the finite values
    value_bound greatest = 0;
    std::int64_t finite = 0;
    std::int64_t missing = 0; ///< NaN, or the value that stands for none
    std::int64_t infinite = 0;
};

/// The ranges of the components of a volume. Each rank reads planes of its own, some megabytes at a time.
/// Collective. Throws: `io_error`, agreed.
[[nodiscard]] std::vector<value_range> ranges_of(communicator const& comm, grid_source& source);

/// The ranges of values in memory, `components` of them together. Collective.
[[nodiscard]] std::vector<value_range> ranges_of(
    communicator const& comm, std::span<double const> values, int components);

} // namespace weft::tool
