#include "line_parser.hpp"

#include <limits>

namespace weft::io {

void complain(std::string_view text, char const* at, std::string const& expected) {
    throw malformed{at - text.data(), "expected " + expected + ", found " + found_at(at)};
}

double read_weight(std::string_view text, char const*& at, weight_use weights, char const* expected) {
    double weight = 1;
    char const* const begin = at;
    if (!(weights == weight_use::none ? skip_number(at) : scan_number(at, weight)))
        complain(text, at, expected);
    check_weight(text, begin, weight, weights, expected);
    return weight;
}

void check_weight(
    std::string_view text, char const* at, double weight, weight_use weights, char const* expected) {
    if (weights == weight_use::lengths && !(weight >= 0 && weight <= std::numeric_limits<double>::max()))
        complain(text, at, std::string(expected) + " that is finite and at least 0");
}

std::string index_range(char const* what, std::int64_t bound) {
    return std::string(what) + " in 1.." + std::to_string(bound);
}

} // namespace weft::io
