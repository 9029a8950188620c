/// The programs of the command line: `weft`, and `weft-bench` of those who work on it.
#pragma once

#include "command.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weft::tool {

struct command_row {
    std::string_view name;
    std::unique_ptr<command> (*make)(CLI::App& app); ///< null: in the module of volumes
};

struct program {
    std::string name;
    std::string description;
    std::string footer;                    ///< of its help
    std::span<command_row const> commands; ///< in the order in which help lists them
};

/// Parses before MPI starts, so that help and mistakes in the arguments cost nothing, and runs the command
/// that they name. The module of volumes is loaded where the commands at hand do not explain the arguments.
/// Returns the exit code.
[[nodiscard]] int run_program(program const& which, int argc, char** argv);

} // namespace weft::tool
