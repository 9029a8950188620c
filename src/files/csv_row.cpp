#include "csv_row.hpp"

namespace weft {

void append_csv_field(std::string& line, std::string_view field) {
    bool const is_plain =
        field.find_first_of(",\"\r\n") == field.npos && !field.starts_with(' ') && !field.ends_with(' ');
    if (is_plain) {
        line += field;
        return;
    }
    line += '"';
    for (char const c : field) line.append(c == '"' ? 2 : 1, c);
    line += '"';
}

std::string csv_row(std::initializer_list<std::string> fields) {
    std::string row;
    for (std::string const& field : fields) {
        if (!row.empty()) row += ',';
        append_csv_field(row, field);
    }
    return row + '\n';
}

} // namespace weft
