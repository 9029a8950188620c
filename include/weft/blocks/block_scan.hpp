/// Scans (prefix sums) of values and arrays over blocks.
#pragma once

#include <weft/blocks/block_reduction.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// Returns for each block of this rank the index of its result in `values`. All else is the same as for
/// `scan`.
[[nodiscard]] std::vector<std::size_t> scan_blocks(
    gate& call, assignment const& where, detail::merged_values& values);
/// Computes the scan of arrays in place. All else is the same as for `scan`.
void scan_block_arrays(gate& call, assignment const& where, block_arrays const& arrays, array_operator& how);

/// Gives each block the combination of the values of the blocks from block 0 to itself. `value(B const&,
/// block_id)` returns the value of a block, `combine(T, T)` combines two values, in the order of the ids, and
/// `keep(B&, block_id, T)` takes the result.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: at most ceil(log2 n) messages per block, n
/// being the number of blocks; between blocks of one rank, a message is a copy in memory; three small
/// all-reduces. Order: by id. The pairs that are combined depend on the ids alone, so results have the same
/// bits at any number of ranks. Throws: errors of the callbacks, on all ranks; `mpi_error`. Source: Hillis,
/// Steele, Data Parallel Algorithms, 1986.
template <wire_type T, class B, class Value, class Combine, class Keep>
requires std::is_invocable_r_v<T, Value&, B const&, block_id> && combines<Combine, T> &&
    std::is_invocable_v<Keep&, B&, block_id, T>
void scan(block_set<B>& blocks, Value&& value, Combine&& combine, Keep&& keep) {
    gate call(blocks.comm(), "scan");
    assignment const& where = blocks.where();
    detail::typed_values<T, std::remove_reference_t<Combine>> values(combine);
    call.guard([&] { values.resize(blocks.size()); });
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        values.at(detail::place_in(where, id)) = value(std::as_const(block), id);
    });
    std::vector<std::size_t> const results = scan_blocks(call, where, values);
    detail::block_set_parts::each(call, blocks,
        [&](B& block, block_id id) { keep(block, id, values.take(results[detail::place_in(where, id)])); });
    call.agree();
}

/// Scans arrays: element i of the array of a block becomes the combination of the elements i of the blocks
/// from block 0 to this block. `array(B&, block_id)` returns the array of a block, a `std::span<T>` of the
/// same length for all blocks. Collective, Blocks, Order: as `scan`. Cost: as `scan`, with an array in each
/// message; memory for at most two more arrays per block. Throws: `usage_error` on all ranks for arrays of
/// different lengths and blocks that do not all stay in memory; errors of the callbacks, on all ranks, after
/// which the arrays are unspecified.
template <bare_type T, class B, class Array, class Combine>
requires std::is_invocable_r_v<std::span<T>, Array&, B&, block_id>&& combines_elements<Combine, T> void
scan_arrays(block_set<B>& blocks, Array&& array, Combine&& combine) {
    gate call(blocks.comm(), "scan_arrays");
    block_arrays const arrays = detail::arrays_of<T>(call, blocks, array);
    element_operator<T, std::remove_reference_t<Combine>> how(combine);
    scan_block_arrays(call, blocks.where(), arrays, how);
}

} // namespace weft
