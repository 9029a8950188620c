/// Sizes of messages on the command line.
#pragma once

#include <cstdint>
#include <string>

namespace weft::tool {

/// From the least to the most, both included.
struct byte_range {
    std::int64_t least = 0;
    std::int64_t most = 0;
};

/// Reads "8" or "1-1024". Throws `CLI::ValidationError` on anything else.
[[nodiscard]] byte_range bytes_from(std::string const& text);

} // namespace weft::tool
