/// Values of JSON as items and keys.
#pragma once

#include <weft/io/read_ndjson.hpp>

#include <string>
#include <string_view>

namespace weft::tool {

/// The characters of a value. Throws: `text_fault` for objects and lists.
inline std::string_view json_scalar(json_value const& value) {
    if (value.kind == json_kind::object || value.kind == json_kind::list)
        throw text_fault{value.place, std::string("expected a text or a number at that path, found ") +
                                          (value.kind == json_kind::object ? "an object" : "a list") +
                                          " (name a member as in a.b, or elements as in a[])"};
    return value.text;
}

} // namespace weft::tool
