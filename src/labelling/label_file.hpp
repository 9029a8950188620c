/// Files of labels, with the place of the volume in space.
#pragma once

#include <grids/grid_source.hpp>
#include <labelling/paint_labels.hpp>

#include <weft/core/communicator.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Throws `usage_error` where the format that a file has by its name cannot say where the points of `shape`
/// lie, and names one that can: .vti, .nrrd and .nii have even axes, .vtr those of the world. Local.
void check_label_file(std::filesystem::path const& file, grid_shape const& shape);

/// Writes labels into one file by what its name ends in: .vti and .vtr for VTK, .nrrd, .nii (NIfTI-1), all
/// with the place of `shape`; else nothing but the labels. `mine`: the boxes of this rank; all together they
/// are the points of the grid.
///
/// Collective: yes. Blocks: until all have written. Cost: a write for each row of a box, for each plane
/// where it has whole rows, one where it has whole planes. Throws: `io_error`; `usage_error` as above;
/// agreed.
void write_labels(communicator const& comm, std::filesystem::path const& file, grid_shape const& shape,
    bool wide, std::vector<painted_box> const& mine);

} // namespace weft
