/// Converts text to lower case. Private.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace weft {

[[nodiscard]] inline std::string in_lower_case(std::string_view text) {
    std::string made(text);
    std::ranges::transform(
        made, made.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
    return made;
}

} // namespace weft
