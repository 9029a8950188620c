/// The description of the command for shells and for `man`, read from its parser.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace weft::tool {

/// An option as a shell or a page shows it.
struct described_option {
    std::vector<std::string> names; ///< with their dashes; empty for what stands without a name
    std::string value;              ///< what it takes, GRAPH or INT; empty for a flag
    std::vector<std::string> choices;
    std::string text;
    std::string preset; ///< the value where it is not given; may be empty
    bool required = false;
};

/// A command, with those below it.
struct described_command {
    std::vector<std::string> path; ///< weft, bench, exchange
    std::string text;
    std::string footer;
    std::vector<described_option> options;
    std::vector<described_option> positionals;
    std::vector<described_command> commands;
};

/// Reads a parser. Options without a group are hidden, and so are commands.
[[nodiscard]] described_command describe(CLI::App const& app);

/// The options of `weft` itself that may stand behind every command too.
[[nodiscard]] std::vector<described_option> options_for_all(described_command const& weft);

/// A script that completes the words of the command; `shell` is bash, zsh or fish.
[[nodiscard]] std::string completion_script(described_command const& weft, std::string const& shell);

/// A page for `man`, in roff.
[[nodiscard]] std::string manual_page(described_command const& command, described_command const& weft);

/// `weft completion bash|zsh|fish` prints a script, `weft manual FOLDER` writes all pages there: true where
/// the words are one of these. Throws: `std::runtime_error` for other words behind them, or a folder that
/// cannot be written.
[[nodiscard]] bool describes_itself(CLI::App const& app, std::vector<std::string> const& words);

} // namespace weft::tool
