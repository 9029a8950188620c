#include "options/delimiter_option.hpp"

#include <map>

namespace weft::tool {

std::optional<char> delimiter_named(std::string const& text) {
    static std::map<std::string, char> const names{
        {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"\\t", '\t'}, {"bar", '|'}, {"space", ' '}};
    if (auto const found = names.find(text); found != names.end()) return found->second;
    if (text.size() != 1 || text[0] == '"' || text[0] == '\n' || text[0] == '\r') return std::nullopt;
    return text[0];
}

void add_delimiter(CLI::App& command, std::string& value, std::string const& otherwise) {
    command
        .add_option("--delimiter", value,
            "Separator of the fields of a CSV file: a character, or comma, semicolon, tab, bar or space "
            "(default: " +
                otherwise + ")")
        ->check(
            [](std::string const& text) -> std::string {
                if (delimiter_named(text)) return {};
                return '"' + text + "\": expected a character, or comma, semicolon, tab, bar or space";
            },
            "", "");
}

} // namespace weft::tool
