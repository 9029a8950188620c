/// The wire formats: one `wire_format` for each kind of type. A format has the least number of bytes of a
/// value, by which lengths are checked before allocations, a function `write`, and a function `read` into an
/// object.
#pragma once

#include <weft/wire/kinds.hpp>

#include <bit>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft::detail {

template <bare_type T>
T read_bare(wire_reader& reader) {
    struct {
        std::byte bytes[sizeof(T)];
    } raw;
    reader.bytes_to(&raw, sizeof(T), "a value of fixed size");
    return std::bit_cast<T>(raw);
}

template <bare_type T>
struct wire_format<T> {
    static constexpr std::size_t least_bytes = sizeof(T);

    static void write(wire_writer& writer, T const& value) { writer.bytes(&value, sizeof(T)); }

    // Assigned, not copied by bytes: the object may be a base or an empty member, whose padding can contain
    // other objects.
    static void read(wire_reader& reader, T& value) { value = read_bare<T>(reader); }
};

template <class T>
requires(is_bool<T>()) struct wire_format<T> {
    static constexpr std::size_t least_bytes = 1;

    static void write(wire_writer& writer, T value) { writer.tag(static_cast<bool>(value) ? 1 : 0); }
    static void read(wire_reader& reader, T& value) {
        value = static_cast<T>(reader.tag(2, "a bool, 0 or 1") == 1);
    }
};

/// Counts a level of nesting during its lifetime.
template <class Archive>
class nesting_level {
public:
    explicit nesting_level(Archive& archive) : archive_(archive) { archive_.enter(); }
    nesting_level(nesting_level const&) = delete;
    nesting_level& operator=(nesting_level const&) = delete;
    ~nesting_level() { archive_.leave(); }

private:
    Archive& archive_;
};

/// A hook may write anything, or nothing. Types can contain themselves only through a hook, so nesting is
/// counted here.
template <hooked T>
requires std::is_default_constructible_v<T>
struct wire_format<T> {
    static constexpr std::size_t least_bytes = 0;

    static void write(wire_writer& writer, T const& value) { call(writer, value); }
    static void read(wire_reader& reader, T& value) { call(reader, value); }

private:
    static void call(auto& archive, auto& value) {
        nesting_level const level(archive);
        if constexpr (outer_hook<T>)
            wire_hook<T>::wire(archive, value);
        else
            T::wire(archive, value);
    }
};

/// The parts of a pair or tuple, one after the other.
template <class Product, class... Part>
struct product_format {
    static constexpr std::size_t least_bytes = (wire_format<Part>::least_bytes + ...);

    static void write(wire_writer& writer, Product const& value) {
        std::apply([&](Part const&... part) { (wire_format<Part>::write(writer, part), ...); }, value);
    }
    static void read(wire_reader& reader, Product& value) {
        std::apply([&](Part&... part) { (wire_format<Part>::read(reader, part), ...); }, value);
    }
};

template <wire_type A, wire_type B>
requires std::is_default_constructible_v<std::pair<A, B>>
struct wire_format<std::pair<A, B>> : product_format<std::pair<A, B>, A, B> {
};

template <wire_type... T>
requires(sizeof...(T) != 0 &&
         std::is_default_constructible_v<std::tuple<T...>>) struct wire_format<std::tuple<T...>>
    : product_format<std::tuple<T...>, T...> {
};

/// A fixed number of elements, one after the other.
template <class Array, class Element, std::size_t N>
struct array_format {
    static constexpr std::size_t least_bytes = N * wire_format<Element>::least_bytes;

    static void write(wire_writer& writer, Array const& value) {
        for (std::size_t i = 0; i < N; ++i) wire_format<Element>::write(writer, value[i]);
    }
    static void read(wire_reader& reader, Array& value) {
        for (std::size_t i = 0; i < N; ++i) wire_format<Element>::read(reader, value[i]);
    }
};

template <wire_type T, std::size_t N>
requires(!is_bare<T> && std::is_default_constructible_v<T>) struct wire_format<std::array<T, N>>
    : array_format<std::array<T, N>, T, N> {
};

template <wire_field T, std::size_t N>
struct wire_format<T[N]> : array_format<T[N], T, N> {};

/// A byte 0, or a byte 1 and the value.
template <optional_like T>
requires wire_type<typename T::value_type>
struct wire_format<T> {
    using value_type = typename T::value_type;
    static constexpr std::size_t least_bytes = 1;

    static void write(wire_writer& writer, T const& value) {
        writer.tag(value.has_value() ? 1 : 0);
        if (value.has_value()) wire_format<value_type>::write(writer, *value);
    }
    static void read(wire_reader& reader, T& value) {
        value.reset();
        if (reader.tag(2, "the tag of an optional, 0 or 1") == 0) return;
        if constexpr (bare_type<value_type>) {
            value.emplace(read_bare<value_type>(reader));
        } else {
            value.emplace();
            wire_format<value_type>::read(reader, *value);
        }
    }
};

