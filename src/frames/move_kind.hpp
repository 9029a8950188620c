/// The kind of a move, as an item type of the underlying exchange. Private.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/detail/core/hash.hpp>
#include <weft/extend/core/item_type.hpp>
#include <weft/extend/exchange/pending_bytes.hpp>
#include <weft/extend/frames/item_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>

namespace weft {

/// Returns the facts, besides the plan, that ranks must agree on, encoded as an item type.
[[nodiscard]] inline item_type kind_of_move(
    item_type const& type, std::size_t value_bytes, bool to_places, bool ragged) {
    detail::fnv_hash hash(type.number);
    hash.add(value_bytes).add(std::uint64_t{to_places}).add(std::uint64_t{ragged});
    return {hash.folded(), static_cast<std::int64_t>(value_bytes), type.name};
}

/// Throws on all ranks the error of one, or a `usage_error` if their moves differ.
void check_move(
    char const* call, communicator const& comm, std::exception_ptr const& failure, item_type const& kind);

/// Returns the options of the exchange for a transfer.
[[nodiscard]] inline exchange_options options_for(frame_transfer how) {
    exchange_options options;
    if (how == frame_transfer::collective) options.protocol = protocol::pex;
    return options;
}

} // namespace weft
