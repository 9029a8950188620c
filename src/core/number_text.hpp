/// Numbers in messages.
#pragma once

#include <charconv>
#include <string>

namespace weft {

/// Returns a number with the fewest digits that identify it: 1e+308, not all of its 309 digits. Local.
[[nodiscard]] inline std::string number_text(double number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

} // namespace weft
