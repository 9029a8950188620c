/// Records: the format of keys and arguments in the messages of containers.
#pragma once

#include <weft/core/buffer.hpp>
#include <weft/detail/containers/keys.hpp>
#include <weft/wire/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft::detail {

// The parts of a record are adjacent and unaligned: bare types as their bytes, others after their length. A
// record never leaves the job, so a reader trusts lengths, but checks encoded parts.

[[nodiscard]] constexpr std::size_t room_of_length(std::size_t length) noexcept {
    std::size_t bytes = 1;
    for (; length >= 0x80; length >>= 7) ++bytes;
    return bytes;
}
inline std::byte* put_length(std::byte* to, std::size_t length) noexcept {
    for (; length >= 0x80; length >>= 7) *to++ = static_cast<std::byte>(length | 0x80);
    *to++ = static_cast<std::byte>(length);
    return to;
}
[[nodiscard]] inline std::size_t take_length(std::byte const*& at) noexcept {
    auto byte = static_cast<std::size_t>(*at++);
    std::size_t length = byte & 0x7F;
    for (int shift = 7; byte >= 0x80; shift += 7) {
        byte = static_cast<std::size_t>(*at++);
        length |= (byte & 0x7F) << shift;
    }
    return length;
}

/// A part in its written form. It refers to the value.
template <class T>
class record_part {
public:
    explicit record_part(argument_of<T> value) : value_(value) {
        if constexpr (is_encoded) encode(encoded_, value);
    }
    [[nodiscard]] std::size_t room() const noexcept {
        if constexpr (bare_type<T>)
            return sizeof(T);
        else
            return room_of_length(bytes().size()) + bytes().size();
    }
    std::byte* put(std::byte* to) const noexcept {
        std::span<std::byte const> const from = bytes();
        if constexpr (!bare_type<T>) to = put_length(to, from.size());
        if (!from.empty()) std::memcpy(to, from.data(), from.size());
        return to + from.size();
    }

private:
    static constexpr bool is_encoded = !bare_type<T> && !std::is_same_v<T, std::string>;
    struct nothing {};

    [[nodiscard]] std::span<std::byte const> bytes() const noexcept {
        if constexpr (is_encoded)
            return encoded_.bytes();
        else if constexpr (bare_type<T>)
            return std::as_bytes(std::span(&value_, 1));
        else
            return std::as_bytes(std::span(value_.data(), value_.size()));
    }

    argument_of<T> value_;
    [[no_unique_address]] std::conditional_t<is_encoded, buffer, nothing> encoded_;
};

/// Reads a part; texts are views of the record. Throws: `wire_error`, and errors of hooks.
template <class T>
[[nodiscard]] view_of<T> take_part(std::byte const*& at) {
    if constexpr (bare_type<T>) {
        std::remove_const_t<T> value;
        std::memcpy(static_cast<void*>(&value), at, sizeof value);
        at += sizeof value;
        return value;
    } else {
        std::size_t const length = take_length(at);
        std::byte const* const from = at;
        at += length;
        if constexpr (std::is_same_v<T, std::string>)
            return {reinterpret_cast<char const*>(from), length};
        else
            return decode<T>(std::span(from, length));
    }
}
template <class T>
void skip_part(std::byte const*& at) noexcept {
    if constexpr (bare_type<T>) {
        at += sizeof(T);
    } else {
        std::size_t const length = take_length(at);
        at += length;
    }
}

/// Returns the bytes of a record of bare parts; 0 if records differ in size.
template <class... T>
[[nodiscard]] consteval std::size_t bytes_of_record() noexcept {
    return (bare_type<T> && ...) ? (std::size_t{0} + ... + sizeof(T)) : 0;
}

template <class... T>
[[nodiscard]] std::int64_t count_records(std::span<std::byte const> run) noexcept {
    if constexpr (constexpr std::size_t each = bytes_of_record<T...>(); each != 0) {
        return static_cast<std::int64_t>(run.size() / each);
    } else {
        std::int64_t records = 0;
        std::byte const* const end = run.data() + run.size();
        for (std::byte const* at = run.data(); at != end; ++records) (skip_part<T>(at), ...);
        return records;
    }
}

} // namespace weft::detail
