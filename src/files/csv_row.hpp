/// Rows of CSV. Private.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft {

/// Appends a field, quoted if readers could misinterpret it: if it has separators, quotes or ends of lines,
/// blanks at its ends, or begins with #. Local.
void append_csv_field(std::string& text, std::string_view field);

/// Appends the shortest text of a number that reads back as the same number. Local.
template <class Number>
requires std::is_arithmetic_v<Number>
void append_csv_field(std::string& text, Number field) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, field).ptr);
}

/// Appends a line with these fields. Local.
template <class... Fields>
void append_csv_row(std::string& text, Fields const&... fields) {
    std::string_view between;
    ((text.append(between), append_csv_field(text, fields), between = ","), ...);
    text += '\n';
}

} // namespace weft
