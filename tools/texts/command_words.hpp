/// Words that are no commands or options.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace weft::tool {

/// `weft help bfs` becomes `weft bfs --help`, and `weft` or `weft simulate` alone ask for help too. `words`
/// are the arguments without the name of the program.
void ask_for_help(CLI::App const& app, std::vector<std::string>& words);

/// A complaint about a word that is no command or no option, with the one that it resembles; empty where all
/// words that were parsed are some.
[[nodiscard]] std::string complaint_about_words(CLI::App const& app);

} // namespace weft::tool
