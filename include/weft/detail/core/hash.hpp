/// A hash for comparisons of arguments and for random numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weft::detail {

/// All bits of the result depend on all bits of the argument; a bijection. The finaliser of splitmix64:
/// Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t bits) noexcept {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
}

/// Of bytes, one at a time: for short texts, not for tables of many.
[[nodiscard]] constexpr std::uint64_t hash_of(std::span<std::byte const> bytes) noexcept {
    std::uint64_t hash = bytes.size();
    for (std::byte const each : bytes)
        hash = mixed(hash + 0x9e3779b97f4a7c15U) ^ static_cast<std::uint64_t>(each);
    return mixed(hash);
}

} // namespace weft::detail
