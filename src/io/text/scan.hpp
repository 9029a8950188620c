/// Characters, numbers and fields of text files. Every text that is scanned ends in a newline and has
/// `text_padding` readable bytes behind it, so that no step needs to ask where the end is.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace weft::io {

/// Eight characters can be loaded at any character of a text.
inline constexpr std::size_t text_padding = 8;

/// Separates fields. A carriage return does, which makes CRLF files ordinary.
[[nodiscard]] inline bool is_blank(char c) noexcept {
    return c == ' ' || (c != '\n' && static_cast<unsigned char>(c - '\t') <= '\r' - '\t');
}

[[nodiscard]] inline bool ends_field(char c) noexcept {
    return c == ' ' || static_cast<unsigned char>(c - '\t') <= '\r' - '\t';
}

[[nodiscard]] inline bool is_digit(char c) noexcept {
    return static_cast<unsigned char>(c - '0') < 10;
}

[[nodiscard]] inline char const* skip_blanks(char const* at) noexcept {
    while (is_blank(*at)) ++at;
    return at;
}

[[nodiscard]] inline char const* field_end(char const* at) noexcept {
    while (!ends_field(*at)) ++at;
    return at;
}

/// The field at `at`; empty at the end of a line.
[[nodiscard]] inline std::string_view field_at(char const* at) noexcept {
    return {at, static_cast<std::size_t>(field_end(at) - at)};
}

/// The field at `at` up to a tab or the end of the line, without the blanks at its end.
[[nodiscard]] inline std::string_view field_up_to_tab(char const* at) noexcept {
    char const* end = at;
    while (*end != '\t' && *end != '\n') ++end;
    while (end != at && is_blank(end[-1])) --end;
    return {at, static_cast<std::size_t>(end - at)};
}

/// Where the next line starts, given the end of the text.
[[nodiscard]] inline char const* next_line(char const* at, char const* end) noexcept {
    return static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))) + 1;
}

namespace detail {

/// Eight bytes with the first in the lowest place.
[[nodiscard]] inline std::uint64_t load_eight(char const* at) noexcept {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    return bytes;
}

} // namespace detail

namespace detail {

/// Up to eight digits at `at`: how many, and their value. Without a loop: the lengths of numbers are
/// unpredictable, and a mispredicted end of a loop costs more than all of this.
struct few_digits {
    explicit few_digits(char const* at) noexcept {
        std::uint64_t digits = load_eight(at) ^ 0x3030303030303030u;
        // The top bit of a byte is set where it is no digit; a carry can only spoil bytes behind the first
        // such.
        std::uint64_t const others = ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
        count = std::countr_zero(others) / 8;
        digits <<= (64 - 8 * count) & 63; // for no digit at all the value means nothing
        digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
        digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffffu;
        value = (digits * 10000 + (digits >> 32)) & 0x00000000ffffffffu;
    }

    int count;
    std::uint64_t value;
};

/// `scan_unsigned` behind the first eight digits.
[[nodiscard]] bool scan_more_digits(char const*& at, std::uint64_t& value) noexcept;

/// `scan_integer` for a field that does not start with a digit.
[[nodiscard]] bool scan_signed(char const*& at, std::int64_t& value) noexcept;

} // namespace detail

/// Reads the digits at `at` and moves behind them. False, with `at` and `value` undefined, where there is no
/// digit or the number needs more than 64 bits.
[[nodiscard]] inline bool scan_unsigned(char const*& at, std::uint64_t& value) noexcept {
    detail::few_digits const first(at);
    at += first.count;
    value = first.value;
    if (first.count < 8) return first.count != 0;
    return detail::scan_more_digits(at, value);
}

/// Reads a whole field that is a signed 64-bit integer and moves behind it; false, with `at` where it was,
/// for anything else.
[[nodiscard]] inline bool scan_integer(char const*& at, std::int64_t& value) noexcept {
    if (!is_digit(*at)) return detail::scan_signed(at, value);
    char const* behind = at;
    std::uint64_t number;
    if (!scan_unsigned(behind, number) || !ends_field(*behind)) return false;
    value = static_cast<std::int64_t>(number);
    if (value < 0) return false;
    at = behind;
    return true;
}

/// Reads a whole field that is a number and moves behind it; false, with `at` where it was, for anything
/// else. Fortran's D for the exponent is understood.
[[nodiscard]] bool scan_number(char const*& at, double& value) noexcept;

/// Moves behind a field that could be a number, without reading it: false, with `at` where it was, where it
/// has a character that no number has.
[[nodiscard]] inline bool skip_number(char const*& at) noexcept {
    char const* end = at;
    while (is_digit(*end) || *end == '.' || *end == '-' || *end == '+' || *end == 'e' || *end == 'E') ++end;
    double ignored;
    if (end == at || !ends_field(*end)) return scan_number(at, ignored);
    at = end;
    return true;
}

/// How a complaint calls a field: in quotes, what cannot be printed as \xNN, and cut where it is long.
[[nodiscard]] std::string in_quotes(std::string_view field);

/// How a complaint calls what stands at `at`: the field in quotes, or "the end of the line".
[[nodiscard]] std::string found_at(char const* at);

} // namespace weft::io
