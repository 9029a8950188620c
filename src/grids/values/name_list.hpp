/// Lists of names of variables in options. Private.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// Splits a list: "U,,W" has three names, the second of which is empty.
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
