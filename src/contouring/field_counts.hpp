/// Checks the lengths of arrays of callers. Private.
#pragma once

#include <weft/contouring/mesh.hpp>
#include <weft/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::contouring {

/// Throws `usage_error`, with the name of the call, unless `found` equals `expected`; `of` names the items.
inline void expect_count(char const* call, std::size_t found, std::int64_t expected, std::string const& of) {
    if (static_cast<std::int64_t>(found) != expected)
        throw usage_error(std::string(call) + ": expected " + std::to_string(expected) + " " + of +
                          ", found " + std::to_string(found));
}

/// Checks the length of each field: it must have `items` times its components.
inline void check_fields(char const* call, std::vector<named_values> const& fields, std::int64_t items) {
    for (named_values const& each : fields) {
        if (each.components < 1)
            throw usage_error(std::string(call) + ": expected at least 1 value of '" + each.name +
                              "', found " + std::to_string(each.components));
        expect_count(call, each.values.size(), items * each.components, "values of '" + each.name + "'");
    }
}

} // namespace weft::contouring
