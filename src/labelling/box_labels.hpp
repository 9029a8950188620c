/// Connected components of the foreground of one box.
#pragma once

#include <labelling/row_runs.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// The voxels that count as neighbours of a voxel.
struct connectivity {
    bool corners = false;      ///< also voxels that share only an edge or a corner
    bool across_planes = true; ///< also voxels of the planes before and behind
    bool edges = false;        ///< also voxels that share only an edge; implied by `corners`

    /// Returns true if voxels at these distances along x, y and z, each at most 1, are neighbours.
    [[nodiscard]] constexpr bool joins(std::int64_t dx, std::int64_t dy, std::int64_t dz) const noexcept {
        return (dz == 0 || across_planes) && dx * dx + dy * dy + dz * dz <= (corners ? 3 : edges ? 2 : 1);
    }
    /// Returns the gap along x at which runs of two rows are neighbours; dy, dz: the distance of the rows.
    [[nodiscard]] constexpr std::int32_t reach(std::int64_t dy, std::int64_t dz) const noexcept {
        return joins(1, dy, dz) ? 1 : 0;
    }
};

/// The components of a box, numbered from 0 in the order of their first voxels.
struct box_labels {
    std::vector<std::uint32_t> of_run;
    std::vector<std::uint32_t> first_run; ///< of each component: the run with its first voxel
};

/// Finds the components within a box. Local. Cost: almost O(runs); 4 bytes a run.
[[nodiscard]] box_labels label_box(row_runs const& rows, connectivity const& neighbors);

} // namespace weft
