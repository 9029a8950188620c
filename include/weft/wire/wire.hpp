/// Encoding of values as bytes, and decoding.
///
/// Types that can be sent (`wire_type`), and their encoding. Containers are recognised by their member
/// functions, so containers of other libraries can be sent as well. If the elements of a list take less than
/// a byte each on average, zeros are appended up to a byte per element.
/// - bare types (`bare_type`): their bytes, sizeof(T) of them, including padding
/// - bool: a byte, 0 or 1; std::optional: a byte, 0 or 1, and the value if it has one
/// - std::variant: a byte, the index of the alternative, and its value
/// - std::pair, tuple, array: the elements, one after the other
/// - strings, vectors of bare types: the length, and the bytes of the elements
/// - std::vector<bool>: the number of bytes, the number of unused bits, and 8 elements per byte
/// - other vectors, std::deque, lists, and sets: the length, and the elements in the container's order
/// - maps: the length, and key and value by turns, in the container's order
/// - types with a hook: the values that the hook passes to the archive, one after the other
///
/// A length is an LEB128 number: 7 bits per byte, the lowest first, the top bit set in all bytes but the
/// last. A length below 128 takes one byte, a longer length at most 10 bytes. All other numbers have the byte
/// order and the sizes of the machine, which must be the same on all ranks. The bytes do not describe the
/// type, so a value must be decoded as the type that was encoded.
///
/// The hook is a public static member `wire`, which is called both to encode and to decode:
/// \code
/// struct parcel {
///     std::string name;
///     std::vector<int> items;
///     static void wire(auto& archive, auto& self) { archive(self.name, self.items); }
/// };
/// \endcode
/// For a class that cannot be changed, the hook is the same function in a specialisation of
/// `weft::wire_hook<parcel>`. A class with a hook needs a default constructor. The hook may pass arrays, and
/// the class may contain itself through a container, up to `wire_nesting_limit` levels. A derived class needs
/// its own hook; otherwise only its base class is sent.
#pragma once

#include <weft/detail/wire/format.hpp>

#include <cstddef>
#include <span>

namespace weft {

template <class... T>
void wire_writer::operator()(T const&... values) {
    static_assert((detail::wire_field<T> && ...), "weft: a hook passes a value that is not a wire type: a "
                                                  "pointer, a view, a type without a hook, or one "
                                                  "without a default constructor; see weft/wire/wire.hpp");
    (detail::wire_format<T>::write(*this, values), ...);
}

template <class... T>
void wire_reader::operator()(T&... values) {
    static_assert((detail::wire_field<T> && ...), "weft: a hook passes a value that is not a wire type: a "
                                                  "pointer, a view, a type without a hook, or one "
                                                  "without a default constructor; see weft/wire/wire.hpp");
    (detail::wire_format<T>::read(*this, values), ...);
}

/// Appends a value to a buffer. Cost: amortised O(bytes of the value); no allocation except by the buffer.
/// Throws: `usage_error` for a variant without a value and for nesting deeper than `wire_nesting_limit`;
/// errors of hooks. After an error the buffer has the same bytes as before the call.
template <wire_type T>
void encode(buffer& out, T const& value) {
    std::size_t const before = out.size();
    try {
        wire_writer writer(out);
        writer(value);
    } catch (...) {
        out.resize(before);
        throw;
    }
}

/// Reads and returns the next value. Cost: O(bytes of the value), and the allocations of the containers.
/// Before an error is detected, at most the number of received bytes times the size of an element is
/// allocated. Throws: `wire_error` if the bytes end early or cannot be an encoded T; errors of hooks.
template <wire_type T>
[[nodiscard]] T decode(wire_reader& reader) {
    if constexpr (bare_type<T>) {
        return detail::read_bare<T>(reader);
    } else {
        T value{};
        reader(value);
        return value;
    }
}

/// Returns the value that the bytes contain. Cost and Throws: as `decode` of a reader; `wire_error` also
/// if bytes are left over.
template <wire_type T>
[[nodiscard]] T decode(std::span<std::byte const> source) {
    wire_reader reader(source);
    T value = decode<T>(reader);
    reader.finish();
    return value;
}

#ifndef DOXYGEN // mistakes, which end in a sentence
template <class T>
requires(!wire_type<T>) void encode(buffer&, T const&) {
    (void)detail::must_travel<T>();
}
template <class T, class Source>
requires(!wire_type<T>) T decode(Source&&) {
    (void)detail::must_travel<T>();
}
#endif

} // namespace weft
