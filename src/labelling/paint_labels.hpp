/// Labels voxel by voxel.
#pragma once

#include <labelling/block_labels.hpp>

#include <cstdint>
#include <vector>
#include <weft/blocks/box.hpp>

namespace weft {

/// The labels of a box, x fastest, 0 for background: as int64 if they are wide, else as int32.
struct painted_box {
    box<std::int64_t> bounds;
    std::vector<std::int32_t> narrow;
    std::vector<std::int64_t> wide;
};

/// Returns true if this number of components needs labels of 64 bits.
[[nodiscard]] constexpr bool labels_are_wide(std::int64_t components) noexcept {
    return components > INT32_MAX;
}

/// Local. Cost: one pass over the voxels.
[[nodiscard]] painted_box paint_labels(row_runs const& rows, label_layer const& layer, bool wide);

} // namespace weft
