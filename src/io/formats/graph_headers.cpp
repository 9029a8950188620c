#include "format_headers.hpp"
#include "io/text/csv_columns.hpp"
#include "io/text/line_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

namespace weft::io {

namespace {

/// What METIS's third number says: which of sizes and weights stand in the lines, as up to three binary
/// digits.
struct metis_flags {
    bool sizes = false;
    bool vertex_weights = false;
    bool edge_weights = false;
};

metis_flags read_metis_flags(line_fields& fields) {
    std::string_view const digits = fields.peek();
    if (digits.size() > 3 || digits.find_first_not_of("01") != digits.npos)
        fields.complain("a format of up to three digits 0 or 1");
    fields.word();
    auto const flag = [&](std::size_t from_right) {
        return digits.size() > from_right && digits[digits.size() - 1 - from_right] == '1';
    };
    return {flag(2), flag(1), flag(0)};
}

struct dimacs_problem {
    std::string_view name;
    dimacs_lines lines;
};

constexpr std::array<dimacs_problem, 9> dimacs_problems{{
    {"tw", dimacs_lines::pairs},
    {"td", dimacs_lines::pairs},
    {"tww", dimacs_lines::pairs},
    {"ds", dimacs_lines::pairs},
    {"cep", dimacs_lines::pairs},
    {"edge", dimacs_lines::edges},
    {"edges", dimacs_lines::edges},
    {"col", dimacs_lines::edges},
    {"sp", dimacs_lines::arcs},
}};

/// The fields of a line from its first one on: between blanks, or between tabs.
std::vector<std::string_view> fields_of(char const* at, bool tabs) {
    std::vector<std::string_view> fields;
    while (*at != '\n') {
        fields.push_back(tabs ? field_up_to_tab(at) : field_at(at));
        at = skip_blanks(at + fields.back().size());
    }
    return fields;
}

bool is_whole_number(std::string_view field) {
    if (field.starts_with('-')) field.remove_prefix(1);
    return !field.empty() && field.find_first_not_of("0123456789") == field.npos;
}

/// True if a first line has usual names of columns, or words for both ends above whole numbers.
bool is_header_above(
    std::vector<std::string_view> const& first, std::vector<std::string_view> const& second) {
    if (first.size() < 2) return false;
    if (are_column_names(first[0], first[1])) return true;
    return second.size() > 1 && !is_whole_number(first[0]) && !is_whole_number(first[1]) &&
           is_whole_number(second[0]) && is_whole_number(second[1]);
}

} // namespace

void read_metis_header(line_chunks& lines, graph_header& header) {
    while (true) {
        std::int64_t const at = lines.offset();
        std::string_view const line = lines.next_line();
        if (line.starts_with('%')) continue;
        line_fields fields(line, at);
        header.header = at;
        header.rows = header.columns = fields.count("the number of vertices");
        header.entries = fields.count("the number of edges");
        metis_flags flags;
        if (!fields.at_end()) flags = read_metis_flags(fields);
        std::int64_t weights = flags.vertex_weights ? 1 : 0;
        if (!fields.at_end()) {
            line_fields const before = fields;
            weights = fields.count("the number of weights of a vertex");
            if (weights > 1'000'000) before.complain("a number of weights of a vertex up to 1000000");
            if (!flags.vertex_weights) weights = 0;
        }
        fields.end();
        header.numbers_before_neighbours = static_cast<std::int32_t>(weights + (flags.sizes ? 1 : 0));
        header.weighted = flags.edge_weights;
        return;
    }
}

void read_dimacs_header(line_chunks& lines, graph_header& header) {
    while (true) {
        std::int64_t const at = lines.offset();
        std::string_view const line = lines.next_line();
        line_fields fields(line, at);
        if (!line.empty() && (fields.at_end() || fields.peek() == "c")) continue;
        if (fields.peek() != "p") fields.complain("the line \"p problem vertices edges\"");
        fields.word();
        auto const* const problem = std::find_if(dimacs_problems.begin(), dimacs_problems.end(),
            [&](dimacs_problem const& p) { return p.name == fields.peek(); });
        if (problem == dimacs_problems.end())
            fields.complain("one of the problems tw, td, tww, ds, cep, edge, edges, col, sp");
        std::memcpy(header.problem, problem->name.data(), problem->name.size());
        header.dimacs = problem->lines;
        fields.word();
        header.header = at;
        header.rows = header.columns = fields.count("the number of vertices");
        header.entries = fields.count("the number of edges");
        fields.end();
        header.weighted = header.dimacs == dimacs_lines::arcs;
        return;
    }
}

void read_edge_list_header(line_chunks& lines, graph_header& header) {
    std::string_view text = lines.peek(std::size_t{1} << 16);
    std::vector<std::string_view> first;
    std::size_t behind_first = 0;
    std::size_t seen = 0;
    while (true) {
        std::size_t const newline = text.find('\n');
        if (newline == text.npos) break;
        std::string_view const line = text.substr(0, newline + 1);
        text.remove_prefix(newline + 1);
        seen += newline + 1;
        char const* const start = skip_blanks(line.data());
        if (*start == '\n' || *start == '#' || *start == '%') continue;
        std::vector<std::string_view> fields = fields_of(start, header.tabs);
        if (first.empty()) {
            first = std::move(fields);
            behind_first = seen;
            continue;
        }
        if (!is_header_above(first, fields)) break;
        lines.skip(behind_first);
        first = std::move(fields);
        break;
    }
    // The header may be all there is.
    if (behind_first == seen && is_header_above(first, {})) {
        lines.skip(behind_first);
        return;
    }
    header.weighted = first.size() > 2;
    if (first.size() == 2 && is_whole_number(first[0]) && is_whole_number(first[1]))
        std::from_chars(first[1].data(), first[1].data() + first[1].size(), header.entries);
}

} // namespace weft::io
