#include "options/byte_range.hpp"

#include <stdexcept>

namespace weft::tool {

byte_range bytes_from(std::string const& text) {
    auto const dash = text.find('-');
    auto const number = [&](std::string const& part) {
        std::size_t read = 0;
        std::int64_t value = -1;
        try {
            value = std::stoll(part, &read);
        } catch (std::exception const&) { read = 0; }
        if (part.empty() || read != part.size() || value < 0)
            throw std::invalid_argument(
                "\"" + text + "\": expected a number of bytes such as 8, or a range such as 1-1024");
        return value;
    };
    if (dash == std::string::npos) return {number(text), number(text)};
    byte_range const range{number(text.substr(0, dash)), number(text.substr(dash + 1))};
    if (range.least > range.most)
        throw std::invalid_argument("\"" + text + "\": the range ends before it begins");
    return range;
}

std::string check_bytes(std::string const& text) {
    try {
        (void)bytes_from(text);
    } catch (std::invalid_argument const& error) { return error.what(); }
    return {};
}

} // namespace weft::tool
