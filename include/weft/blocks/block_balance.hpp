/// Balancing of blocks over ranks: functions behind `block_set::balance`.
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

/// The imbalance: the largest cost of a rank divided by the average over the ranks; 1 if all costs are 0.
struct balance_report {
    double before = 1;      ///< The imbalance before the blocks moved.
    double after = 1;       ///< The imbalance after the blocks moved.
    std::int64_t moved = 0; ///< The number of blocks that moved.
};

/// Returns moves of blocks after which, if possible, no rank has a cost above (1 + tolerance) times the
/// average. While a rank has a cost above this limit, one of its blocks moves to the rank with the least
/// cost: the most expensive block with which the receiving rank stays within the limit. If each block would
/// take the receiving rank above the limit, the cheapest block moves, provided that sender and receiver then
/// cost less than the sender did before. Among blocks of equal cost, the block with the lowest id moves. Each
/// block moves at most once. Deterministic. Local, O(blocks log blocks). `costs` holds the cost of each
/// block, by id: finite and not negative. Throws: `usage_error` for a cost that is negative or not finite.
[[nodiscard]] std::vector<block_move> balancing_moves(
    assignment const& where, std::span<double const> costs, double tolerance, balance_report& report);

/// Moves the blocks of all ranks as `balancing_moves` proposes; `costs` has one cost per block of this rank.
/// Collective: yes. Blocks: until all ranks have called. Cost: two sparse exchanges, O(blocks) on rank 0, and
/// the cost of `deal_anew` if blocks move. Throws: as `deal_anew`.
balance_report balance_blocks(communicator const& comm, detail::local_blocks& local, block_storage& storage,
    std::span<double const> costs, double tolerance);

} // namespace weft
