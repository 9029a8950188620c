#include "report/label_rows.hpp"

#include <weft/io/write_text.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <utility>

namespace weft::tool {

label_rows::label_rows(
    vertex_set const& vertices, std::string const& file, std::vector<table_column> columns, bool edges)
    : file_(file) {
    bool const has_texts = vertices.naming() == vertex_naming::text;
    table_style const style = style_of_table(file, table_style::another);
    if (edges && style == table_style::tabs) {
        separator_ = '\t';
        return;
    }
    if (style != table_style::another) {
        if (!has_texts)
            for (table_column& each : columns)
                if (each.kind == column_kind::words) each.kind = column_kind::whole;
        table_.emplace(file, style, std::move(columns));
        return;
    }
    bool blank = false;
    if (has_texts)
        for (std::int64_t i = 0; i < vertices.local_count() && !blank; ++i)
            blank = vertices.original_id(i).find(' ') != std::string::npos;
    if (max(vertices.comm(), blank ? 1 : 0) == 1) separator_ = '\t';
}

void label_rows::append(std::initializer_list<std::string_view> fields) {
    if (table_) {
        table_->append_row(fields);
        return;
    }
    bool first = true;
    for (std::string_view const field : fields) {
        if (!first) text_ += separator_;
        first = false;
        text_ += field;
    }
    text_ += '\n';
}

void label_rows::write(communicator const& comm) const {
    if (table_)
        table_->write(comm);
    else
        write_text(comm, file_, text_);
}

} // namespace weft::tool
