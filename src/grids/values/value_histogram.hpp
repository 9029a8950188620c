/// How often the values of a grid fall into bins, and what else their distribution says.
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
    /// Of the bins; not given: from the least value to the greatest.
    std::optional<std::pair<value_bound, value_bound>> range = {};
    std::vector<double> quantiles = {};
    std::int64_t blocks = 64; ///< slabs that the grid is cut into, whatever the number of ranks
};

/// Values in blocks of all ranks, as those of a mesh are; NaN where there is none.
struct spread_values {
    block_distribution const& where;
    std::vector<double> const& mine; ///< of this rank's block
};

/// Of the finite values of a grid. Without any, least, greatest, mean and quantiles are NaN.
struct value_histogram {
    std::int64_t finite = 0;
    std::int64_t missing = 0;  ///< NaN, or the value that stands for none
    std::int64_t infinite = 0; ///< counted here alone
    std::int64_t below = 0;    ///< less than all bins
    std::int64_t above = 0;
    value_bound least = 0;
    value_bound greatest = 0;
    double mean = 0;
    double entropy = 0; ///< of the shares of the bins, in bits
    double lo = 0;      ///< of the bins
    double hi = 0;
    std::vector<std::int64_t> counts;
    std::vector<double> quantiles; ///< exact, between two values by their distance

    /// Bin i has the values from edge i to edge i + 1; the last one has its upper edge too. The outer edges
    /// are compared as `value_bound` says, those between as they are. Local.
    [[nodiscard]] double edge(std::size_t bin) const noexcept;
};

/// Counts the values of a grid of single values on all ranks. `lap` is called after reading, counting and
/// the search for quantiles, with these words.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: each rank reads its slabs and keeps them;
/// O(values / P) twice, six times more for quantiles; a merge of the histograms of blocks. Order: of the
/// slabs; the same bits at any number of ranks. Throws: `usage_error` for bins, a range, quantiles or a
/// number of slabs that cannot be; `io_error`, agreed. Source: Peterka, Ross, EuroMPI 2012, section 3.1.
[[nodiscard]] value_histogram histogram_of(communicator const& comm, grid_source& source,
    histogram_options const& options, std::function<void(std::string_view)> const& lap);

/// The same of values that are spread; slabs are of neighbouring ids. Cost: also a `block_to_block`; `lap` is
/// called with "move" in place of "read".
[[nodiscard]] value_histogram histogram_of(communicator const& comm, spread_values const& values,
    histogram_options const& options, std::function<void(std::string_view)> const& lap);

} // namespace weft
