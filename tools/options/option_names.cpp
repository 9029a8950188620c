#include "options/option_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace weft::tool {

namespace {

/// Options that have another name than the field of the library.
constexpr std::array other_names{std::pair<std::string_view, std::string_view>{"preset", "--transfer"},
    std::pair<std::string_view, std::string_view>{"paths", "--json-path"},
    std::pair<std::string_view, std::string_view>{"total_mass", "--mass"}};

std::string option_name_of(std::string_view field) {
    for (auto const& [name, option] : other_names)
        if (field == name) return std::string(option);
    std::string option = "--" + std::string(field);
    std::ranges::replace(option, '_', '-');
    return option;
}

bool has_option(CLI::App const& command, std::string const& option) {
    return command.get_option_no_throw(option) != nullptr ||
           std::ranges::any_of(command.get_subcommands(),
               [&](CLI::App const* chosen) { return has_option(*chosen, option); });
}

} // namespace

std::string with_options_of(CLI::App const& command, std::string const& message) {
    std::string said;
    std::size_t at = 0;
    for (std::size_t open = message.find('`'); open != std::string::npos; open = message.find('`', at)) {
        std::size_t const close = message.find('`', open + 1);
        if (close == std::string::npos) break;
        std::string const option =
            option_name_of(std::string_view(message).substr(open + 1, close - open - 1));
        bool const known = has_option(command, option);
        said += message.substr(at, open - at);
        said += known ? option : message.substr(open, close - open);
        at = known ? close + 1 : close; // a backtick that ends nothing may begin a field
    }
    return said + message.substr(at);
}

} // namespace weft::tool
