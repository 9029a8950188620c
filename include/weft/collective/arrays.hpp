/// Reductions and broadcasts of arrays, in place.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/collective/array_call.hpp>
#include <weft/wire/kinds.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace weft {

/// Combines arrays of elements of any size, given as bytes. All else is the same as for the template
/// `all_reduce`.
void all_reduce_array(communicator const& comm, rank_array mine, array_operator& how, bool may_throw);
/// Combines the arrays of all ranks into the array of rank `root`; the arrays of other ranks are then
/// unspecified. Collective, Blocks, Cost, Throws: as the template `reduce`.
void reduce_array(communicator const& comm, rank_array mine, array_operator& how, bool may_throw, int root);
/// Combines the arrays of all ranks; each rank keeps one range of elements of the result. Returns this range.
/// Collective, Blocks, Cost, Throws: as the template `reduce_scatter`.
[[nodiscard]] element_range reduce_scatter_array(
    communicator const& comm, rank_array mine, array_operator& how, bool may_throw, grouping groups);
/// Copies the array of rank `root` into the arrays of all other ranks. Collective, Blocks, Cost, Throws: as
/// the template `broadcast`.
void broadcast_array(communicator const& comm, rank_array mine, int root);

/// Combines the arrays of all ranks element by element; each rank gets the result in `data`, which has the
/// same length on all ranks.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: for arrays below 16 KiB, ceil(log2 P) messages
/// per rank; for longer arrays each rank sends and receives about twice the bytes of its array, and combines
/// about as many elements as the array has. For arrays of any length the call makes one more small all-reduce
/// unless the operator is noexcept. Order: values are combined in the order of ranks; P and the length decide
/// which neighbours are combined first. Throws: errors of the operator, on all ranks, after which the data
/// are unspecified; `mpi_error`. Source: Peterka, Ross, EuroMPI 2012, section 3.
template <bare_type T, combines_elements<T> Combine>
void all_reduce(communicator const& comm, std::span<T> data, Combine&& combine) {
    element_operator<T, std::remove_reference_t<Combine>> how(combine);
    all_reduce_array(comm, {reinterpret_cast<std::byte*>(data.data()), data.size(), sizeof(T)}, how,
        decltype(how)::may_throw);
}

/// Combines as `all_reduce`, but only the root has the result; the data of other ranks are unspecified
/// afterwards. Collective: yes. Blocks: until this rank has sent its data; on the root, until it has the
/// result. Cost: P - 1 messages per segment of the array, in a pipeline through a tree of log_k P levels.
/// Order, Throws: as `all_reduce`; `usage_error` for an invalid root.
template <bare_type T, combines_elements<T> Combine>
void reduce(communicator const& comm, std::span<T> data, Combine&& combine, int root = 0) {
    element_operator<T, std::remove_reference_t<Combine>> how(combine);
    reduce_array(comm, {reinterpret_cast<std::byte*>(data.data()), data.size(), sizeof(T)}, how,
        decltype(how)::may_throw, root);
}

/// Combines as `all_reduce`, but each rank gets a share of the result and returns it; elements of `data`
/// outside the share are unspecified afterwards. `grouping::strided` needs an operator that commutes, and
/// gives shares in the order of the ranks. Collective: yes. Blocks: until all ranks with which this rank
/// combines have called. Cost: each rank sends, receives and combines fewer bytes than its array has, in
/// rounds in which groups of k ranks swap shares. Order, Throws: as `all_reduce`.
template <bare_type T, combines_elements<T> Combine>
[[nodiscard]] std::span<T> reduce_scatter(
    communicator const& comm, std::span<T> data, Combine&& combine, grouping groups = grouping::contiguous) {
    element_operator<T, std::remove_reference_t<Combine>> how(combine);
    element_range const mine =
        reduce_scatter_array(comm, {reinterpret_cast<std::byte*>(data.data()), data.size(), sizeof(T)}, how,
            decltype(how)::may_throw, groups);
    return data.subspan(mine.first, mine.size());
}

/// Copies the elements of the root to all ranks. `data` has the same length on all ranks. Collective: yes.
/// Blocks: until this rank has the elements and has passed them on. Cost: P - 1 messages per segment of the
/// array, in a pipeline through a tree of log_k P levels. Throws: `usage_error` for an invalid root;
/// `mpi_error`.
template <bare_type T>
void broadcast(communicator const& comm, std::span<T> data, int root = 0) {
    broadcast_array(comm, {reinterpret_cast<std::byte*>(data.data()), data.size(), sizeof(T)}, root);
}

} // namespace weft
