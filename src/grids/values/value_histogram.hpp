/// Histograms and other properties of the distribution of a grid's values.
#pragma once

#include <grids/grid_source.hpp>

#include <weft/core/communicator.hpp>
#include <weft/core/value_bound.hpp>
#include <weft/frames/block_distribution.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

struct histogram_options {
    std::int64_t bins = 64;
    /// The range of the bins; without a value: from the least value to the greatest.
    std::optional<std::pair<value_bound, value_bound>> range = {};
    std::vector<double> quantiles = {};
    std::int64_t blocks = 64; ///< slabs of the grid, independent of the number of ranks
};

/// Values distributed in blocks over the ranks, as those of a mesh; NaN for missing ones.
struct spread_values {
    block_distribution const& where;
    std::vector<double> const& mine; ///< of this rank's block
};

/// Properties of the finite values of a grid. Without any, least, greatest, mean and quantiles are NaN.
struct value_histogram {
    std::int64_t finite = 0;
    std::int64_t missing = 0;  ///< NaN, or the value that marks missing data
    std::int64_t infinite = 0; ///< counted nowhere else
    std::int64_t below = 0;    ///< less than all bins
    std::int64_t above = 0;
    value_bound least = 0;
    value_bound greatest = 0;
    double mean = 0;
    double entropy = 0; ///< of the fractions of the bins, in bits
    double lo = 0;      ///< range of the bins
    double hi = 0;
    std::vector<std::int64_t> counts;
    std::vector<double> quantiles; ///< exact, interpolated between two values

    /// Returns the lower edge of a bin. Bin i has the values from edge i up to edge i + 1; the last bin
    /// includes its upper edge. Outer edges are compared by `value_bound`, others as doubles. Local.
    [[nodiscard]] double edge(std::size_t bin) const noexcept;
};

/// Counts the values of a grid of one component over all ranks. `lap` is called with "read", "count" and
/// "quantiles" after these steps.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: each rank reads its slabs and keeps them;
/// O(values / P) twice, six times more for quantiles; a merge of the histograms of blocks. Order: of the
/// slabs; the same bits at any number of ranks. Throws: `usage_error` for invalid bins, range, quantiles or
/// number of slabs; `io_error`, agreed. Source: Peterka, Ross, EuroMPI 2012, section 3.1.
[[nodiscard]] value_histogram histogram_of(communicator const& comm, grid_source& source,
    histogram_options const& options, std::function<void(std::string_view)> const& lap);

/// Does so for distributed values; slabs have successive ids. Cost: also a `block_to_block`; `lap` is called
/// with "move" instead of "read".
[[nodiscard]] value_histogram histogram_of(communicator const& comm, spread_values const& values,
    histogram_options const& options, std::function<void(std::string_view)> const& lap);

} // namespace weft
