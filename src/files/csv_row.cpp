#include "csv_row.hpp"

namespace weft {

void append_csv_field(std::string& text, std::string_view field) {
    bool const is_plain = field.find_first_of(",;|\t\"\r\n") == field.npos && !field.starts_with(' ') &&
                          !field.ends_with(' ') && !field.starts_with('#');
    if (is_plain) {
        text += field;
        return;
    }
    text += '"';
    for (char const c : field) text.append(c == '"' ? 2 : 1, c);
    text += '"';
}

} // namespace weft
