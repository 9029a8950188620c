/// The components of a labelled volume as a table: size, box, centroid, values and contacts with the border.
#pragma once

#include <labelling/block_labels.hpp>

#include <weft/grids/grid_shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::tool {

/// Writes a row for each component, in their order; places are voxels, from 0. `all`: of the volume;
/// `values`: of each block of this rank, in the type `type`. No number depends on ranks and blocks.
/// Collective. Cost: O(runs and voxels / P), one exchange of the components of each block.
void write_regions(block_set<labelled_block>& blocks, box<std::int64_t> const& all, std::int64_t components,
    value_type type, std::span<std::vector<std::byte> const> values, std::string const& file);

} // namespace weft::tool
