/// The kind of a move, as the exchange below it is told. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/extend/frames/item_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace weft {

/// Facts that ranks must agree on besides the plan, as the type of the items of an exchange.
[[nodiscard]] inline item_type kind_of_move(
    item_type const& type, std::size_t value_bytes, bool to_places, bool ragged) {
    std::uint64_t mixed = type.number;
    for (std::uint64_t const part :
        {std::uint64_t{value_bytes}, std::uint64_t{to_places}, std::uint64_t{ragged}})
        mixed = (mixed ^ part) * 1099511628211U;
    auto const number = static_cast<std::uint32_t>((mixed ^ (mixed >> 33)) & 0x7FFFFFFFU);
    return {number == 0 ? 1 : number, static_cast<std::int64_t>(value_bytes), type.name};
}

/// Throws on all ranks what failed on one, or a `usage_error` where they do not mean the same move.
void check_move(
    char const* call, communicator const& comm, std::exception_ptr const& failure, item_type const& kind);

/// The exchange that carries a transfer.
[[nodiscard]] inline exchange_options options_for(frame_transfer how) {
    exchange_options options;
    if (how == frame_transfer::collective) options.protocol = protocol::pex;
    return options;
}

} // namespace weft
