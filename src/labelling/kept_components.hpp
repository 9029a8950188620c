/// Turns components that are too small, or not among the largest, into background.
#pragma once

#include <labelling/block_labels.hpp>

#include <cstdint>
#include <optional>

namespace weft {

/// The components that are kept.
struct kept_components {
    std::int64_t dust = 0;               ///< the least number of voxels of a kept component
    std::optional<std::int64_t> largest; ///< most components that are kept; of equal ones, the first
};

/// The number of dropped components, and of their voxels.
struct dropped_components {
    std::int64_t components = 0;
    std::int64_t voxels = 0;
};

/// Drops the runs of all other components from labelled blocks, and labels these again, so that numbers count
/// from 1. `summary` becomes that of the kept components.
/// Collective: yes. Blocks: until all ranks have called. Cost: `label_blocks`, and for `largest` a reduction
/// of that number of pairs. Throws: as `label_blocks`.
dropped_components drop_components(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
    label_options const& options, kept_components const& kept, label_summary& summary);

} // namespace weft
