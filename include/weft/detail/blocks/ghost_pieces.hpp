/// The parts of ghosts that are cells of one other block.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/core/ids.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::detail {

/// Cells that one block owns and another has as ghosts. Where the domain wraps, a block may own ghosts of its
/// own, and two blocks may share several pieces.
struct ghost_piece {
    block_id from;
    block_id to;
    box<std::int64_t> owned;  ///< in coordinates of `from`
    box<std::int64_t> ghosts; ///< the same cells in coordinates of `to`
};

/// Lists the ghosts of a block. Pieces of two blocks come in the order in which `ghosts_owned_by` has them.
/// Local. Cost: O(1) a piece. Throws: `usage_error` for a grid whose blocks share faces.
[[nodiscard]] std::vector<ghost_piece> ghosts_of(regular_grid<std::int64_t> const& grid, block_id block);

/// Lists the cells of a block that others have as ghosts. Local. Cost, Throws: as `ghosts_of`.
[[nodiscard]] std::vector<ghost_piece> ghosts_owned_by(
    regular_grid<std::int64_t> const& grid, block_id block);

/// Returns a text that two grids share only where all their pieces are the same. Local, O(1).
[[nodiscard]] std::string description_for_ghosts(regular_grid<std::int64_t> const& grid);

/// Throws `usage_error` unless an array has the bounds that its block has in the grid.
void check_block_array(regular_grid<std::int64_t> const& grid, block_id block, box<std::int64_t> const& core,
    box<std::int64_t> const& around);

} // namespace weft::detail
