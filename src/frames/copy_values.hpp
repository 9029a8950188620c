/// Copies values of one size between places in memory. Private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft {

/// A copy of `count` values: value `from_index[i]` of `from` becomes value `to_index[i]` of `to`; without an
/// index, i takes its place.
struct value_copy {
    std::byte* to;
    std::uint32_t const* to_index;
    std::byte const* from;
    std::uint32_t const* from_index;
    std::size_t count;
    std::size_t value_bytes;
};

/// Stores of bytes through a plain pointer could alias the description or an index, and both would be
/// reloaded for each value.
template <std::size_t Bytes>
void copy_values_of(value_copy const what) {
    std::size_t const bytes = Bytes == 0 ? what.value_bytes : Bytes;
    std::byte* const __restrict to = what.to;
    std::byte const* const __restrict from = what.from;
    std::uint32_t const* const __restrict to_index = what.to_index;
    std::uint32_t const* const __restrict from_index = what.from_index;
    std::size_t const count = what.count;
    if (to_index == nullptr)
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(to + i * bytes, from + std::size_t{from_index[i]} * bytes, bytes);
    else if (from_index == nullptr)
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(to + std::size_t{to_index[i]} * bytes, from + i * bytes, bytes);
    else
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(
                to + std::size_t{to_index[i]} * bytes, from + std::size_t{from_index[i]} * bytes, bytes);
}

inline void copy_values(value_copy const& what) {
    if (what.count == 0 || what.value_bytes == 0) return;
    if (what.to_index == nullptr && what.from_index == nullptr) {
        std::memcpy(what.to, what.from, what.count * what.value_bytes);
        return;
    }
    switch (what.value_bytes) {
    case 1:
        return copy_values_of<1>(what);
    case 2:
        return copy_values_of<2>(what);
    case 4:
        return copy_values_of<4>(what);
    case 8:
        return copy_values_of<8>(what);
    case 12:
        return copy_values_of<12>(what);
    case 16:
        return copy_values_of<16>(what);
    case 24:
        return copy_values_of<24>(what);
    default:
        return copy_values_of<0>(what);
    }
}

/// Does so for a `from_index` that may have `nowhere`: such values become `fill`, or stay if it is null.
inline void copy_values(value_copy const& what, std::uint32_t nowhere, std::byte const* fill) {
    for (std::size_t i = 0; i < what.count; ++i) {
        std::size_t const to = what.to_index == nullptr ? i : what.to_index[i];
        std::size_t const from = what.from_index == nullptr ? i : what.from_index[i];
        bool const missing = what.from_index != nullptr && from == nowhere;
        if (missing && fill == nullptr) continue;
        std::memcpy(what.to + to * what.value_bytes, missing ? fill : what.from + from * what.value_bytes,
            what.value_bytes);
    }
}

} // namespace weft
