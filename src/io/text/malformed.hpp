/// The exception of a parser: it knows the text, but not where the text stands in the file.
#pragma once

#include <cstdint>
#include <string>

namespace weft::io {

/// A line that breaks its format.
struct malformed {
    std::int64_t offset;   ///< Of the culprit, from the start of the text that was parsed.
    std::string complaint; ///< "expected ..., found ..."
};

} // namespace weft::io
