/// Values of a few bytes, which every rank combines itself.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/core/communicator.hpp>
#include <weft/extend/collective/array_operator.hpp>
#include <weft/wire/kinds.hpp>

#include <cstddef>
#include <exception>
#include <type_traits>

namespace weft::detail {

/// A trivially copyable value and an operator that does not throw, so that no rank can fail during the
/// reduction.
template <class T, class Combine>
concept small_value =
    bare_type<T> && sizeof(T) <= 4096 &&
    alignof(T) <= buffer::alignment&& std::is_nothrow_invocable_r_v<T, Combine&, T const&, T const&>;

/// Equal on all ranks, except for `failure`.
struct small_reduction {
    bool prefix = false;             ///< over the ranks 0 to this one, not over all
    bool may_throw = false;          ///< the operator
    std::exception_ptr failure = {}; ///< the reason why this rank has no values
    char const* name = "all_reduce"; ///< of static lifetime
};

/// Combines arrays of all ranks in place. Collective: yes. Blocks: until all ranks have called. Cost:
/// ceil(log2 P) messages per rank, and a census if the operator may throw. Order: that of the ranks, in
/// pairs, then pairs of pairs; for a prefix, the complete blocks of ranks before this one, the last block
/// first. Throws: the failure of the lowest rank that has one, agreed; what the operator throws, agreed;
/// `mpi_error`.
void reduce_small(
    communicator const& comm, rank_array mine, array_operator& how, small_reduction const& what);

template <class T, class Combine>
requires small_value<T, Combine>
void reduce_small_value(communicator const& comm, T& mine, Combine& combine, small_reduction const& what) {
    element_operator<T, Combine> how(combine);
    reduce_small(comm, {reinterpret_cast<std::byte*>(&mine), 1, sizeof(T)}, how, what);
}

} // namespace weft::detail
