/// Files of labels, with the place of the volume in space.
#pragma once

#include <grids/grid_source.hpp>
#include <labelling/paint_labels.hpp>

#include <weft/core/communicator.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Throws `usage_error` if the format chosen by a file's name cannot store where the points of `shape` lie,
/// and names one that can: .vti, .nrrd and .nii have even axes, .vtr those of the world. Local.
void check_label_file(std::filesystem::path const& file, grid_shape const& shape);

/// Writes labels into one file in the format of its suffix: .vti and .vtr for VTK, .nrrd, .nii (NIfTI-1), all
/// with the place of `shape`; any other name gives the labels alone. `mine`: the boxes of this rank; those of
/// all ranks together cover the grid.
///
/// Collective: yes. Blocks: until all have written. Cost: a write for each row of a box; for each plane if a
/// box has whole rows; for each box if it has whole planes. Throws: `io_error`; `usage_error` as above;
/// agreed.
void write_labels(communicator const& comm, std::filesystem::path const& file, grid_shape const& shape,
    bool wide, std::vector<painted_box> const& mine);

} // namespace weft
