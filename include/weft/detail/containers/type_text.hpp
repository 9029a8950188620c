/// Descriptions of types in files of containers, which are independent of the compiler.
#pragma once

#include <weft/wire/kinds.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft::detail {

template <class... T>
void put_types(std::string& out);

template <class T>
concept array_like = requires {
    std::tuple_size<T>::value;
    typename T::value_type;
};

template <class T, std::size_t... I>
void put_types_of_parts(std::string& out, std::index_sequence<I...>) {
    put_types<std::remove_cv_t<std::tuple_element_t<I, T>>...>(out);
}

/// Appends "text", "i64", "[f32]", "(u8, text)" or the like. A structure is described by its size; the output
/// of a hook is not described.
template <class T>
void put_type(std::string& out) {
    if constexpr (is_bool<T>()) {
        out += "bool";
    } else if constexpr (std::is_enum_v<T>) {
        put_type<std::underlying_type_t<T>>(out);
    } else if constexpr (std::is_arithmetic_v<T>) {
        out += std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
        out += std::to_string(8 * sizeof(T));
    } else if constexpr (is_product<T>) {
        out += '(';
        put_types_of_parts<T>(out, std::make_index_sequence<std::tuple_size_v<T>>());
        out += ')';
    } else if constexpr (array_like<T>) {
        put_type<typename T::value_type>(out);
        out += '[' + std::to_string(std::tuple_size<T>::value) + ']';
    } else if constexpr (bare_type<T>) {
        out += std::to_string(sizeof(T)) + " bytes";
    } else if constexpr (optional_like<T>) {
        put_type<typename T::value_type>(out);
        out += '?';
    } else if constexpr (variant_like<T>) {
        out += "variant";
    } else if constexpr (container_like<T>) {
        if constexpr (std::is_same_v<typename T::value_type, char>) {
            out += "text";
        } else {
            out += '[';
            put_type<std::remove_cv_t<typename T::value_type>>(out);
            out += ']';
        }
    } else {
        out += "structure";
    }
}

/// Appends several descriptions, separated by commas.
template <class... T>
void put_types(std::string& out) {
    std::size_t before = 0;
    ((out += before++ == 0 ? "" : ", ", put_type<T>(out)), ...);
}

/// Returns "map<text, i64>".
template <class... T>
[[nodiscard]] std::string text_of_container(char const* name) {
    std::string text(name);
    text += '<';
    put_types<T...>(text);
    return text + '>';
}

} // namespace weft::detail
