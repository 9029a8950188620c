#include "texts/self_description.hpp"

#include "report/speech.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <stdexcept>

namespace weft::tool {

namespace {

/// "ENUM:{always,auto,never}" taken apart.
std::vector<std::string> choices_in(std::string const& type) {
    std::size_t const begin = type.find('{');
    std::size_t const end = type.find('}', begin);
    if (begin == std::string::npos || end == std::string::npos) return {};
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

described_option described(CLI::Option const& option) {
    described_option made;
    for (std::string const& name : option.get_snames()) made.names.push_back("-" + name);
    for (std::string const& name : option.get_lnames()) made.names.push_back("--" + name);
    std::string const type = option.get_type_name();
    if (option.get_items_expected_max() > 0) made.value = type.substr(0, type.find(':'));
    if (option.get_positional()) made.value = option.get_name(true);
    made.choices = choices_in(type);
    made.text = option.get_description();
    made.preset = option.get_default_str();
    made.required = option.get_required();
    return made;
}

described_command described(CLI::App const& app, std::vector<std::string> path) {
    described_command made;
    path.push_back(app.get_name());
    made.path = path;
    made.text = app.get_description();
    made.footer = app.get_footer();
    for (CLI::Option const* const each : app.get_options()) {
        if (each->get_group().empty()) continue;
        (each->get_positional() ? made.positionals : made.options).push_back(described(*each));
    }
    for (CLI::App const* const each :
        app.get_subcommands([](CLI::App const* one) { return !one->get_name().empty(); }))
        made.commands.push_back(described(*each, path));
    return made;
}

void write_pages(described_command const& command, described_command const& weft, std::string const& folder) {
    std::string const file = fmt::format("{}/{}.1", folder, fmt::join(command.path, "-"));
    std::ofstream out(file, std::ios::binary);
    out << manual_page(command, weft);
    if (!out.flush()) throw std::runtime_error(file + ": cannot be written");
    for (described_command const& each : command.commands) write_pages(each, weft, folder);
}

} // namespace

described_command describe(CLI::App const& app) {
    return described(app, {});
}

std::vector<described_option> options_for_all(described_command const& weft) {
    std::vector<described_option> options = weft.options;
    std::erase_if(options, [](described_option const& each) {
        return each.names.front() == "-h" || each.names.front() == "--version";
    });
    return options;
}

bool describes_itself(CLI::App const& app, std::vector<std::string> const& words) {
    if (words.empty() || (words[0] != "completion" && words[0] != "manual")) return false;
    bool const pages = words[0] == "manual";
    bool const known =
        words.size() == 2 && (pages || words[1] == "bash" || words[1] == "zsh" || words[1] == "fish");
    if (!known)
        throw std::runtime_error(
            pages ? "manual: expected a folder for the pages" : "completion: expected bash, zsh or fish");
    described_command const weft = describe(app);
    if (pages)
        write_pages(weft, weft, words[1]);
    else
        print(completion_script(weft, words[1]));
    return true;
}

} // namespace weft::tool
