#include "texts/shown_text.hpp"

#include <fmt/format.h>

namespace weft::tool {

std::string shown_text(std::string_view text, int longest) {
    std::string shown = "\"";
    int characters = 0;
    for (char const c : text) {
        auto const byte = static_cast<unsigned char>(c);
        bool const goes_on = (byte & 0xc0U) == 0x80U; // within a character of UTF-8
        if (!goes_on && ++characters > longest) return shown + "\"...";
        if (c == '\n')
            shown += "\\n";
        else if (c == '\t')
            shown += "\\t";
        else if (byte < 0x20 || byte == 0x7f)
            shown += fmt::format("\\x{:02x}", byte);
        else
            shown += c;
    }
    return shown + '"';
}

} // namespace weft::tool
