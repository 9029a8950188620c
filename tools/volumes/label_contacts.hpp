/// Components of a labelled volume that touch each other, as a table.
#pragma once

#include <labelling/block_labels.hpp>

#include <cstdint>
#include <string>

namespace weft::tool {

/// Writes a row for each pair of components that touch at an edge or a corner of voxels: the lower number,
/// the higher one, and the pairs of voxels that do. Where these are neighbours, no two components touch. No
/// number depends on ranks and blocks. Collective: yes. Cost: 8 bytes and 13 comparisons a voxel, the ghosts
/// of labels, and one exchange of the pairs of each block. Throws: `io_error`.
void write_contacts(block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid,
    std::int64_t components, std::string const& file);

} // namespace weft::tool
