/// Moves of blocks to other ranks: functions behind `block_set::move`.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/block_storage.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/blocks/local_blocks.hpp>

#include <cstdint>
#include <span>

namespace weft {

/// A move of one block between ranks.
struct block_move {
    block_id block; ///< The block that moves.
    int to_rank;    ///< The rank that has the block after the move.
};

/// Returns the assignment that results from `moves`, whose ranks must exist. Local, O(blocks + P). The result
/// keeps a table of all blocks unless `moves` is empty.
[[nodiscard]] assignment after_moves(assignment const& where, std::span<block_move const> moves);

/// Returns the assignment that results from the moves of all ranks; each rank passes moves of its own blocks.
/// Collective: yes. Blocks: until all ranks have called. Cost: two sparse exchanges, and the cost of
/// `after_moves`. Throws: `usage_error` on all ranks for a block that the rank does not have or moves twice,
/// and for an invalid rank.
[[nodiscard]] assignment moved(
    communicator const& comm, assignment const& where, std::span<block_move const> mine);

/// Moves each block, with its link and its messages, to the rank that `next` gives. The order of the messages
/// is kept. Collective: yes, with the same assignment on all ranks. Blocks: until all ranks have called.
/// Cost: one sparse exchange of the blocks that change ranks and one small all-reduce. During the call a
/// block that changes ranks is in memory twice: as an object and encoded. Throws, on all ranks: `usage_error`
/// for an assignment with a wrong number of blocks or ranks; errors of encoding and decoding; `io_error`.
/// After an error no block has moved.
void deal_anew(
    communicator const& comm, detail::local_blocks& local, block_storage& storage, assignment const& next);

} // namespace weft
