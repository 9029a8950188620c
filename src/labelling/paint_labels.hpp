/// Labels voxel by voxel, and files of them.
#pragma once

#include <labelling/block_labels.hpp>

#include <weft/blocks/box.hpp>
#include <weft/core/communicator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The labels of a box, x fastest, 0 for background: as int32, or as int64 where that is `wide`.
struct painted_box {
    box<std::int64_t> bounds;
    std::vector<std::int32_t> narrow;
    std::vector<std::int64_t> wide;
};

/// True if so many components need labels of 64 bits.
[[nodiscard]] constexpr bool labels_are_wide(std::int64_t components) noexcept {
    return components > INT32_MAX;
}

/// Local. Cost: one pass over the voxels.
[[nodiscard]] painted_box paint_labels(row_runs const& rows, label_layer const& layer, bool wide);

/// Where labels lie in space; spacing 0 along an axis that is not even stands for none, and counts as 1.
struct label_space {
    std::array<double, 3> origin{};
    std::array<double, 3> spacing{1, 1, 1};
};

/// Writes labels into one file: VTK image data where its name ends in .vti, else nothing but the labels.
/// `mine`: the boxes of this rank; all together they are the grid, `points` long along each axis.
/// Collective: yes. Blocks: until all have written. Cost: a write for each row of a box, for each plane
/// where it has whole rows, one where it has whole planes. Throws: `io_error`, agreed.
void write_labels(communicator const& comm, std::filesystem::path const& file,
    std::array<std::int64_t, 3> const& points, label_space const& space, bool wide,
    std::vector<painted_box> const& mine);

} // namespace weft
