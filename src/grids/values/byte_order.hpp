/// Values in the byte order of this machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace weft {

/// Reverses the bytes of each value. Local, O(bytes).
inline void swap_bytes(std::span<std::byte> values, std::size_t bytes_each) noexcept {
    if (bytes_each < 2) return;
    for (std::size_t at = 0; at + bytes_each <= values.size(); at += bytes_each)
        std::reverse(values.begin() + static_cast<std::ptrdiff_t>(at),
            values.begin() + static_cast<std::ptrdiff_t>(at + bytes_each));
}

/// Converts big-endian values to the byte order of this machine. Local, O(bytes).
inline void swap_from_big_endian(std::span<std::byte> values, std::size_t bytes_each) noexcept {
    if constexpr (std::endian::native == std::endian::little) swap_bytes(values, bytes_each);
}

} // namespace weft
