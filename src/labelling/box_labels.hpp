/// Connected components of the foreground of one box.
#pragma once

#include <labelling/row_runs.hpp>

#include <cstdint>
#include <vector>

namespace weft {

/// Which voxels are neighbours.
struct connectivity {
    bool corners = false;      ///< also those that share an edge or a corner, not only a face
    bool across_planes = true; ///< also those of the planes before and behind, not only of the same plane
    bool edges = false;        ///< also those that share an edge; `corners` has them too

    /// True if voxels so far apart along x, y and z, at most one each, are neighbours.
    [[nodiscard]] constexpr bool joins(std::int64_t dx, std::int64_t dy, std::int64_t dz) const noexcept {
        return (dz == 0 || across_planes) && dx * dx + dy * dy + dz * dz <= (corners ? 3 : edges ? 2 : 1);
    }
    /// How far apart along x runs may be, of two rows so far apart along y and z.
    [[nodiscard]] constexpr std::int32_t reach(std::int64_t dy, std::int64_t dz) const noexcept {
        return joins(1, dy, dz) ? 1 : 0;
    }
};

/// The components of a box, numbered from 0 in the order of their first voxels.
struct box_labels {
    std::vector<std::uint32_t> of_run;
    std::vector<std::uint32_t> first_run; ///< of each component; it begins with the first voxel
};

/// Finds the components within a box. Local. Cost: O(runs), nearly; 4 bytes a run.
[[nodiscard]] box_labels label_box(row_runs const& rows, connectivity const& neighbors);

} // namespace weft
