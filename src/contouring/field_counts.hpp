/// Lengths of arrays that callers give. Private.
#pragma once

#include <weft/contouring/mesh.hpp>
#include <weft/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::contouring {

/// Throws `usage_error` in the name of the call for another number `of` things.
inline void expect_count(char const* call, std::size_t found, std::int64_t expected, std::string const& of) {
    if (static_cast<std::int64_t>(found) != expected)
        throw usage_error(std::string(call) + ": expected " + std::to_string(expected) + " " + of +
                          ", found " + std::to_string(found));
}

/// The same for each field: `items` times its components are the values that it should have.
inline void check_fields(char const* call, std::vector<named_values> const& fields, std::int64_t items) {
    for (named_values const& each : fields) {
        if (each.components < 1)
            throw usage_error(std::string(call) + ": expected at least 1 value of '" + each.name +
                              "', found " + std::to_string(each.components));
        expect_count(call, each.values.size(), items * each.components, "values of '" + each.name + "'");
    }
}

} // namespace weft::contouring