/// Throws the `usage_error` for a variant without a value.
[[noreturn]] void refuse_valueless();

/// A byte with the index of the alternative, and the value of that alternative.
template <template <class...> class Variant, wire_type... T>
requires(variant_like<Variant<T...>> && sizeof...(T) <= 255 &&
         std::is_default_constructible_v<Variant<T...>>) struct wire_format<Variant<T...>> {
    static constexpr std::size_t least_bytes = 1;

    static void write(wire_writer& writer, Variant<T...> const& value) {
        if (value.valueless_by_exception()) refuse_valueless();
        writer.tag(static_cast<unsigned char>(value.index()));
        with_index(value.index(), [&]<std::size_t I>() {
            using std::get;
            wire_format<alternative<I>>::write(writer, get<I>(value));
        });
    }
    static void read(wire_reader& reader, Variant<T...>& value) {
        with_index(
            reader.tag(sizeof...(T), "the index of an alternative of a variant"), [&]<std::size_t I>() {
                if constexpr (bare_type<alternative<I>>)
                    value.template emplace<I>(read_bare<alternative<I>>(reader));
                else
                    wire_format<alternative<I>>::read(reader, value.template emplace<I>());
            });
    }

private:
    template <std::size_t I>
    using alternative = std::tuple_element_t<I, std::tuple<T...>>;

    template <class Function>
    static void with_index(std::size_t index, Function&& function) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (void)((index == I && (function.template operator()<I>(), true)) || ...);
        }
        (std::make_index_sequence<sizeof...(T)>());
    }
};

/// Contiguous elements encoded as their bytes: strings and most vectors.
template <class T>
concept bare_run = container_like<T> && bare_type<typename T::value_type> &&
    std::is_default_constructible_v<typename T::value_type> && requires(T& value) {
    requires std::is_same_v<decltype(value.data()), typename T::value_type*>;
    value.resize(value.size());
};

/// std::vector<bool>: the elements are bits and have no address.
template <class T>
concept bit_run = container_like<T> && std::is_same_v<typename T::value_type, bool> &&
    !std::is_reference_v<typename T::reference>;

template <class T>
concept map_like = container_like<T> && requires(T& value) {
    typename T::key_type;
    typename T::mapped_type;
    value.emplace_hint(value.end());
};

template <class T>
concept set_like = container_like<T> && !map_like<T> && requires(T & value) {
    typename T::key_type;
    value.emplace_hint(value.end());
};

template <class T>
concept sequence =
    container_like<T> && !bare_run<T> && !bit_run<T> && !map_like<T> && !set_like<T> && requires(T & value) {
    value.push_back(std::move(value.back()));
};

/// The length, then the bytes of the elements.
template <bare_run T>
struct wire_format<T> {
    using value_type = typename T::value_type;
    static constexpr std::size_t least_bytes = 1;

    static void write(wire_writer& writer, T const& value) {
        writer.length(value.size());
        writer.bytes(value.data(), value.size() * sizeof(value_type));
    }
    static void read(wire_reader& reader, T& value) {
        std::size_t const count = reader.length(sizeof(value_type));
        value.resize(count);
        reader.bytes_to(value.data(), count * sizeof(value_type), "the elements of a list");
    }
};

/// The number of bytes; unless it is 0, a byte with the number of unused bits in the last one; then the bits,
/// the first one lowest, the unused ones zero.
template <bit_run T>
struct wire_format<T> {
    static constexpr std::size_t least_bytes = 1;

    static void write(wire_writer& writer, T const& value) {
        std::size_t const bits = value.size();
        writer.length(bits / 8 + (bits % 8 != 0 ? 1 : 0));
        if (bits == 0) return;
        writer.tag(static_cast<unsigned char>((8 - bits % 8) % 8));
        for (std::size_t first = 0; first < bits; first += 8) {
            unsigned byte = 0;
            for (std::size_t bit = 0; bit < 8 && first + bit < bits; ++bit)
                byte |= static_cast<unsigned>(value[first + bit]) << bit;
            writer.tag(static_cast<unsigned char>(byte));
        }
    }
    static void read(wire_reader& reader, T& value) {
        value.clear();
        std::size_t const bytes = reader.length(1);
        if (bytes == 0) return;
        std::size_t const unused = reader.tag(8, "the number of unused bits, 0 to 7");
        value.resize(bytes * 8 - unused);
        for (std::size_t i = 0; i + 1 < bytes; ++i) read_byte(reader, value, i * 8, 8);
        read_byte(reader, value, (bytes - 1) * 8, 8 - unused);
    }

private:
    static void read_byte(wire_reader& reader, T& value, std::size_t first, std::size_t bits) {
        unsigned const byte = reader.tag(1U << bits, "bits with the unused ones zero");
        for (std::size_t bit = 0; bit < bits; ++bit) value[first + bit] = ((byte >> bit) & 1U) != 0;
    }
};

