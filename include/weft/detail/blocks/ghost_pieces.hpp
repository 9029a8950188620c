/// Pieces of the ghost layers of blocks, each with one owner.
#pragma once

#include <weft/blocks/box.hpp>
#include <weft/blocks/regular_grid.hpp>
#include <weft/core/ids.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::detail {

/// Cells that one block owns and another has as ghosts. In a periodic domain a block may own some of its own
/// ghosts, and two blocks may share several pieces.
struct ghost_piece {
    block_id from;
    block_id to;
    box<std::int64_t> owned;  ///< in coordinates of `from`
    box<std::int64_t> ghosts; ///< the same cells in coordinates of `to`
};

/// Lists the ghosts of a block. Pieces between two blocks have the same order as in `ghosts_owned_by`. Local.
/// Cost: O(1) for each piece. Throws: `usage_error` for a grid whose blocks share faces.
[[nodiscard]] std::vector<ghost_piece> ghosts_of(regular_grid<std::int64_t> const& grid, block_id block);

/// Lists the cells of a block that other blocks have as ghosts, ordered by these blocks. Local. Cost, Throws:
/// as `ghosts_of`.
[[nodiscard]] std::vector<ghost_piece> ghosts_owned_by(
    regular_grid<std::int64_t> const& grid, block_id block);

/// Returns a text that is equal for two grids only if all their pieces are the same. Local, O(1).
[[nodiscard]] std::string description_for_ghosts(regular_grid<std::int64_t> const& grid);

/// Throws `usage_error` unless the bounds of an array are those of its block in the grid.
void check_block_array(regular_grid<std::int64_t> const& grid, block_id block, box<std::int64_t> const& core,
    box<std::int64_t> const& around);

/// A piece that arrives from a rank, with the position of its values in the message.
struct awaited_piece {
    ghost_piece piece;
    int rank = 0;
    std::int64_t place = 0; ///< of the owner among its rank's blocks
    std::size_t first = 0;  ///< position in the message
};

/// Finds the begin of each piece in the message of its rank, whose number of values is in `lengths`, and
/// sorts pieces by the block that uses them. Local. Cost: O(n log n). Throws: `usage_error` for a message
/// that is too short.
void place_pieces(std::vector<awaited_piece>& awaited, std::span<std::size_t const> lengths);

} // namespace weft::detail
