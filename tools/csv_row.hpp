/// Rows of CSV.
#pragma once

#include <initializer_list>
#include <string>

namespace weft::tool {

/// A line of these fields. Those with commas, quotes or ends of lines stand in quotes, as RFC 4180 has it.
[[nodiscard]] std::string csv_row(std::initializer_list<std::string> fields);

} // namespace weft::tool
