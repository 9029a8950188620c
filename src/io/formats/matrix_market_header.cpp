#include "format_headers.hpp"

#include "io/text/line_fields.hpp"
#include <core/lower_case.hpp>

#include <algorithm>
#include <array>

namespace weft::io {

namespace {

constexpr std::array<std::string_view, 4> field_names{"pattern", "integer", "real", "complex"};
constexpr std::array<std::string_view, 4> symmetry_names{
    "general", "symmetric", "skew-symmetric", "hermitian"};

/// The place of the next word among `names`.
template <std::size_t Size>
std::size_t choice(
    line_fields& fields, std::array<std::string_view, Size> const& names, char const* expected) {
    auto const found = std::find(names.begin(), names.end(), in_lower_case(fields.peek()));
    if (found == names.end()) fields.complain(expected);
    fields.word();
    return static_cast<std::size_t>(found - names.begin());
}

void read_banner(line_fields fields, graph_header& header) {
    if (in_lower_case(fields.peek()) != "%%matrixmarket")
        fields.complain("the banner \"%%MatrixMarket matrix coordinate ...\"");
    fields.word();
    if (in_lower_case(fields.peek()) != "matrix") fields.complain("the object \"matrix\"");
    fields.word();
    if (in_lower_case(fields.peek()) != "coordinate")
        fields.complain("the layout \"coordinate\" (dense arrays are not graphs)");
    fields.word();
    // The older "double" and "real" mean the same.
    if (in_lower_case(fields.peek()) == "double") {
        fields.word();
        header.field = matrix_field::real;
    } else {
        header.field = static_cast<matrix_field>(
            choice(fields, field_names, "the field pattern, integer, real or complex"));
    }
    header.symmetry = static_cast<matrix_symmetry>(
        choice(fields, symmetry_names, "the symmetry general, symmetric, skew-symmetric or hermitian"));
    fields.end();
}

} // namespace

std::string_view name_of(matrix_field field) noexcept {
    return field_names[static_cast<std::size_t>(field)];
}

std::string_view name_of(matrix_symmetry symmetry) noexcept {
    return symmetry_names[static_cast<std::size_t>(symmetry)];
}

void read_matrix_market_header(line_chunks& lines, graph_header& header) {
    std::int64_t at = lines.offset();
    read_banner(line_fields(lines.next_line(), at), header);
    while (true) {
        at = lines.offset();
        std::string_view const line = lines.next_line();
        line_fields fields(line, at);
        if (!line.empty() && (fields.at_end() || fields.peek().starts_with('%'))) continue;
        header.header = at;
        header.rows = fields.count("the number of rows");
        header.columns = fields.count("the number of columns");
        line_fields const before_entries = fields;
        header.entries = fields.count("the number of entries");
        fields.end();
        header.weighted = header.field != matrix_field::pattern;
        if (header.symmetry != matrix_symmetry::general && header.rows != header.columns)
            throw malformed{at, "expected as many rows as columns in a " +
                                    std::string(name_of(header.symmetry)) + " matrix, found " +
                                    std::to_string(header.rows) + " and " + std::to_string(header.columns)};
        if ((header.rows == 0 || header.columns == 0) && header.entries != 0)
            before_entries.complain("no entries in an empty matrix");
        return;
    }
}

} // namespace weft::io
