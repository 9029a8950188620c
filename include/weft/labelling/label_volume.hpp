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

/// The rule for the foreground and for neighbours in it; the same on all ranks.
struct volume_label_options {
    value_bound threshold = 0.5;           ///< Foreground: values of at least this. NaN never is.
    std::optional<value_bound> below = {}; ///< And less than this.
    std::optional<double> missing = {};    ///< And not this, which stands for no value.
    bool corners = false;                  ///< Neighbours share a face, or also an edge or a corner.
};

/// The components of a volume. All but `labels` is the same on all ranks.
struct volume_labels {
    /// Of the voxels of this rank, as their values were given: 0 for background, else the number of the
    /// component, from 1 in the order of first voxels, x fastest, as a serial labelling would.
    std::vector<std::int64_t> labels;
    std::int64_t components = 0;       ///< How many there are.
    std::int64_t foreground = 0;       ///< voxels
    std::vector<std::int64_t> largest; ///< sizes in voxels of the largest ten, descending
};

/// Labels the foreground of a volume that is cut into the blocks of `grid`, of three dimensions, whose domain
/// may begin anywhere; it does not wrap, and blocks share no layers of cells. Blocks are
/// dealt to ranks as `assignment::contiguous` has them: one block a rank is block r on rank r. `mine`: the
/// values of the blocks of this rank, x fastest, one block behind the other. T is a type of integers or real
/// numbers.
///
/// Collective: yes. Blocks: until all ranks have their labels. Cost: one pass over the values, one exchange
/// of the runs at faces of blocks and a union-find over blocks; 8 bytes a voxel. Order: labels do not depend
/// on ranks and blocks. Throws: `usage_error`, agreed, for a grid that has not three dimensions, wraps, has
/// shared layers or 2^63 cells, a threshold that is not finite, where `mine` has not as many values as the
/// blocks have cells, and where grids, types or options differ between ranks. Source: He, Chao, Suzuki, IEEE
/// Trans. Image Processing 2008 (labels of runs); Morozov and others, LDAV 2021 (the union-find over blocks).
template <class T>
[[nodiscard]] volume_labels label_volume(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::span<T const> mine, volume_label_options const& options = {});

/// Does the same for a vector.
template <class T>
[[nodiscard]] volume_labels label_volume(communicator const& comm, regular_grid<std::int64_t> const& grid,
    std::vector<T> const& mine, volume_label_options const& options = {}) {
    return label_volume(comm, grid, std::span<T const>(mine), options);
}

} // namespace weft
