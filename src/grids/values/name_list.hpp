/// Lists of the names of variables, as options have them. Private.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// "U,,W" has three names, of which the second one is empty.
[[nodiscard]] inline std::vector<std::string> split_at_commas(std::string const& list) {
    std::vector<std::string> parts(1);
    for (char const each : list)
        if (each == ',')
            parts.emplace_back();
        else
            parts.back() += each;
    return parts;
}

} // namespace weft
