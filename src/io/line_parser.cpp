#include "line_parser.hpp"

namespace weft::io {

void complain(std::string_view text, char const* at, std::string const& expected) {
    throw malformed{at - text.data(), "expected " + expected + ", found " + found_at(at)};
}

std::string index_range(char const* what, std::int64_t bound) {
    return std::string(what) + " in 1.." + std::to_string(bound);
}

} // namespace weft::io
