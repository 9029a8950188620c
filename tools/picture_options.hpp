/// Options of every command that draws.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace weft::tool {

/// `--theme light|dark`, for `theme_named`.
void add_theme(CLI::App& command, std::string& chosen);

} // namespace weft::tool
