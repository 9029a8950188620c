/// Exchanges that carry an error on the way. Private.
#pragma once

#include <weft/exchange/exchange.hpp>
#include <weft/extend/protocol/gate.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// The same as without a gate, but throw on all ranks what a rank has kept in it, as the exchange would an
/// error of the outbox. Fill the outbox in `guard`: then no rank waits for one without memory for its
/// messages. Arguments named by `same` wait for `agree`. Collective: yes, within a gate. Blocks, Cost, Order,
/// Throws: as without, and what the gate has kept, agreed.
template <wire_type T>
[[nodiscard]] inbox<T> exchange(gate& open, outbox<T>&& out) {
    detail::store_of(out).fail(open.take());
    return exchange(std::move(out));
}
template <wire_type T>
[[nodiscard]] std::pair<inbox<T>, std::int64_t> exchange_and_sum(
    gate& open, outbox<T>&& out, std::int64_t mine) {
    detail::store_of(out).fail(open.take());
    return exchange_and_sum(std::move(out), mine);
}

/// `get` throws what the gate has kept.
template <wire_type T>
[[nodiscard]] pending_exchange<T> start_exchange(gate& open, outbox<T>&& out) {
    detail::store_of(out).fail(open.take());
    return start_exchange(std::move(out));
}

/// The items of an exchange, one message after the other; where there is no memory for these, the gate keeps
/// that for the next collective call.
template <wire_type T>
[[nodiscard]] std::vector<T> exchanged_items(gate& open, outbox<T>&& out) {
    inbox<T> const received = exchange(open, std::move(out));
    std::vector<T> items;
    open.guard([&] { items = received.concatenate(); });
    return items;
}

} // namespace weft
