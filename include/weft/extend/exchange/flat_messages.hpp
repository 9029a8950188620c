/// Packing of items, whose size is known at run time, into messages.
#pragma once

#include <weft/extend/exchange/message_store.hpp>

#include <cstddef>
#include <span>

namespace weft {

/// Appends item i, of `item_bytes` bytes, to the message for `destinations[i]`, in this order; `items` has
/// one item for each destination. An invalid destination becomes the error of the exchange. Local. Cost: two
/// passes over the destinations and one over the items; O(P) memory only if there are at least P items.
void append_flat(
    message_store& store, std::span<int const> destinations, std::byte const* items, std::size_t item_bytes);

} // namespace weft
