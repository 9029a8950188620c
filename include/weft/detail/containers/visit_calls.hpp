/// Calls of handlers on entries of containers, and the replies for which a rank waits.
#pragma once

#include <weft/detail/containers/keys.hpp>
#include <weft/detail/core/shared.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::detail {

/// The places for the replies that this rank waits for.
template <class Answer>
struct awaited_answers : counted {
    std::vector<Answer>* to = nullptr; ///< null: no call waits

    [[nodiscard]] static std::int64_t locate(std::int64_t place) noexcept { return place; }
    static void prefetch(std::int64_t) noexcept {}
    static void prefetch_entry(std::int64_t) noexcept {}
};

/// Types of values that `increment` accepts.
template <class V>
concept counts_up = std::is_arithmetic_v<V> && !std::is_same_v<V, bool>;

[[noreturn]] void unequal_spans(char const* call, std::size_t keys, std::size_t others);

/// The argument type of a handler for a text of a message: a view if the handler accepts one, otherwise a
/// string.
template <class T>
[[nodiscard]] decltype(auto) as_argument(view_of<T>& value) {
    if constexpr (std::is_same_v<T, std::string>)
        return std::string(value);
    else
        return static_cast<T const&>(value);
}

template <class H, class V, class... A>
concept visits = std::is_invocable_v < H&,
        V&, view_of<A>
const&... > || std::is_invocable_v<H&, V&, A const&...>;
template <class H, class K, class V, class... A>
concept visits_with_key = std::is_invocable_v < H&,
        K const&, V&, view_of<A>
const&... > || std::is_invocable_v<H&, K const&, V&, A const&...>;

/// Calls a handler with an entry and the arguments of its message; returns its result.
template <class... A, class H, class K, class V>
decltype(auto) call_visitor(H& handler, K const& key, V& value, view_of<A>&... arguments) {
    if constexpr (std::is_invocable_v<H&, K const&, V&, view_of<A> const&...>)
        return handler(key, value, std::as_const(arguments)...);
    else if constexpr (std::is_invocable_v<H&, K const&, V&, A const&...>)
        return handler(key, value, as_argument<A>(arguments)...);
    else if constexpr (std::is_invocable_v<H&, V&, view_of<A> const&...>)
        return handler(value, std::as_const(arguments)...);
    else
        return handler(value, as_argument<A>(arguments)...);
}

} // namespace weft::detail
