/// Keys of containers: their types, hashes and owners.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/containers/xxhash.hpp>
#include <weft/wire/wire.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft::detail {

template <class T>
concept has_a_hasher = requires {
    typename T::hasher; // the order of elements may depend on their insertion
};

template <class T>
consteval bool has_exact_bytes();

template <class T, std::size_t... I>
consteval bool parts_have_exact_bytes(std::index_sequence<I...>) {
    return (has_exact_bytes<std::remove_cv_t<std::tuple_element_t<I, T>>>() && ...);
}

/// Returns true if equal values have equal encodings: false for types with padding, or with an order of
/// elements that depends on their insertion.
template <class T>
consteval bool has_exact_bytes() {
    if constexpr (is_product<T>)
        return parts_have_exact_bytes<T>(std::make_index_sequence<std::tuple_size_v<T>>());
    else if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) <= 8; // larger types have padding
    else if constexpr (bare_type<T> && requires { std::tuple_size<T>::value; })
        return has_exact_bytes<typename T::value_type>(); // std::array
    else if constexpr (bare_type<T>)
        return std::has_unique_object_representations_v<T>;
    else if constexpr (has_a_hasher<T>)
        return false;
    else if constexpr (optional_like<T> || container_like<T>)
        return has_exact_bytes<std::remove_cv_t<typename T::value_type>>();
    else
        return true;
}

} // namespace weft::detail

namespace weft {

/// A key of a container: a wire type whose equal values have equal encodings, so that they have one owner.
/// Excluded are classes with padding (give them a hook), unordered containers, and types that contain either.
/// Keys without a hook or structure are compared by their bytes, so 0.0 and -0.0 are two keys, and equal NaNs
/// are one key.
template <class T>
concept key_type = wire_type<T> && std::move_constructible<T> && std::equality_comparable<T> &&
    detail::has_exact_bytes<T>();

} // namespace weft

namespace weft::detail {

/// The type of a value as an argument of a call, and as read from a message: texts are not copied.
template <class T>
using view_of = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;
template <class T>
using argument_of = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T const&>;

inline constexpr std::uint64_t seed_of_keys = 0x57656674; // the same on all ranks

template <class T>
[[nodiscard]] std::uint64_t hash_of_key(argument_of<T> key) {
    if constexpr (std::is_same_v<T, std::string>) {
        return xxh64(std::as_bytes(std::span(key.data(), key.size())), seed_of_keys);
    } else if constexpr (bare_type<T>) {
        return xxh64(std::as_bytes(std::span(&key, 1)), seed_of_keys);
    } else {
        buffer bytes;
        encode(bytes, key);
        return xxh64(bytes.bytes(), seed_of_keys);
    }
}

template <class T>
[[nodiscard]] bool are_equal_keys(T const& a, argument_of<T> b) {
    if constexpr (bare_type<T>)
        return std::memcmp(&a, &b, sizeof(T)) == 0;
    else
        return a == b;
}

/// Returns the rank that owns a key: it is computed from the upper bits of the hash, so that the lower bits
/// vary on each rank.
[[nodiscard]] inline int owner_of_hash(std::uint64_t hash, int ranks) noexcept {
    __extension__ using wide = unsigned __int128;
    return static_cast<int>(static_cast<wide>(hash) * static_cast<unsigned>(ranks) >> 64);
}

} // namespace weft::detail
