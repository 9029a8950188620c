/// Rows of CSV. Private.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace weft {

/// Appends a field: in quotes where it has commas, quotes, ends of lines or blanks around it, as RFC 4180 has
/// it. Local.
void append_csv_field(std::string& line, std::string_view field);

/// A line of these fields. Those with commas, quotes or ends of lines stand in quotes, as RFC 4180 has it.
[[nodiscard]] std::string csv_row(std::initializer_list<std::string> fields);

} // namespace weft
