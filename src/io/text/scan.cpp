#include "scan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

namespace weft::io {

namespace detail {

bool scan_more_digits(char const*& at, std::uint64_t& value) noexcept {
    static constexpr std::array<std::uint64_t, 9> powers_of_ten{
        1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    while (true) {
        few_digits const more(at);
        if (__builtin_mul_overflow(value, powers_of_ten[static_cast<std::size_t>(more.count)], &value))
            return false;
        if (more.count != 0 && __builtin_add_overflow(value, more.value, &value)) return false;
        at += more.count;
        if (more.count < 8) return true;
    }
}

bool scan_signed(char const*& at, std::int64_t& value) noexcept {
    bool const negative = *at == '-';
    if (!negative && *at != '+') return false;
    char const* behind = at + 1;
    std::uint64_t magnitude;
    if (!scan_unsigned(behind, magnitude) || !ends_field(*behind)) return false;
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (magnitude > largest + (negative ? 1 : 0)) return false;
    value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    at = behind;
    return true;
}

} // namespace detail

bool scan_number(char const*& at, double& value) noexcept {
    char const* begin = at;
    char const* const end = field_end(at);
    if (*begin == '+' && begin[1] != '-') ++begin;
    auto [stop, failure] = std::from_chars(begin, end, value);
    if (stop != end && (*stop == 'D' || *stop == 'd') && end - begin <= 64) {
        std::array<char, 64> spelled;
        char* const spelled_end = std::copy(begin, end, spelled.data());
        spelled[static_cast<std::size_t>(stop - begin)] = 'e';
        auto const again = std::from_chars(spelled.data(), spelled_end, value);
        stop = begin + (again.ptr - spelled.data());
        failure = again.ec;
    }
    if (stop != end || stop == begin) return false;
    if (failure == std::errc::result_out_of_range) {
        // from_chars leaves the value alone. Too small is zero; too large is nothing that a sum survives.
        std::string_view const field(begin, static_cast<std::size_t>(end - begin));
        if (field.find("e-") == field.npos && field.find("E-") == field.npos) return false;
        value = 0;
    }
    at = end;
    return true;
}

std::string in_quotes(std::string_view field) {
    constexpr std::size_t longest = 40;
    constexpr char const* hexadecimal = "0123456789abcdef";
    std::string text = "\"";
    for (char const c : field.substr(0, longest)) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            text += "\\x";
            text += hexadecimal[byte >> 4];
            text += hexadecimal[byte & 15];
        } else {
            text += c;
        }
    }
    return text += field.size() > longest ? "...\"" : "\"";
}

std::string found_at(char const* at) {
    std::string_view const field = field_at(at);
    return field.empty() ? "the end of the line" : in_quotes(field);
}

} // namespace weft::io
