/// A picture of labels over the grey values that were labelled.
#pragma once

#include <grids/grid_source.hpp>
#include <labelling/paint_labels.hpp>
#include <pictures/theme.hpp>
#include <pictures/write_png.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

enum class picture_view : std::uint8_t {
    slices, ///< the middle planes along z, y and x, and below them projections along these
    frames  ///< planes along z beside each other, at most 24 of them, evenly chosen
};

/// The voxels of a block: their values and labels. The values must outlive this.
struct seen_block {
    std::vector<std::byte> const* values;
    painted_box const* labels;
};

/// The words of a picture of labels.
struct label_words {
    std::string title;
    std::string value = "value"; ///< name of the values, with their unit if it is known
};

/// Draws a grid. Each component has one of a few colours that colour-blind people can tell apart. The largest
/// one, if it has more than half of the foreground, has a calm blue. A pixel of a projection shows the first
/// component along the view that is not calm. Components almost too small to be seen have rings around them.
/// Only pixels of the picture are sent. Collective: yes. Blocks: until all ranks have called. Returns the
/// picture on rank 0, an empty one on others. Order: the picture does not depend on blocks and ranks. Throws:
/// `mpi_error`.
[[nodiscard]] picture draw_labels(communicator const& comm, grid_shape const& shape,
    std::vector<seen_block> const& mine, picture_view view, std::int64_t calm_component,
    label_words const& words, theme const& look);

} // namespace weft
