/// Reductions and broadcasts of values and arrays of blocks.
#pragma once

#include <weft/blocks/assignment.hpp>
#include <weft/collective/arrays.hpp>
#include <weft/collective/gather.hpp>
#include <weft/collective/reduce.hpp>
#include <weft/collective/schedule.hpp>
#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/core/ids.hpp>
#include <weft/detail/blocks/each_block.hpp>
#include <weft/detail/collective/merged_values.hpp>
#include <weft/extend/protocol/gate.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft {

/// Options of reductions of blocks.
struct reduction_options {
    /// The number of threads of a rank that combine values, at least 1. The calling thread is one of these
    /// threads, and runs all callbacks except the operator. The result has the same bits for any number of
    /// threads. With several threads the operator is called at the same time on different values.
    int threads = 1;
};

/// A value that a block of this rank has after a merge. `merge_blocks` and the functions with `block_arrays`
/// work on bytes; templates such as `merge_reduce` call them. If one rank has stored an error in the gate
/// `call`, all ranks throw the error before the first message; errors of the operator are thrown at the end.
struct kept_value {
    std::size_t place = 0; ///< The index of the block in the ascending list of this rank's blocks.
    std::size_t value = 0; ///< The index of the block's value in the argument `values` of `merge_blocks`.
};
/// Merges the values of blocks in the rounds of a schedule; returns the values that this rank's blocks keep.
[[nodiscard]] std::vector<kept_value> merge_blocks(gate& call, assignment const& where,
    schedule const& rounds, detail::merged_values& values, reduction_options const& options = {});

/// Arrays of the blocks of this rank, in ascending order of the ids of blocks. All arrays have the same
/// length.
struct block_arrays {
    std::vector<std::byte*> data;      ///< The first byte of each array.
    std::vector<std::size_t> elements; ///< The number of elements of each array.
    std::size_t element_bytes = 1;     ///< The size of an element in bytes.
};
/// Returns the elements that each block of this rank keeps, in the order of ids. All else is the same as for
/// `swap_reduce`.
[[nodiscard]] std::vector<element_range> reduce_block_arrays(gate& call, assignment const& where,
    schedule const& rounds, block_arrays const& arrays, array_operator& how, bool may_throw,
    reduction_options const& options = {});
/// Combines the arrays of all blocks, and copies the result to all of them.
void all_reduce_block_arrays(gate& call, assignment const& where, block_arrays const& arrays,
    array_operator& how, bool may_throw, reduction_options const& options = {});
/// Copies the elements of block `root` to the arrays of all other blocks, which have the same length.
void broadcast_block_arrays(gate& call, assignment const& where, block_arrays const& arrays, block_id root);

namespace detail {

[[nodiscard]] inline std::size_t place_in(assignment const& where, block_id id) noexcept {
    return static_cast<std::size_t>(where.local_place(id));
}

/// The root is a block, and the same on all ranks: for the next `agree` of the gate.
inline void check_root_block(gate& call, assignment const& where, block_id root) {
    call.same("the root", index_of(root));
    call.guard([&] {
        if (!where.exists(root))
            throw usage_error(std::string("blocks: ") + call.call() + ": there is no block " +
                              std::to_string(index_of(root)));
    });
}

} // namespace detail

/// Merges one value of each block, `value(B const&, block_id)`, in rounds. `combine(T, T)` combines two
/// values; values are in the order of the ids of their blocks. Each value that is left at the end is passed
/// to the block that keeps it, by `keep(B&, block_id, T)`. With fewer rounds than a full reduction has,
/// several blocks keep partial results. The schedule alone determines which values are combined first, so the
/// result does not depend on the number of ranks.
///
/// Collective: yes; `rounds` are equal on all ranks. Blocks: until all ranks have called. Cost: a message for
/// each block that gives its value to a block on another rank; three small all-reduces; the threads are made
/// for this call. Order: the values of a group are combined in the order of its members: adjacent values in
/// pairs, then the results in pairs. Throws: `usage_error` if the number of participants of `rounds` is not
/// the number of blocks, if no participant keeps a value, and for less than one thread; errors of the
/// callbacks, on all ranks. Source: Peterka, Ross, EuroMPI 2012, algorithm 1, and figure 4 for the threads.
template <wire_type T, class B, class Value, class Combine, class Keep>
requires std::is_invocable_r_v<T, Value&, B const&, block_id> && combines<Combine, T> &&
    std::is_invocable_v<Keep&, B&, block_id, T>
void merge_reduce(block_set<B>& blocks, schedule const& rounds, Value&& value, Combine&& combine, Keep&& keep,
    reduction_options const& options = {}) {
    gate call(blocks.comm(), "merge_reduce");
    assignment const& where = blocks.where();
    detail::typed_values<T, std::remove_reference_t<Combine>> values(combine);
    std::vector<std::optional<std::size_t>> kept;
    call.guard([&] {
        values.resize(blocks.size());
        kept.resize(blocks.size());
    });
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        values.at(detail::place_in(where, id)) = value(std::as_const(block), id);
    });
    for (kept_value const each : merge_blocks(call, where, rounds, values, options))
        kept[each.place] = each.value;
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        if (auto const number = kept[detail::place_in(where, id)]) keep(block, id, values.take(*number));
    });
    call.agree();
}

