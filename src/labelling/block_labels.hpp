/// Connected components of a grid of voxels that is cut into blocks.
#pragma once

#include <labelling/box_labels.hpp>
#include <labelling/component_numbers.hpp>

#include <weft/blocks/block_components.hpp>
#include <weft/blocks/block_set.hpp>
#include <weft/blocks/regular_grid.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// A block's part of a labelling.
struct label_layer {
    box_labels within;                  ///< components of the box alone
    block_components components;        ///< the same, with their first voxels as ids
    std::vector<component_facts> facts; ///< of the component of the whole grid that each belongs to

    /// The number of the component that a run belongs to, from 1.
    [[nodiscard]] std::int64_t number_of(std::size_t run) const noexcept {
        return facts[within.of_run[run]].number;
    }
};

/// A block of voxels: its foreground, labelled in one way or two.
struct labelled_block {
    row_runs rows;
    label_layer whole; ///< over all planes
    label_layer plane; ///< within each plane alone
};

struct label_options {
    connectivity neighbors;
    bool asynchronous = true; ///< How blocks find what spans them; see `component_options`.
};

/// A grid of voxels in this number of blocks, at least one, or the next smaller number that it can be cut
/// into. Slabs of planes where these are thick enough, which are read, written and labelled in long rows;
/// else as compact as they can be. Local.
[[nodiscard]] regular_grid<std::int64_t> blocks_of_voxels(
    std::array<std::int64_t, 3> const& points, std::int64_t blocks);

/// The number of voxels of a box of three dimensions. Local. Throws: `usage_error` for 2^63 or more.
[[nodiscard]] std::int64_t voxels_in(box<std::int64_t> const& bounds);

/// Throws `usage_error` for a grid that cannot be labelled: not of three dimensions, with 2^63 voxels or
/// more, one that wraps, or whose blocks share layers. Local.
void check_voxel_grid(regular_grid<std::int64_t> const& grid);

/// Labels the foreground of all blocks of `grid`, and fills a layer of each: `whole`, or `plane` where
/// neighbours are not across planes. Each block labels its box, sends the runs at its upper faces, edges and
/// corners to the blocks there, and the union-find over blocks does the rest. Components are numbered from 1
/// in the order of their first voxels, x fastest, as a serial labelling would.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: O(runs), one exchange of the runs at faces,
/// `find_components`, `number_components`. Order: the numbers do not depend on blocks, ranks and options.
/// Throws: as these, and `check_voxel_grid`, agreed. Source: He, Chao, Suzuki, IEEE Trans. Image Processing
/// 2008 (labels of runs); Morozov and others, LDAV 2021 (the union-find over blocks).
label_summary label_blocks(
    block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid, label_options const& options);

} // namespace weft
