/// XXH64, the hash that determines the owner of a key: the same on all ranks and machines.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace weft::detail {

inline constexpr std::uint64_t xxh_primes[] = {
    0x9E3779B185EBCA87U, 0xC2B2AE3D27D4EB4FU, 0x165667B19E3779F9U, 0x85EBCA77C2B2AE63U, 0x27D4EB2F165667C5U};

[[nodiscard]] inline std::uint64_t xxh_word(std::byte const* at) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}
[[nodiscard]] constexpr std::uint64_t xxh_round(std::uint64_t sum, std::uint64_t word) noexcept {
    return std::rotl(sum + word * xxh_primes[1], 31) * xxh_primes[0];
}

/// The state after the blocks of 32 bytes of a long text.
[[nodiscard]] std::uint64_t xxh_blocks(std::span<std::byte const> bytes, std::uint64_t seed) noexcept;

/// Hashes bytes. Source: Collet, xxHash fast digest algorithm, specification 0.1.1; on little-endian
/// machines.
[[nodiscard]] inline std::uint64_t xxh64(std::span<std::byte const> bytes, std::uint64_t seed) noexcept {
    std::uint64_t hash = bytes.size() < 32 ? seed + xxh_primes[4] : xxh_blocks(bytes, seed);
    hash += bytes.size();
    std::byte const* at = bytes.data() + bytes.size() / 32 * 32;
    std::size_t left = bytes.size() % 32;
    for (; left >= 8; left -= 8, at += 8)
        hash = std::rotl(hash ^ xxh_round(0, xxh_word(at)), 27) * xxh_primes[0] + xxh_primes[3];
    if (left >= 4) {
        std::uint32_t half = 0;
        std::memcpy(&half, at, sizeof half);
        hash = std::rotl(hash ^ half * xxh_primes[0], 23) * xxh_primes[1] + xxh_primes[2];
        left -= 4;
        at += 4;
    }
    for (; left != 0; --left, ++at)
        hash = std::rotl(hash ^ static_cast<std::uint64_t>(*at) * xxh_primes[4], 11) * xxh_primes[0];
    hash = (hash ^ hash >> 33) * xxh_primes[1];
    hash = (hash ^ hash >> 29) * xxh_primes[2];
    return hash ^ hash >> 32;
}

} // namespace weft::detail
