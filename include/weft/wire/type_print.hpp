/// A number for a type that ranks can compare: sender and receiver must mean the same type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <typeinfo>

namespace weft {

namespace detail {

/// Continues a 64-bit hash (FNV-1a) over some characters or over a number. Starts at `hash_start`.
inline constexpr std::uint64_t hash_start = 14695981039346656037u;
[[nodiscard]] constexpr std::uint64_t hash_on(std::uint64_t hash, std::string_view text) noexcept {
    for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}
[[nodiscard]] constexpr std::uint64_t hash_on(std::uint64_t hash, std::uint64_t number) noexcept {
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ ((number >> shift) & 0xFF)) * 1099511628211u;
    return hash;
}

[[nodiscard]] std::uint64_t type_print_of(std::type_info const& type, std::size_t bytes) noexcept;
[[nodiscard]] std::string type_text_of(std::type_info const& type, std::size_t bytes);

} // namespace detail

/// Returns a hash of the name and the size of a type. It is equal on all ranks whose programs were built by
/// compilers that name types alike, also where these are different programs. Never 0. Two types of one name
/// and one size, in anonymous namespaces of two files, have the same one.
/// Collective: no. Cost: O(1), after a first call for each type.
template <class T>
[[nodiscard]] std::uint64_t type_print() noexcept {
    static std::uint64_t const made = detail::type_print_of(typeid(T), sizeof(T));
    return made;
}

/// Returns the name of a type as its source has it, and its size: "int (4 bytes)". For messages.
template <class T>
[[nodiscard]] std::string type_text() {
    return detail::type_text_of(typeid(T), sizeof(T));
}

} // namespace weft
