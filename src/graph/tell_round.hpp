/// Rounds, as questions tell them. Private.
#pragma once

#include <weft/core/communicator.hpp>

#include <cstdint>

namespace weft {

/// Tells the listener of this rank, if there is one, that `done` rounds of `all` are over; 0 while `all` is
/// not known.
void tell_round(communicator const& comm, std::int64_t done, std::int64_t all = 0) noexcept;

} // namespace weft
