/// A compact encoding of a census value. Private.
#pragma once

#include <weft/extend/transport/census_value.hpp>
#include <weft/protocol/agreement.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace weft {

/// The values of an exchange's census are small: in halves and quarters of words they fit, with MPI's header,
/// into one cache line, and each further line costs the receiver as much as a hundred instructions.
/// Fingerprints of items have 32 bits, other maxima 16. A byte tells whether a value is narrow, or wide, that
/// is, unchanged.
namespace packed_census {

inline constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min(); // maximum of the identity

inline constexpr std::size_t first_print = census_slot::largest_print;
inline constexpr std::size_t prints = 2;
static_assert(census_slot::least_print == first_print + 1);

struct narrow_value {
    std::int32_t sum[census_value::sums];
    std::uint32_t any;
    std::int32_t print[prints];
    std::int16_t max[census_value::maxima - prints]; // the others, in order
};

/// Narrows a maximum; the least narrow number encodes the identity. Returns true if the value fits.
template <class Narrow>
inline bool narrow_maximum(std::int64_t value, Narrow& into) noexcept {
    constexpr Narrow narrow_nothing = std::numeric_limits<Narrow>::min();
    bool const is_nothing = value == nothing;
    into = is_nothing ? narrow_nothing : static_cast<Narrow>(value);
    return is_nothing || (into == value && into != narrow_nothing);
}
template <class Narrow>
inline std::int64_t maximum_of(Narrow narrow) noexcept {
    return narrow == std::numeric_limits<Narrow>::min() ? nothing : narrow;
}

inline constexpr std::size_t narrow_bytes = 1 + sizeof(narrow_value);
inline constexpr std::size_t most_bytes = 1 + sizeof(census_value);

/// Writes at most `most_bytes` and returns the end.
inline std::byte* pack(census_value const& value, std::byte* into) noexcept {
    narrow_value narrow;
    narrow.any = static_cast<std::uint32_t>(value.any);
    bool fits = narrow.any == value.any;
    for (std::size_t i = 0; i < census_value::sums; ++i) {
        narrow.sum[i] = static_cast<std::int32_t>(value.sum[i]);
        fits &= narrow.sum[i] == value.sum[i];
    }
    for (std::size_t i = 0; i < prints; ++i)
        fits &= narrow_maximum(value.max[first_print + i], narrow.print[i]);
    for (std::size_t i = 0; i < first_print; ++i) fits &= narrow_maximum(value.max[i], narrow.max[i]);
    for (std::size_t i = first_print + prints; i < census_value::maxima; ++i)
        fits &= narrow_maximum(value.max[i], narrow.max[i - prints]);
    *into++ = static_cast<std::byte>(fits ? 0 : 1);
    if (!fits) [[unlikely]] {
        std::memcpy(into, &value, sizeof value);
        return into + sizeof value;
    }
    std::memcpy(into, &narrow, sizeof narrow);
    return into + sizeof narrow;
}

/// Reads the result of `pack` and returns the end.
inline std::byte const* unpack(std::byte const* from, census_value& value) noexcept {
    if (*from++ != std::byte{0}) [[unlikely]] {
        std::memcpy(&value, from, sizeof value);
        return from + sizeof value;
    }
    narrow_value narrow;
    std::memcpy(&narrow, from, sizeof narrow);
    for (std::size_t i = 0; i < census_value::sums; ++i) value.sum[i] = narrow.sum[i];
    for (std::size_t i = 0; i < prints; ++i) value.max[first_print + i] = maximum_of(narrow.print[i]);
    for (std::size_t i = 0; i < first_print; ++i) value.max[i] = maximum_of(narrow.max[i]);
    for (std::size_t i = first_print + prints; i < census_value::maxima; ++i)
        value.max[i] = maximum_of(narrow.max[i - prints]);
    value.any = narrow.any;
    return from + sizeof narrow;
}

} // namespace packed_census

} // namespace weft
