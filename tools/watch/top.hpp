/// The command that looks at running programs.
#pragma once

#include "command.hpp"

#include <memory>

namespace weft::tool {

std::unique_ptr<command> make_top(CLI::App& app);

} // namespace weft::tool
