/// The name of a type and its fingerprint, which is the same on all ranks of one program.
#pragma once

#include <weft/detail/core/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// The fingerprint of a type, by which ranks check that they use the same type. Two types have the same
/// fingerprint by chance once in 2^31, or if they have the same size and the same name in two anonymous
/// namespaces.
struct item_type {
    std::uint32_t number = 0;        ///< A hash of name and size, 31 bits; 0: bytes without a type.
    std::int64_t bytes = 0;          ///< The size of a value; 0 if sizes differ.
    std::string_view name = "bytes"; ///< The name, as the compiler spells it.

    friend constexpr bool operator==(item_type const& a, item_type const& b) noexcept {
        return a.number == b.number && a.bytes == b.bytes && a.name == b.name;
    }
};

/// Returns a text such as "'float' of 4 bytes". Local.
[[nodiscard]] inline std::string to_string(item_type const& type) {
    std::string text(type.name);
    text = "'" + text + "' of ";
    return text + (type.bytes == 0 ? "any number of" : std::to_string(type.bytes)) + " bytes";
}

namespace detail {

/// The text ends in "T = float]", and "T = " occurs only there, because the result type is not a template.
template <class T>
[[nodiscard]] consteval char const* type_signature() noexcept {
    return __PRETTY_FUNCTION__;
}

[[nodiscard]] consteval std::string_view name_in(std::string_view signature) noexcept {
    std::string_view const before = "T = ";
    std::size_t const at = signature.find(before);
    if (at == std::string_view::npos) return signature;
    signature.remove_prefix(at + before.size());
    return signature.substr(0, signature.rfind(']'));
}

/// A hash of the name and the sizes; not 0.
[[nodiscard]] consteval std::uint32_t print_number(
    std::string_view name, std::size_t size, std::int64_t bytes) noexcept {
    return fnv_hash().add(name).add(size).add(static_cast<std::uint64_t>(bytes)).folded();
}

} // namespace detail

/// Returns the fingerprint of T. `bytes`: the encoded size of a value; 0 if sizes vary.
template <class T>
[[nodiscard]] consteval item_type print_of(std::int64_t bytes) noexcept {
    std::string_view const name = detail::name_in(detail::type_signature<T>());
    return {detail::print_number(name, sizeof(T), bytes), bytes, name};
}

} // namespace weft
