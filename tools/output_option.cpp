#include "output_option.hpp"

#include <algorithm>
#include <string>

namespace weft::tool {

namespace {

constexpr char const* output_type = "OUTPUT"; // by which such options are known again

std::string complaint_about(std::string const& file) {
    return file.empty() ? "expected the name of a file, or - for standard output, found nothing" : "";
}

int outputs_below(CLI::App const& command) {
    std::ptrdiff_t found = 0;
    for (CLI::Option const* const each : command.get_options())
        if (each->get_type_name() == output_type)
            found += std::ranges::count(each->results(), std::string("-"));
    for (CLI::App const* const chosen : command.get_subcommands()) found += outputs_below(*chosen);
    return static_cast<int>(found);
}

} // namespace

CLI::Option* names_output(CLI::Option* option) {
    return option->type_name(output_type)->check(CLI::Validator(complaint_about, ""));
}

int outputs_on_standard_output(CLI::App const& command) {
    CLI::App const* root = &command;
    while (root->get_parent() != nullptr) root = root->get_parent();
    return outputs_below(*root);
}

} // namespace weft::tool
