/// Reports the operations of this process to its listeners. Private.
#pragma once

#include <weft/extend/observe/operation_listener.hpp>

#include <cstdint>

namespace weft {

/// Not 0 if there are listeners. Every operation reads this word.
extern std::uint32_t operations_are_told;

/// Returns true if the end must be reported, too.
[[nodiscard]] bool tell_begin(operation_event const& what) noexcept;
void tell_end(operation_event const& what) noexcept;

} // namespace weft
