/// Fields of the library as options of the command.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace weft::tool {

/// Returns a message of the library in which fields between backticks are options of a command:
/// `header_bytes` becomes
/// --header-bytes. Fields that are no option of the command, or of one below it that was chosen, stay as they
/// are.
[[nodiscard]] std::string with_options_of(CLI::App const& command, std::string const& message);

} // namespace weft::tool
