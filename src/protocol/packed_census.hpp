/// A census value in few bytes. Private.
#pragma once

#include <weft/transport/census_value.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft {

/// What a census of an exchange carries are some small numbers: packed they fit with MPI's header into one
/// cache line, and each line more takes the receiver as long as a hundred instructions. A word of 16 bits
/// says which of the words follow, each in groups of 7 bits; the others are those of the identity.
namespace packed_census {

inline constexpr std::size_t words = census_value::sums + census_value::maxima + 1;
inline constexpr std::size_t most_bytes = sizeof(std::uint16_t) + 10 * words;

/// Small numbers of either sign to small numbers.
[[nodiscard]] constexpr std::uint64_t folded(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unfolded(std::uint64_t word) noexcept {
    return static_cast<std::int64_t>(word >> 1 ^ (0 - (word & 1)));
}

/// Writes at most `most_bytes` and returns what is behind them.
inline std::byte* pack(census_value const& value, std::byte* into) noexcept {
    std::byte* at = into + sizeof(std::uint16_t);
    unsigned present = 0;
    auto const put = [&](std::size_t place, std::uint64_t word) {
        present |= 1u << place;
        for (; word >= 0x80; word >>= 7) *at++ = static_cast<std::byte>(word | 0x80);
        *at++ = static_cast<std::byte>(word);
    };
    for (std::size_t i = 0; i < census_value::sums; ++i)
        if (value.sum[i] != 0) put(i, folded(value.sum[i]));
    for (std::size_t i = 0; i < census_value::maxima; ++i)
        if (value.max[i] != INT64_MIN) put(census_value::sums + i, folded(value.max[i]));
    if (value.any != 0) put(words - 1, value.any);
    auto const mask = static_cast<std::uint16_t>(present);
    std::memcpy(into, &mask, sizeof mask);
    return at;
}

/// Reads what `pack` has written and returns what is behind it.
inline std::byte const* unpack(std::byte const* from, census_value& value) noexcept {
    std::uint16_t present = 0;
    std::memcpy(&present, from, sizeof present);
    from += sizeof present;
    auto const next = [&] {
        std::uint64_t word = 0;
        for (int shift = 0;; shift += 7) {
            auto const group = static_cast<std::uint64_t>(*from++);
            word |= (group & 0x7f) << shift;
            if (group < 0x80) return word;
        }
    };
    auto const has = [&](std::size_t place) { return (present >> place & 1u) != 0; };
    for (std::size_t i = 0; i < census_value::sums; ++i) value.sum[i] = has(i) ? unfolded(next()) : 0;
    for (std::size_t i = 0; i < census_value::maxima; ++i)
        value.max[i] = has(census_value::sums + i) ? unfolded(next()) : INT64_MIN;
    value.any = has(words - 1) ? next() : 0;
    return from;
}

} // namespace packed_census

} // namespace weft
