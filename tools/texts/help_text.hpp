/// The help of a command, in lines that a terminal can show.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace weft::tool {

/// The text with its longer lines broken at spaces; what follows goes on where the words of the line's second
/// column begin, or where its first word does. Words that are longer than a line stay whole, and so do lines
/// of examples.
[[nodiscard]] std::string in_columns(std::string const& text, int columns);

/// Breaks lines on terminals; elsewhere each option stays one line, which can be searched.
class help_formatter final : public CLI::Formatter {
public:
    [[nodiscard]] std::string make_help(
        CLI::App const* app, std::string name, CLI::AppFormatMode mode) const override;
};

} // namespace weft::tool