namespace detail {

/// The arrays of blocks; the gate keeps what `array` throws. Blocks out of core are refused.
template <bare_type T, class B, class Array>
[[nodiscard]] block_arrays arrays_of(gate& call, block_set<B>& blocks, Array& array) {
    block_arrays found;
    found.element_bytes = sizeof(T);
    call.same("the size of an element", sizeof(T));
    call.guard([&] {
        blocks.expect_all_in_memory(call.call());
        found.data.resize(blocks.size());
        found.elements.resize(blocks.size());
    });
    block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        std::span<T> const mine = array(block, id);
        std::size_t const place = place_in(blocks.where(), id);
        found.data[place] = reinterpret_cast<std::byte*>(mine.data());
        found.elements[place] = mine.size();
    });
    return found;
}

} // namespace detail

/// Combines the arrays of all blocks in place: `array(B&, block_id)` returns the array of a block, a
/// `std::span<T>` of the same length for all. In each round of a swap schedule, every block keeps a share of
/// its elements. At the end each block gets its share of the result by `keep(B&, block_id, std::span<T>
/// share, std::size_t first)`, where `first` is the index in the array of the first element of the share. At
/// the end the elements of the array outside this share are unspecified. `rounds` may also be a merge
/// schedule; then one block keeps all elements.
///
/// Collective: yes; `rounds` are equal on all ranks. Blocks: until all ranks have called. Cost: a message for
/// each segment of an array and each pair of blocks on different ranks that combine the segment; blocks of
/// one rank read each other's arrays; three small all-reduces, four if the operator may throw. Order: as
/// `merge_reduce`. Throws: `usage_error` on all ranks for arrays of different lengths, a number of
/// participants that is not the number of blocks, and blocks that do not all stay in memory; errors of the
/// callbacks, on all ranks. Source: Peterka, Ross, EuroMPI 2012, algorithm 2.
template <bare_type T, class B, class Array, class Combine, class Keep>
requires std::is_invocable_r_v<std::span<T>, Array&, B&, block_id>&& combines_elements<Combine, T>&&
    std::is_invocable_v<Keep&, B&, block_id, std::span<T>, std::size_t> void
    swap_reduce(block_set<B>& blocks, schedule const& rounds, Array&& array, Combine&& combine, Keep&& keep,
        reduction_options const& options = {}) {
    gate call(blocks.comm(), "swap_reduce");
    block_arrays const arrays = detail::arrays_of<T>(call, blocks, array);
    element_operator<T, std::remove_reference_t<Combine>> how(combine);
    std::vector<element_range> const kept =
        reduce_block_arrays(call, blocks.where(), rounds, arrays, how, decltype(how)::may_throw, options);
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        std::size_t const place = detail::place_in(blocks.where(), id);
        element_range const mine = kept[place];
        T* const first = reinterpret_cast<T*>(arrays.data[place]);
        keep(block, id, std::span<T>(first + mine.first, mine.size()), mine.first);
    });
    call.agree();
}

/// Combines the arrays of all blocks element by element, and writes the result into the array of each block.
/// Collective, Blocks, Order, Throws: as `swap_reduce`. Cost: twice the cost of `swap_reduce`.
template <bare_type T, class B, class Array, class Combine>
requires std::is_invocable_r_v<std::span<T>, Array&, B&, block_id>&& combines_elements<Combine, T> void
all_reduce_arrays(
    block_set<B>& blocks, Array&& array, Combine&& combine, reduction_options const& options = {}) {
    gate call(blocks.comm(), "all_reduce_arrays");
    block_arrays const arrays = detail::arrays_of<T>(call, blocks, array);
    element_operator<T, std::remove_reference_t<Combine>> how(combine);
    all_reduce_block_arrays(call, blocks.where(), arrays, how, decltype(how)::may_throw, options);
}

/// Passes a value of block `root`, `value(B const&, block_id)`, to all blocks by `take(B&, block_id, T
/// const&)`. Collective: yes. Blocks: until all ranks have called. Cost: P - 1 messages, at most ceil(log2 P)
/// of them one after another; two small all-reduces. Throws, on all ranks: `usage_error` for an invalid
/// block; errors of the callbacks.
template <wire_type T, class B, class Value, class Take>
requires std::is_invocable_r_v<T, Value&, B const&, block_id> &&
    std::is_invocable_v<Take&, B&, block_id, T const&>
void broadcast(block_set<B>& blocks, block_id root, Value&& value, Take&& take) {
    gate call(blocks.comm(), "broadcast");
    detail::check_root_block(call, blocks.where(), root);
    std::vector<T> all;
    detail::block_set_parts::each(call, blocks, [&](B& block, block_id id) {
        if (id == root) all.push_back(value(std::as_const(block), id));
    });
    call.agree();
    all = broadcast(blocks.comm(), std::move(all), blocks.where().rank_of(root));
    detail::block_set_parts::each(
        call, blocks, [&](B& block, block_id id) { take(block, id, std::as_const(all.front())); });
    call.agree();
}

/// Copies the array of block `root` to all blocks: `array(B&, block_id)` returns the array of a block, a
/// `std::span<T>` of the same length for all. Collective: yes. Blocks: until this rank has the array and has
/// sent it to the next ranks. Cost: P - 1 messages per segment, in a pipeline, for any number of blocks;
/// three small all-reduces. Throws: `usage_error` on all ranks for an invalid block, arrays of different
/// lengths and blocks that do not all stay in memory; errors of `array`, on all ranks; `mpi_error`.
template <bare_type T, class B, class Array>
requires std::is_invocable_r_v<std::span<T>, Array&, B&, block_id> void broadcast_arrays(
    block_set<B>& blocks, block_id root, Array&& array) {
    gate call(blocks.comm(), "broadcast_arrays");
    detail::check_root_block(call, blocks.where(), root);
    broadcast_block_arrays(call, blocks.where(), detail::arrays_of<T>(call, blocks, array), root);
}

} // namespace weft
