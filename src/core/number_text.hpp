/// Numbers in messages.
#pragma once

#include <charconv>
#include <string>

namespace weft {

/// A number with as few digits as say which it is, 1e+308 and not all of its 309 digits. Local.
[[nodiscard]] inline std::string number_text(double number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

} // namespace weft
