/// Lines to try, for the help of each command.
#pragma once

#include <string>
#include <string_view>

namespace weft::tool {

/// "Examples:" and some lines for a command, named as "bench exchange"; empty where there are none.
[[nodiscard]] std::string examples_of(std::string_view command);

} // namespace weft::tool
