/// Components that are too small, or not among the largest, become background.
#pragma once

#include <labelling/block_labels.hpp>

#include <cstdint>
#include <optional>

namespace weft {

/// The components that stay.
struct kept_components {
    std::int64_t dust = 0;               ///< the least number of voxels of a component that stays
    std::optional<std::int64_t> largest; ///< the most components that stay; of equal ones the first
};

/// Components that are gone, and their voxels.
struct dropped_components {
    std::int64_t components = 0;
    std::int64_t voxels = 0;
};

/// Drops the runs of all other components from labelled blocks, and labels these again, so that numbers count
/// from 1; `summary` becomes that of the components that stay.
/// Collective: yes. Blocks: until all ranks have called. Cost: `label_blocks`, and for `largest` a reduction
/// of that number of pairs. Throws: as `label_blocks`.
dropped_components drop_components(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
    label_options const& options, kept_components const& kept, label_summary& summary);

} // namespace weft
