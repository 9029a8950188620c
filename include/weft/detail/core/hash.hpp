/// Hash functions for fingerprints, hash tables and random numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weft::detail {

/// 2^64 divided by the golden ratio: the step of splitmix64, and the factor of Fibonacci hashing.
inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

/// Fibonacci hashing, for tables of 2^(64 - shift) places: Knuth, The art of computer programming 3, 6.4.
[[nodiscard]] constexpr std::size_t fibonacci_place(std::uint64_t key, int shift) noexcept {
    return static_cast<std::size_t>(key * golden >> shift);
}

/// Mixes bits: all bits of the result depend on all bits of the argument. A bijection, the finaliser of
/// splitmix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t bits) noexcept {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
}

/// Hashes bytes one at a time: for short texts, not for large tables.
[[nodiscard]] constexpr std::uint64_t hash_of(std::span<std::byte const> bytes) noexcept {
    std::uint64_t hash = bytes.size();
    for (std::byte const each : bytes) hash = mixed(hash + golden) ^ static_cast<std::uint64_t>(each);
    return mixed(hash);
}

/// FNV-1a, by Fowler, Noll and Vo, which also accepts whole words.
class fnv_hash {
public:
    constexpr fnv_hash() noexcept = default;
    /// Continues from the value of another hash.
    explicit constexpr fnv_hash(std::uint64_t value) noexcept : value_(value) {}

    constexpr fnv_hash& add(std::uint64_t word) noexcept {
        value_ = (value_ ^ word) * 1099511628211U;
        return *this;
    }
    /// Adds a text character by character.
    constexpr fnv_hash& add(std::string_view text) noexcept {
        for (char const each : text) add(std::uint64_t{static_cast<unsigned char>(each)});
        return *this;
    }

    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }
    /// Returns the value folded to 31 bits; never 0.
    [[nodiscard]] constexpr std::uint32_t folded() const noexcept {
        auto const bits = static_cast<std::uint32_t>((value_ ^ (value_ >> 33)) & 0x7FFFFFFFU);
        return bits == 0 ? 1 : bits;
    }

private:
    std::uint64_t value_ = 14695981039346656037U;
};

} // namespace weft::detail