/// The length, then the elements, padded with zeros to at least one byte per element. A length above the
/// number of remaining bytes is therefore always an error, and no loop runs on a corrupt length.
template <class Container, std::size_t least_element_bytes>
struct list_format {
    static constexpr std::size_t least_bytes = 1;

protected:
    static void write_all(wire_writer& writer, Container const& value, auto&& write_element) {
        writer.length(value.size());
        std::size_t const start = writer.position();
        for (auto const& element : value) write_element(element);
        if constexpr (least_element_bytes == 0) writer.fill_to(start + value.size());
    }

    static void read_all(wire_reader& reader, Container& value, auto&& read_element) {
        value.clear();
        std::size_t const count = reader.length(least_element_bytes);
        if constexpr (requires { value.reserve(count); }) {
            // A list of large elements may claim one element for each byte, so it grows while elements are
            // read instead.
            std::size_t const in_advance = reader.remaining() * 32 / sizeof(typename Container::value_type);
            value.reserve(count < in_advance ? count : in_advance);
        }
        std::size_t const start = reader.position();
        for (std::size_t i = 0; i < count; ++i) read_element();
        if constexpr (least_element_bytes == 0) reader.skip_to(start + count);
    }
};

template <sequence T>
requires wire_type<typename T::value_type>
struct wire_format<T> : list_format<T, wire_format<typename T::value_type>::least_bytes> {
    using element = wire_format<typename T::value_type>;

    static void write(wire_writer& writer, T const& value) {
        wire_format::write_all(writer, value, [&](auto const& each) { element::write(writer, each); });
    }
    static void read(wire_reader& reader, T& value) {
        wire_format::read_all(reader, value, [&] {
            if constexpr (bare_type<typename T::value_type>) {
                value.push_back(read_bare<typename T::value_type>(reader));
            } else {
                value.emplace_back(); // read in place, so that nesting uses little stack
                element::read(reader, value.back());
            }
        });
    }
};

/// Reads a key; a set or map then inserts it and calls `check_new`.
template <class Container>
struct key_reader {
    using key_type = typename Container::key_type;

    static key_type read(wire_reader& reader) {
        if constexpr (bare_type<key_type>) {
            return read_bare<key_type>(reader);
        } else {
            key_type key{};
            wire_format<key_type>::read(reader, key);
            return key;
        }
    }
    static void check_new(wire_reader& reader, Container const& value, std::size_t size_before) {
        if (value.size() == size_before) reader.fail("a key that is new", 1, reader.position());
    }
};

template <set_like T>
requires wire_type<typename T::key_type>
struct wire_format<T> : list_format<T, wire_format<typename T::key_type>::least_bytes> {
    static void write(wire_writer& writer, T const& value) {
        wire_format::write_all(
            writer, value, [&](auto const& key) { wire_format<typename T::key_type>::write(writer, key); });
    }
    static void read(wire_reader& reader, T& value) {
        wire_format::read_all(reader, value, [&] {
            std::size_t const before = value.size();
            value.emplace_hint(value.end(), key_reader<T>::read(reader));
            key_reader<T>::check_new(reader, value, before);
        });
    }
};

template <map_like T>
requires wire_type<typename T::key_type> && wire_type<typename T::mapped_type>
struct wire_format<T> : list_format<T, wire_format<typename T::key_type>::least_bytes +
                                           wire_format<typename T::mapped_type>::least_bytes> {
    using key_format = wire_format<typename T::key_type>;
    using mapped_type = typename T::mapped_type;

    static void write(wire_writer& writer, T const& value) {
        wire_format::write_all(writer, value, [&](auto const& each) {
            key_format::write(writer, each.first);
            wire_format<mapped_type>::write(writer, each.second);
        });
    }
    static void read(wire_reader& reader, T& value) {
        wire_format::read_all(reader, value, [&] {
            std::size_t const before = value.size();
            auto key = key_reader<T>::read(reader);
            if constexpr (bare_type<mapped_type>) {
                value.emplace_hint(value.end(), std::move(key), read_bare<mapped_type>(reader));
                key_reader<T>::check_new(reader, value, before);
            } else {
                auto const place = value.emplace_hint(value.end(), std::piecewise_construct,
                    std::forward_as_tuple(std::move(key)), std::tuple<>());
                key_reader<T>::check_new(reader, value, before);
                wire_format<mapped_type>::read(reader, place->second);
            }
        });
    }
};

} // namespace weft::detail
