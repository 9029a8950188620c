#include "csv_row.hpp"

namespace weft::tool {

std::string csv_row(std::initializer_list<std::string> fields) {
    std::string row;
    for (std::string const& field : fields) {
        if (!row.empty()) row += ',';
        if (field.find_first_of(",\"\r\n") == std::string::npos) {
            row += field;
            continue;
        }
        row += '"';
        for (char const c : field) row.append(c == '"' ? 2 : 1, c);
        row += '"';
    }
    return row + '\n';
}

} // namespace weft::tool
