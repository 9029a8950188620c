#include "report/label_rows.hpp"

#include <files/csv_row.hpp>

#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <filesystem>

namespace weft::tool {

label_rows::label_rows(vertex_set const& vertices, std::string const& file) {
    std::filesystem::path name(file);
    for (char const* const packed : {".gz", ".bz2", ".xz", ".zst"})
        if (name.extension() == packed) name = name.stem();
    if (name.extension() == ".csv") {
        separator_ = ',';
    } else if (name.extension() == ".tsv") {
        separator_ = '\t';
    } else {
        bool blank = false;
        if (vertices.naming() == vertex_naming::text)
            for (std::int64_t i = 0; i < vertices.local_count() && !blank; ++i)
                blank = vertices.original_id(i).find(' ') != std::string::npos;
        if (max(vertices.comm(), blank ? 1 : 0) == 1) separator_ = '\t';
    }
}

void label_rows::append(std::string& text, std::initializer_list<std::string_view> fields) const {
    bool first = true;
    for (std::string_view const field : fields) {
        if (!first) text += separator_;
        first = false;
        if (separator_ == ',')
            append_csv_field(text, field);
        else
            text += field;
    }
    text += '\n';
}

} // namespace weft::tool
