/// Texts of files in tables for persons.
#pragma once

#include <string>
#include <string_view>

namespace weft::tool {

/// A text in quotes, of at most so many characters, with what a terminal would take for something else
/// spelled as \n, \t or \x1b. Local.
[[nodiscard]] std::string shown_text(std::string_view text, int longest = 60);

} // namespace weft::tool
