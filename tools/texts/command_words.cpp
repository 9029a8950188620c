#include "texts/command_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace weft::tool {

namespace {

/// The fewest letters to change, add, leave out or swap with the next one.
std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_before;
    std::vector<std::size_t> before(b.size() + 1);
    std::iota(before.begin(), before.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> now(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            now[j] =
                std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) now[j] = std::min(now[j], two_before[j - 2] + 1);
        }
        two_before = std::move(before);
        before = std::move(now);
    }
    return before.back();
}

/// The innermost command that was named.
CLI::App const& innermost(CLI::App const& app) {
    auto const named = app.get_subcommands();
    return named.empty() ? app : innermost(*named.front());
}

/// "weft", or "weft bfs".
std::string path_of(CLI::App const& app) {
    return app.get_parent() == nullptr ? app.get_name() : app.get_parent()->get_name() + " " + app.get_name();
}

std::vector<CLI::App const*> commands_of(CLI::App const& app) {
    return app.get_subcommands([](CLI::App const* each) { return !each->get_name().empty(); });
}

/// A word that begins with '-' and is no option, with the one that it resembles; empty where it resembles
/// none of a command, for then all that is not expected is told.
std::string complaint_about_option(CLI::App const& within, std::string const& word) {
    std::string const name = word.substr(0, word.find('='));
    std::string nearest;
    std::size_t least = std::string::npos;
    for (CLI::App const* app = &within; app != nullptr; app = app->get_parent())
        for (CLI::Option const* const option : app->get_options())
            for (std::string const& each : option->get_lnames()) {
                std::string const candidate = "--" + each;
                bool const is_start = name.size() > 3 && candidate.starts_with(name);
                std::size_t const edits = is_start ? 1 : edits_between(name, candidate);
                if (edits >= least) continue;
                least = edits;
                nearest = candidate;
            }
    bool const near = least != std::string::npos && 3 * least <= std::max(name.size(), nearest.size()) - 2;
    bool const is_of_command = within.get_parent() != nullptr;
    if (!near && is_of_command) return "";
    return fmt::format("{}: no such option{}; see {} --help", name,
        near ? fmt::format("; did you mean {}?", nearest) : std::string(), path_of(within));
}

} // namespace

void ask_for_help(CLI::App const& app, std::vector<std::string>& words) {
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
        return;
    }
    auto const is_group = [&](CLI::App const* each) {
        return each->get_name() == words.front() && !commands_of(*each).empty();
    };
    bool const nothing_else =
        words.empty() || (words.size() == 1 && std::ranges::any_of(commands_of(app), is_group));
    if (nothing_else) words.emplace_back("--help");
}

std::string complaint_about_words(CLI::App const& app) {
    CLI::App const& within = innermost(app);
    auto const commands = commands_of(within);
    auto const extras = app.remaining(true);
    auto const unknown =
        std::ranges::find_if(extras, [](std::string const& each) { return !each.starts_with('-'); });
    auto const option = std::ranges::find_if(
        extras, [](std::string const& each) { return each.size() > 1 && each[0] == '-'; });
    // An option that is not known may have had a value: the word behind it.
    if (option != extras.end() && (commands.empty() || option < unknown))
        return complaint_about_option(within, *option);
    if (commands.empty() || unknown == extras.end()) return "";
    auto const edits = [&](CLI::App const* each) { return edits_between(*unknown, each->get_name()); };
    CLI::App const* const nearest = *std::ranges::min_element(commands, {}, edits);
    bool const near = 3 * edits(nearest) <= std::max(unknown->size(), nearest->get_name().size());
    return fmt::format("{}: no such command{}; see {} --help", *unknown,
        near ? fmt::format("; did you mean {}?", nearest->get_name()) : std::string(), path_of(within));
}

} // namespace weft::tool
