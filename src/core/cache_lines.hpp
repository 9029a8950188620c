/// Lines of memory in the caches of cores. Private.
#pragma once

#include <cstddef>

namespace weft {

inline constexpr std::size_t line_bytes = 64; ///< of a cache line

/// Removes the lines of these bytes from the caches of all cores; the bytes keep their values. After that
/// another core can write the lines without taking them away from the caches of this one. Does nothing if the
/// processor has no instruction for it. Local.
void release_lines(std::byte const* from, std::size_t bytes) noexcept;

} // namespace weft
