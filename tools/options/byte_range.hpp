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

/// Reads "8" or "1-1024". Throws `std::invalid_argument` on anything else.
[[nodiscard]] byte_range bytes_from(std::string const& text);

/// The check of an option whose values `bytes_from` reads: what is wrong, or nothing.
[[nodiscard]] std::string check_bytes(std::string const& text);

} // namespace weft::tool
