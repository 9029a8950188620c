/// The owners of the ids of the parts of all ranks, or an error on all of them. Private.
#pragma once

#include "equal_values.hpp"

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/parts_view.hpp>

#include <span>
#include <vector>

namespace weft {

/// Ids of all parts in one array, and their owners.
struct owned_ids {
    std::vector<global_id> room;    // where there are several parts
    std::span<global_id const> ids; // of all parts
    std::vector<int> owners;
};

/// Collective: yes. Cost: a census. Throws: on all ranks `usage_error` where the distribution has not a block
/// for each rank, or differs between ranks.
void check_same_blocks(char const* call, communicator const& comm, block_distribution const& blocks);

/// Collective: yes. Cost: a census. Throws: on all ranks `usage_error` for an id that no block has, for a
/// distribution that has not a block for each rank, and where that or `options` differ between ranks.
[[nodiscard]] owned_ids find_all_owners(char const* call, communicator const& comm,
    block_distribution const& blocks, parts_view<global_id> const& parts, value_print const& options);

} // namespace weft
