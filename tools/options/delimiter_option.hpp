/// The option that says what stands between the fields of a CSV file.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace weft::tool {

/// The character that is meant: itself, or one of the names that the help lists; none for anything else.
[[nodiscard]] std::optional<char> delimiter_named(std::string const& text);

/// Adds `--delimiter`. `otherwise`: what holds without it, for the help.
void add_delimiter(CLI::App& command, std::string& value, std::string const& otherwise);

} // namespace weft::tool
