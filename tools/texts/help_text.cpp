#include "texts/help_text.hpp"

#include "launch/standard_streams.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace weft::tool {

namespace {

/// The column in which the rest of a line goes on: behind the first gap of two spaces, else below its first
/// word.
std::size_t indent_of(std::string const& line) {
    std::size_t const first = line.find_first_not_of(' ');
    std::size_t const gap = line.find("  ", first);
    if (gap != std::string::npos) return line.find_first_not_of(' ', gap);
    return line[first] == '-' ? first + 4 : first; // so that an option is seen where it begins
}

} // namespace

std::string in_columns(std::string const& text, int columns) {
    auto const most = static_cast<std::size_t>(std::max(columns, 40));
    std::istringstream lines(text);
    std::string broken, line;
    while (std::getline(lines, line)) {
        std::size_t const indent = line.empty() ? 0 : std::min(indent_of(line), most / 2);
        bool const example =
            line.starts_with("  weft ") || line.starts_with("  weft-bench ") || line.starts_with("  mpirun ");
        while (!example && line.size() > most) {
            std::size_t at = line.rfind(' ', most);
            if (at == std::string::npos || at <= indent) at = line.find(' ', most);
            if (at == std::string::npos) break;
            broken += line.substr(0, line.find_last_not_of(' ', at) + 1) + '\n';
            std::size_t const next = line.find_first_not_of(' ', at);
            line = next == std::string::npos ? "" : std::string(indent, ' ') + line.substr(next);
        }
        broken += line + '\n';
    }
    return broken;
}

std::string help_formatter::make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    bool const wanted = streams().output_is_terminal || std::getenv("COLUMNS") != nullptr;
    return wanted ? in_columns(text, streams().columns) : text;
}

} // namespace weft::tool
