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
    box_labels within;                  ///< the components of the box alone
    block_components components;        ///< these components, with their first voxels as ids
    std::vector<component_facts> facts; ///< of each component of the box, facts about the whole component

    /// Returns the number, from 1, of the component to which a run belongs.
    [[nodiscard]] std::int64_t number_of(std::size_t run) const noexcept {
        return facts[within.of_run[run]].number;
    }
};

/// A block of voxels: its foreground, and its components over all planes, within planes, or both.
struct labelled_block {
    row_runs rows;
    label_layer whole; ///< over all planes
    label_layer plane; ///< within each plane
};

struct label_options {
    connectivity neighbors;
    bool asynchronous = true; ///< How blocks find the components that span them; see `component_options`.
};

/// Returns a grid of voxels cut into this number of blocks, or the next smaller number that is possible.
/// Blocks are slabs of planes if these are thick enough, since slabs are read, written and labelled in long
/// rows; else they are as compact as possible. `blocks`: at least 1. Local.
[[nodiscard]] regular_grid<std::int64_t> blocks_of_voxels(
    std::array<std::int64_t, 3> const& points, std::int64_t blocks);

/// Returns the number of voxels of a box of three dimensions. Local. Throws: `usage_error` for 2^63 or more.
[[nodiscard]] std::int64_t voxels_in(box<std::int64_t> const& bounds);

/// Throws `usage_error` for a grid that cannot be labelled: it has other than three dimensions or at least
/// 2^63 voxels, wraps, or has blocks that share layers. Local.
void check_voxel_grid(regular_grid<std::int64_t> const& grid);

/// Labels the foreground of all blocks of `grid`, and fills a layer of each block: `plane` if voxels of
/// different planes are not neighbours, else `whole`. Each block labels its box and sends the runs at its
/// upper faces, edges and corners to the blocks there; a union-find over blocks joins the components. They
/// are numbered from 1 in the order of their first voxels, x fastest, as by a serial labelling.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: O(runs), one exchange of the runs at faces,
/// `find_components`, `number_components`. Order: the numbers do not depend on blocks, ranks and options.
/// Throws: as these, and `check_voxel_grid`, agreed. Source: He, Chao, Suzuki, IEEE Trans. Image Processing
/// 2008 (labels of runs); Morozov and others, LDAV 2021 (the union-find over blocks).
label_summary label_blocks(
    block_set<labelled_block>& blocks, regular_grid<std::int64_t> const& grid, label_options const& options);

} // namespace weft
