/// Block distributions with equal work per rank.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/parts_view.hpp>

#include <cstdint>
#include <optional>

namespace weft {

/// Options of `balance_blocks`, equal on all ranks.
struct balance_options {
    /// The number of ids, which are 0..total-1. Default: one more than the largest id of any rank.
    std::optional<std::int64_t> total = {};
    /// Each reduction weighs some candidate ids for each border between two blocks. This option is the least
    /// number of candidates for each border in a reduction; Weft takes more candidates if that is necessary
    /// to reach the tolerance within `reductions` reductions.
    int buckets = 32;
    /// The imbalance to reach: the largest weight of a rank divided by the rank's share of the total weight,
    /// minus 1.
    double tolerance = 0.1;
    /// Upper bound on the number of reductions.
    int reductions = 6;
    /// The share of this rank in the total weight, relative to the shares of the other ranks; a rank with
    /// share 0 gets no ids. Only this option may differ between ranks.
    double share = 1;
};

/// The result of `balance_blocks`.
struct balanced_blocks {
    block_distribution blocks; ///< The blocks, one per rank.
    /// The largest weight of a rank divided by the rank's share of the total weight, minus 1; 0 if all
    /// weights are 0.
    double imbalance = 0;
    /// The number of reductions that added up weights.
    int reductions = 0;
};

/// Cuts the ids into blocks of equal weight, or of weights in proportion to the shares of the ranks. The
/// weight of an id is the sum of the weights of all items with this id, on all ranks; an id without items has
/// weight 0. Without weights each item counts as 1. Each border between two blocks is searched for on its
/// own: until the border is good enough, each reduction weighs further candidates between the two nearest ids
/// that were weighed before. If single ids are too heavy for equal blocks, blocks are filled one after the
/// other, up to the least weight per block with which all ids fit. The result is the same for any number of
/// parts and any order of the items.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: a sort of the local ids; two small
/// all-reduces, and at most `reductions` reductions of P * buckets words, fewer words once some borders are
/// found. Throws: on all ranks `usage_error`, naming rank, part and position, for an id that is not less than
/// the total, negative or 2^63 - 1, for a weight that is negative or not finite, and for a part of `weights`
/// that differs in length from the part of `ids`; also for options out of range, and for options other than
/// `share` that differ between ranks. Source: parallel bucket sampling, section 3.3 of the paper on data
/// movement, HPDC 2024; blocks by capacity: probes of Pinar and Aykanat, J. Parallel Distrib. Comput. 64
/// (2004).
[[nodiscard]] balanced_blocks balance_blocks(
    communicator const& comm, parts_view<global_id> const& ids, balance_options const& options = {});
/// Does the same with a weight for each item, so that blocks have equal weights, not equal numbers of
/// items.
[[nodiscard]] balanced_blocks balance_blocks(communicator const& comm, parts_view<global_id> const& ids,
    parts_view<double> const& weights, balance_options const& options = {});

} // namespace weft
