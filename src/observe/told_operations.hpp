/// The operations of this process as its listeners hear of them. Private.
#pragma once

#include <weft/extend/observe/operation_listener.hpp>

#include <cstdint>

namespace weft {

/// Not 0 while listeners want to hear. One word, which every operation reads.
extern std::uint32_t operations_are_told;

/// Returns true if the end is to be told too.
[[nodiscard]] bool tell_begin(operation_event const& what) noexcept;
void tell_end(operation_event const& what) noexcept;

} // namespace weft
