/// Texts of files in tables for persons.
#pragma once

#include <string>
#include <string_view>

namespace weft::tool {

/// Returns a text in quotes, cut to `longest` characters, with control characters spelled as \n, \t or \x1b.
/// Local.
[[nodiscard]] std::string shown_text(std::string_view text, int longest = 60);

} // namespace weft::tool
