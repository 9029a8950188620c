/// Loads of memory into the cache ahead of its use.
#pragma once

#include <cstddef>

namespace weft::detail {

/// Begins to load the `bytes` bytes at `from`, to read and to write them. Local.
inline void prefetch(void const* from, std::size_t bytes) noexcept {
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < bytes; at += line)
        __builtin_prefetch(static_cast<std::byte const*>(from) + at, 1);
}

} // namespace weft::detail
