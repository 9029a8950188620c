/// The components of a labelled volume as a table: size, box, centroid and range of values.
#pragma once

#include <labelling/block_labels.hpp>

#include <weft/grids/grid_shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::tool {

/// The head of the table; places are voxels, from 0.
[[nodiscard]] std::string head_of_regions();

/// The rows of this rank: each rank has an even share of the components, in their order, so that the rows of
/// all ranks one after the other are the table. `values`: of each block of this rank, in the type `type`. No
/// number depends on ranks and blocks. Collective. Cost: O(runs and voxels / P), one exchange of the
/// components of each block.
[[nodiscard]] std::string rows_of_regions(block_set<labelled_block>& blocks, std::int64_t components,
    value_type type, std::span<std::vector<std::byte> const> values);

} // namespace weft::tool
