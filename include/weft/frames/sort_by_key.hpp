/// Items of all ranks in the order of their keys.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/core/ids.hpp>
#include <weft/frames/balanced_blocks.hpp>
#include <weft/frames/part_to_block.hpp>
#include <weft/frames/parts_view.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// A run of consecutive items: those of the first rank come first.
template <class T>
struct sorted_items {
    std::vector<global_id> keys; ///< ascending
    std::vector<T> values;       ///< of the keys, in their order
    double imbalance = 0;        ///< of the numbers of items: the largest over the average, less 1
};

/// Sorts items of all ranks by keys that are not negative; items with one key stay in the order (rank, part,
/// position) and come to one rank. No rank has more than 1 + tolerance times the average, unless a key has.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: `balance_blocks` of the keys, a
/// `part_to_block` and a move; each item moves once. Throws: as these; `usage_error` on all ranks where
/// values and keys differ in number.
template <bare_type T>
[[nodiscard]] sorted_items<T> sort_by_key(communicator const& comm, parts_view<global_id> const& keys,
    parts_view<T> const& values, double tolerance = 0.05) {
    balanced_blocks const cut = balance_blocks(comm, keys, {.tolerance = tolerance});
    part_to_block const plan(comm, cut.blocks, keys);
    sorted_items<T> sorted;
    sorted.values = plan.merge(values).values;
    sorted.keys.reserve(plan.arrivals());
    for (std::size_t key = 0; key < plan.ids().size(); ++key)
        sorted.keys.insert(sorted.keys.end(), plan.arrival_offsets()[key + 1] - plan.arrival_offsets()[key],
            plan.ids()[key]);
    sorted.imbalance = cut.imbalance;
    return sorted;
}

} // namespace weft
