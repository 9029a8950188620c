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

/// The rule for the foreground and for neighbours in it; equal on all ranks.
struct volume_label_options {
    value_bound threshold = 0.5;           ///< Foreground values are at least this; NaN is background.
    std::optional<value_bound> below = {}; ///< Foreground values are less than this, if it is set.
    std::optional<double> missing = {};    ///< The value of missing data, which is background.
    bool corners = false; ///< True if an edge or a corner in common makes neighbours: 26 of them, not 6.
    bool edges = false;   ///< True if an edge in common makes neighbours: 18 of them.
};

/// The components of a volume. All members but `labels` are equal on all ranks.
struct volume_labels {
    /// The labels of this rank's voxels, in the order of their values: 0 for background, else the number of
    /// the component, from 1 in the order of first voxels, x fastest, as a serial labelling would.
    std::vector<std::int64_t> labels;
    std::int64_t components = 0;       ///< The number of components.
    std::int64_t foreground = 0;       ///< the number of voxels in the foreground
    std::vector<std::int64_t> largest; ///< sizes in voxels of the largest ten, descending
};

/// Labels the foreground of a volume that is cut into the blocks of `grid`, of three dimensions, whose domain
/// may begin anywhere; it does not wrap, and blocks share no layers of cells. Blocks are dealt to ranks as by
/// `assignment::contiguous`: with one block per rank, block r is on rank r. `mine`: the
/// values of the blocks of this rank, x fastest, one block behind the other. T is a type of integers or real
/// numbers.
///
/// Collective: yes. Blocks: until all ranks have their labels. Cost: one pass over the values, one exchange
/// of the runs at faces of blocks and a union-find over blocks; 8 bytes per voxel. Order: labels do not
/// depend on ranks and blocks. Throws: `usage_error` on all ranks for a grid without three dimensions, that
/// wraps, has shared layers or 2^63 cells, a threshold that is not finite, a `mine` without a value for each
/// cell, and grids, types or options that differ between ranks. Source: He, Chao, Suzuki, IEEE Trans. Image
/// Processing 2008 (labels of runs); Morozov and others, LDAV 2021 (the union-find over blocks).
template <class T>
[[nodiscard]] volume_labels label_volume(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::span<T const> mine, volume_label_options const& options = {});

/// Does the same for a vector of values.
template <class T>
[[nodiscard]] volume_labels label_volume(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::vector<T> const& mine, volume_label_options const& options = {}) {
    return label_volume(comm, grid, std::span<T const>(mine), options);
}

} // namespace weft
