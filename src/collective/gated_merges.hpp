/// Reductions of values that carry an error on the way. Private.
#pragma once

#include <weft/collective/reduce.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace weft {

namespace detail {

/// The combined value on the ranks that `to` names; some value on others.
template <class T, class Combine>
[[nodiscard]] T merge_in(gate& open, T mine, Combine& combine, merged_to to) {
    typed_values<T, Combine> values(combine);
    open.guard([&] { values.add(std::move(mine)); });
    std::size_t const value = merge_ranks(open.comm(),
        {.values = values, .k = value_k(open.comm(), sizeof(T)), .to = to, .failure = open.take()},
        open.call());
    return values.take(value);
}

} // namespace detail

/// The same as without a gate, but throw on all ranks what a rank has kept in it. Arguments named by `same`
/// wait for `agree`. `reduce_at_0` returns the combined value on rank 0, and some value elsewhere.
/// Collective: yes, within a gate. Blocks, Cost, Order, Throws: as without, and what the gate has kept,
/// agreed.
template <wire_type T, combines<T> Combine>
[[nodiscard]] T all_reduce(gate& open, T mine, Combine&& combine) {
    if constexpr (detail::small_value<T, std::remove_reference_t<Combine>>) {
        detail::reduce_small_value(open.comm(), mine, combine, {.failure = open.take(), .name = open.call()});
        return mine;
    }
    return detail::merge_in<T, std::remove_reference_t<Combine>>(
        open, std::move(mine), combine, detail::merged_to::all);
}
template <wire_type T, combines<T> Combine>
[[nodiscard]] T reduce_at_0(gate& open, T mine, Combine&& combine) {
    return detail::merge_in<T, std::remove_reference_t<Combine>>(
        open, std::move(mine), combine, detail::merged_to::root);
}

} // namespace weft
