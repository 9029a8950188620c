/// Balancing of blocks over ranks: the compiled core below `block_set::balance`.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/blocks/block_moves.hpp>
#include <weft/blocks/block_storage.hpp>
#include <weft/core/communicator.hpp>
#include <weft/detail/blocks/local_blocks.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// The cost of the rank with most, divided by the average; 1 where nothing costs anything.
struct balance_report {
    double before = 1;      ///< Of the blocks where they were.
    double after = 1;       ///< Of the blocks where they move to.
    std::int64_t moved = 0; ///< blocks
};

/// Returns which blocks move, so that no rank has more than (1 + tolerance) times the average, if that can
/// be: while one has, the largest of its blocks that fits there goes to the rank that has least; where none
/// fits, the smallest, if both ranks then have less than that one had. Ties go by id; each block moves once
/// at most, and those of other ranks stay. Deterministic. Local, O(blocks log blocks). `costs`: by block id,
/// finite and not negative. Throws: `usage_error` where they are not.
[[nodiscard]] std::vector<block_move> balancing_moves(
    assignment const& where, std::span<double const> costs, double tolerance, balance_report& report);

/// Moves the blocks of all ranks as `balancing_moves` proposes; `costs` has one cost a block of this rank.
/// Collective: yes. Blocks: until all ranks have called. Cost: two sparse exchanges, O(blocks) on rank 0, and
/// if blocks move `deal_anew` of them. Throws: as both.
balance_report balance_blocks(communicator const& comm, detail::local_blocks& local, block_storage& storage,
    std::span<double const> costs, double tolerance);

} // namespace weft
