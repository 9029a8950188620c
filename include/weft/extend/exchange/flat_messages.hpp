/// Items of a size that is known at run time, brought into messages.
#pragma once

#include <weft/extend/exchange/message_store.hpp>

#include <cstddef>
#include <span>

namespace weft {

/// Appends item i, of `item_bytes` bytes, to the message for `destinations[i]`, in this order; `items` has as
/// many. A destination that is not a rank is remembered as the failure of the exchange. Local. Cost: two
/// passes over the destinations and one over the items; O(P) memory only where there are as many items.
void append_flat(
    message_store& store, std::span<int const> destinations, std::byte const* items, std::size_t item_bytes);

} // namespace weft
