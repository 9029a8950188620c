/// Connected components of volumes.
#pragma once

#include <weft/blocks/regular_grid.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/value_bound.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// The rules for the foreground and for neighbours; equal on all ranks.
struct volume_label_options {
    value_bound threshold = 0.5;           ///< The least value of the foreground; NaN is background.
    std::optional<value_bound> below = {}; ///< If set, foreground values are also less than this value.
    /// The value that marks missing data; missing voxels are background.
    std::optional<double> missing = {};
    /// True if voxels that share only an edge or a corner are neighbours, too: 26 neighbours instead of 6.
    bool corners = false;
    /// True if voxels that share only an edge are neighbours, too: 18 neighbours.
    bool edges = false;
};

/// The components of a volume. All members but `labels` are equal on all ranks.
struct volume_labels {
    /// The labels of this rank's voxels, in the order of the values: 0 for background, else the number of the
    /// component. Components are numbered from 1 in the order of their first voxels, with x running fastest.
    std::vector<std::int64_t> labels;
    std::int64_t components = 0;       ///< The number of components.
    std::int64_t foreground = 0;       ///< the number of voxels in the foreground
    std::vector<std::int64_t> largest; ///< the ten largest components' sizes in voxels, descending
};

/// Labels the connected components of the foreground of a volume that is cut into the blocks of `grid`. The
/// grid has three dimensions, is not periodic, and its blocks share no layers of cells. The domain of the
/// grid may begin at any cell. Blocks are assigned to ranks by `assignment::contiguous`: if there is one
/// block per rank, block r is on rank r. `mine` has the values of the blocks of this rank, one block after
/// the other, with x running fastest. `T` is an integer type or a floating-point type.
///
/// Collective: yes. Blocks: until all ranks have their labels. Cost: one pass over the values, one exchange
/// of runs of foreground voxels at the faces of blocks, and a union-find over blocks; 8 bytes of memory per
/// voxel. Order: labels do not depend on the numbers of ranks and blocks. Throws: `usage_error` on all ranks
/// for a grid that does not have three dimensions, is periodic, has shared layers or 2^63 cells or more; for
/// a threshold that is not finite; for a number of values that is not the number of cells; and for grids,
/// types or options that differ between ranks. Source: He, Chao, Suzuki, IEEE Transactions on Image
/// Processing 2008 (labels of runs); Morozov and others, LDAV 2021 (the union-find over blocks).
template <class T>
[[nodiscard]] volume_labels label_volume(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::span<T const> mine, volume_label_options const& options = {});

/// Does the same as the overload for spans, with a vector of values.
template <class T>
[[nodiscard]] volume_labels label_volume(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::vector<T> const& mine, volume_label_options const& options = {}) {
    return label_volume(comm, grid, std::span<T const>(mine), options);
}

} // namespace weft
