/// Concepts that classify types by the way in which they are sent, such as `wire_type`. Containers are
/// recognised by their member functions, so this header includes no headers of containers, and containers of
/// other libraries work, too.
#pragma once

#include <weft/wire/archive.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft {

/// The hook for a type that cannot be given a member: specialise it with a function
/// `static void wire(auto& archive, auto& value)` that calls `archive` with the parts of `value`, or with one
/// overload for `wire_writer&` and one for `wire_reader&`.
template <class T>
struct wire_hook;

namespace detail {

template <class T>
concept member_hook = requires(wire_writer& writer, wire_reader& reader, T const& from, T& to) {
    T::wire(writer, from);
    T::wire(reader, to);
};

template <class T>
concept outer_hook = requires(wire_writer& writer, wire_reader& reader, T const& from, T& to) {
    wire_hook<T>::wire(writer, from);
    wire_hook<T>::wire(reader, to);
};

template <class T>
concept hooked = member_hook<T> || outer_hook<T>;

template <class T>
concept called_on_object = requires(T& value, wire_writer& writer) {
    value.wire(writer);
};

template <class T>
concept writes_only = requires(T const& value, wire_writer& writer) {
    T::wire(writer, value);
};

template <class T>
concept reads_only = requires(T& value, wire_reader& reader) {
    T::wire(reader, value);
};

/// True if a type has a member `wire` that is not a valid hook: not static, or only for one direction.
/// Without this check a type with an invalid hook would silently be sent as its bytes.
template <class T>
concept broken_hook = !hooked<T> && (called_on_object<T> || writes_only<T> || reads_only<T>);

template <class T>
inline constexpr bool is_initializer_list = false;
template <class T>
inline constexpr bool is_initializer_list<std::initializer_list<T>> = true;

template <class T>
concept iterator_like = requires(T& value) {
    *++value;
};

template <class T>
concept reference_wrapper_like = requires(T const& value) {
    requires std::is_same_v<decltype(value.get()), typename T::type&>;
};

template <class T>
concept view_like = is_initializer_list<T> || std::ranges::enable_view<T> || iterator_like<T>;

/// True if the value is in other memory: pointers, views, iterators, and wrapped references. A hook may
/// follow them.
template <class T>
concept points_elsewhere =
    !hooked<T> && (std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T> ||
                      view_like<T> || reference_wrapper_like<T>);

template <class T>
consteval bool has_member_elsewhere();

/// Stands for a member of a class: it converts only to types whose value lives elsewhere, or that have such a
/// member.
struct member_elsewhere {
    template <class T>
    requires(points_elsewhere<T> || has_member_elsewhere<T>()) operator T() const noexcept;
};
/// Converts to no value: a class that can be made from it accepts anything: its members are unknown.
struct member_of_no_type {};

/// An M can stand for one of the first 16 members of an aggregate.
template <class T, class M>
concept made_with_member = requires {
    T{M()};
}
|| requires {
    T{{}, M()};
}
|| requires {
    T{{}, {}, M()};
}
|| requires {
    T{{}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, M()};
}
|| requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, M()};
};

/// True for aggregates that would travel as their bytes, although one of their first 16 members points
/// elsewhere. A class with constructors or private members hides them from the compiler.
template <class T>
consteval bool has_member_elsewhere() {
    if constexpr (std::is_aggregate_v<T> && !std::is_array_v<T> && !std::is_union_v<T> &&
                  std::is_trivially_copyable_v<T> && !hooked<T> && !broken_hook<T>)
        return made_with_member<T, member_elsewhere> && !made_with_member<T, member_of_no_type>;
    else
        return false;
}

/// An enumeration without a fixed underlying type: bytes out of its range would be undefined behaviour.
template <class T>
concept loose_enum = std::is_enum_v<T> && !requires {
    T{0};
};

template <class T>
constexpr bool is_bool() {
    if constexpr (std::is_enum_v<T>)
        return std::is_same_v<std::underlying_type_t<T>, bool>;
    else
        return std::is_same_v<T, bool>;
}

template <class T>
concept optional_like = !hooked<T> && requires(T & value) {
    typename T::value_type;
    value.has_value();
    value.reset();
    *value;
};

template <class T>
concept variant_like = !hooked<T> && requires(T const& value) {
    value.index();
    value.valueless_by_exception();
};

template <class T>
concept container_like = !hooked<T> && requires(T & value) {
    typename T::value_type;
    value.begin();
    value.end();
    value.size();
    value.clear();
};

template <class T>
inline constexpr bool is_product = false;
template <class A, class B>
inline constexpr bool is_product<std::pair<A, B>> = true;
template <class... T>
inline constexpr bool is_product<std::tuple<T...>> = sizeof...(T) != 0;

template <class T>
concept structured = optional_like<T> || variant_like<T> || container_like<T> || is_product<T>;

/// True if some byte patterns are not values, or if the bytes alone are not the value.
template <class T>
concept needs_rules = hooked<T> || broken_hook<T> ||
    is_bool<T>() || loose_enum<T> || structured<T> || points_elsewhere<T> || has_member_elsewhere<T>();

template <class T>
inline constexpr bool is_bare = !needs_rules<T> && std::is_trivially_copyable_v<T>;
template <class T, std::size_t N>
inline constexpr bool is_bare<std::array<T, N>> = is_bare<T>;

/// The encoding of a type; declared here, defined in weft/detail/wire/format.hpp, for wire types only.
template <class T>
struct wire_format;

template <class T>
concept has_wire_format = requires {
    wire_format<T>::least_bytes;
};

} // namespace detail

/// True for types that are sent as their bytes in memory. A bare type is trivially copyable, and is not a
/// pointer, view, iterator, reference wrapper, bool, enumeration without a fixed underlying type, type with a
/// hook, or structured type such as `std::optional`, whose tag must be checked. All bytes of a class are
/// sent, padding included. A class with a pointer or a view among its first 16 public members is refused.
/// Private pointers are not detected, and values of bool are not checked: a class with private pointers or
/// with bools must have a hook.
template <class T>
concept bare_type = std::is_object_v<T> && std::is_same_v<T, std::remove_cv_t<T>> && !std::is_array_v<T> &&
                    detail::is_bare<T>;

/// True for types that can be encoded and decoded; weft/wire/wire.hpp lists them.
template <class T>
concept wire_type = !detail::points_elsewhere<T> && !detail::broken_hook<T> && detail::has_wire_format<T>;

namespace detail {

/// The message of the compiler for a type that cannot be sent.
template <class T>
struct must_travel {
    static_assert(!has_member_elsewhere<T>(),
        "weft: this type cannot travel: one of its members is a pointer or a view, which means nothing on "
        "another rank; give the class a hook that passes the values instead; see weft/wire/wire.hpp");
    static_assert(wire_type<T>,
        "weft: this type cannot travel: a pointer, a view, or a type without a hook; see weft/wire/wire.hpp");
};

/// A value that a hook may pass to its archive: a wire type or an array of them.
template <class T>
concept wire_field = wire_type<std::remove_all_extents_t<T>>;

} // namespace detail

} // namespace weft
