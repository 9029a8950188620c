/// Finds the owners of the ids of all parts, with errors agreed over all ranks. Private.
#pragma once

#include "equal_values.hpp"

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/block_distribution.hpp>
#include <weft/frames/parts_view.hpp>

#include <span>
#include <vector>

namespace weft {

/// The ids of all parts in one array, and their owners.
struct owned_ids {
    std::vector<global_id> room;    // used if there are several parts
    std::span<global_id const> ids; // of all parts
    std::vector<int> owners;
};

/// Collective: yes. Cost: a census. Throws: on all ranks `usage_error` unless the distribution has a block
/// for each rank and is the same on all ranks.
void check_same_blocks(char const* call, communicator const& comm, block_distribution const& blocks);

/// Collective: yes. Cost: a census. Throws: on all ranks `usage_error` for an id outside of all blocks, for a
/// distribution without a block for each rank, and if it or `options` differ between ranks.
[[nodiscard]] owned_ids find_all_owners(char const* call, communicator const& comm,
    block_distribution const& blocks, parts_view<global_id> const& parts, value_print const& options);

} // namespace weft
