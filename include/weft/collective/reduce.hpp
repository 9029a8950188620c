/// Reductions and scans of values by any operator.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/collective/merge_ranks.hpp>
#include <weft/detail/collective/small_values.hpp>
#include <weft/detail/collective/typed_values.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace weft {

/// An operator of a reduction, which combines two values.
template <class Combine, class T>
concept combines = std::is_invocable_r_v<T, Combine&, T, T>;

/// Returns the combination of the values of all ranks, on all ranks. The operator need not commute.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: ceil(log2 P) messages per rank, for trivially
/// copyable values of at most 4 KiB with a noexcept operator, such as `std::plus<>` of numbers. Other calls
/// cost 2 (P - 1) messages, up and down a tree of at most log2 P levels, and a small all-reduce for types
/// that are not trivially copyable. Order: by rank; the values of neighbouring ranks are combined in pairs,
/// then the results in pairs; a value without a partner is kept for the next step. Throws: errors of the
/// operator, on all ranks; `mpi_error`. Source: Peterka, Ross, EuroMPI 2012, algorithm 1.
template <wire_type T, combines<T> Combine>
[[nodiscard]] T all_reduce(communicator const& comm, T mine, Combine&& combine) {
    if constexpr (detail::small_value<T, std::remove_reference_t<Combine>>) {
        detail::reduce_small_value(comm, mine, combine, {});
        return mine;
    }
    detail::typed_values<T, std::remove_reference_t<Combine>> values(combine);
    detail::add_or_alone(values, std::move(mine), "all_reduce");
    return values.take(
        detail::merge_ranks(comm, {.values = values, .k = detail::value_k(comm, sizeof(T))}, "all_reduce"));
}

/// Returns the combination of the values of all ranks on the root, and nullopt on other ranks. Throws: as
/// `all_reduce`; `usage_error` for an invalid root.
template <wire_type T, combines<T> Combine>
[[nodiscard]] std::optional<T> reduce(communicator const& comm, T mine, Combine&& combine, int root = 0) {
    detail::typed_values<T, std::remove_reference_t<Combine>> values(combine);
    detail::add_or_alone(values, std::move(mine), "reduce");
    std::size_t const value = detail::merge_ranks(comm,
        {.values = values,
            .k = detail::value_k(comm, sizeof(T)),
            .root = root,
            .to = detail::merged_to::root},
        "reduce");
    if (comm.rank() != root) return std::nullopt;
    return values.take(value);
}

/// Returns the combination of the values of ranks 0 up to and including this rank. The operator need not
/// commute.
///
/// Collective: yes. Blocks: until all ranks have called. Cost: for small values and a noexcept
/// operator as `all_reduce`; else at most ceil(log2 P) messages per rank, and a small all-reduce. Order: by
/// rank; the pairs that are combined first depend on the number of this rank and on the type. Throws: as
/// `all_reduce`.
template <wire_type T, combines<T> Combine>
[[nodiscard]] T scan(communicator const& comm, T mine, Combine&& combine) {
    if constexpr (detail::small_value<T, std::remove_reference_t<Combine>>) {
        detail::reduce_small_value(comm, mine, combine, {.prefix = true, .name = "scan"});
        return mine;
    }
    detail::typed_values<T, std::remove_reference_t<Combine>> values(combine);
    detail::add_or_alone(values, std::move(mine), "scan");
    return values.take(detail::scan_ranks(comm, values, "scan"));
}

} // namespace weft
