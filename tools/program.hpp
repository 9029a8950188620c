/// The two programs of the command, see docs/adr/0091-the-command-is-two-programs.md: `weft` has what needs
/// few libraries and starts at once, `weft-full` has everything and takes over where the arguments ask for
/// more.
#pragma once

#include "command.hpp"

#include <memory>
#include <vector>

namespace weft::tool {

/// False in the program that starts at once. It runs what it parses and leaves all else, mistakes and help
/// too, to the other one.
[[nodiscard]] bool has_everything() noexcept;

/// The commands of this program, added to `app` in the order in which help lists them.
[[nodiscard]] std::vector<std::unique_ptr<command>> make_commands(CLI::App& app);

/// Continues as `weft-full` with the same arguments; it lies beside this file or where it is installed.
/// Returns only if that fails: says why, and gives the exit code.
int continue_with_everything(char** argv);

} // namespace weft::tool
