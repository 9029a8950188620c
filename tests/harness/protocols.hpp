/// All protocols of the sparse exchange, for tests that try each.
#pragma once

#include <weft/core/settings.hpp>

#include <string>
#include <vector>

namespace weft_test {

inline std::vector<weft::protocol> every_protocol() {
    std::vector<weft::protocol> all;
    for (int i = 0; i < static_cast<int>(weft::protocol::automatic); ++i)
        all.push_back(static_cast<weft::protocol>(i));
    return all;
}

inline std::vector<weft::protocol> every_protocol_and_automatic() {
    std::vector<weft::protocol> all = every_protocol();
    all.push_back(weft::protocol::automatic);
    return all;
}

inline std::vector<std::string> names_of_protocols() {
    std::vector<std::string> names;
    for (weft::protocol const each : every_protocol_and_automatic()) names.emplace_back(weft::name_of(each));
    return names;
}

} // namespace weft_test
