#include "unlike_edges.hpp"

#include "io/text/line_fields.hpp"
#include "io/text/malformed.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace weft::io {

namespace {

struct fields_of_line {
    std::int64_t offset;
    std::vector<std::string_view> fields;
};

/// The whole lines of `start` that are neither blank nor comments.
std::vector<fields_of_line> lines_of(std::string_view start, std::int64_t offset) {
    std::vector<fields_of_line> lines;
    for (std::size_t end; (end = start.find('\n')) != start.npos; start.remove_prefix(end + 1)) {
        line_fields rest(start.substr(0, end + 1), offset);
        if (!rest.at_end() && !rest.peek().starts_with('#') && !rest.peek().starts_with('%')) {
            lines.push_back({offset, {}});
            while (!rest.at_end()) lines.back().fields.push_back(rest.word());
        }
        offset += static_cast<std::int64_t>(end) + 1;
    }
    return lines;
}

bool is_whole(std::string_view field) noexcept {
    return field.find_first_not_of("0123456789") == field.npos;
}

/// True for a separator of another format behind a label, as in `1, 2` or `1 2;`.
bool ends_in_separator(std::string_view field) noexcept {
    return field.size() > 1 && std::string_view(",;|").find(field.back()) != std::string_view::npos;
}

bool is_arrow(std::string_view field) noexcept {
    return field.size() > 1 && field.find_first_not_of("-=<>") == field.npos;
}

/// True for a line in brackets, as `(1, 2)`. A label in brackets, as `(a)`, is a label.
bool is_in_brackets(std::vector<std::string_view> const& fields) noexcept {
    constexpr std::string_view opening = "([{", closing = ")]}";
    std::size_t const kind = opening.find(fields.front().front());
    return kind != opening.npos && fields.back().ends_with(closing[kind]) &&
           fields.front().find(closing[kind]) == opening.npos;
}

/// True for a statement of RDF, as `<a> <b> <c> .`.
bool is_statement(std::vector<std::string_view> const& fields) noexcept {
    return fields.size() > 3 && fields.front().starts_with('<') && fields.front().ends_with('>') &&
           fields.back() == ".";
}

void refuse_other_separators(fields_of_line const& line) {
    std::vector<std::string_view> const& fields = line.fields;
    auto const refuse = [&](std::string const& found, char const* cure) {
        throw malformed{
            line.offset, "expected labels with blanks between them, found " + found + "; " + cure};
    };
    if (fields.front().starts_with("//")) refuse("a comment by \"//\"", "write # before comments");
    if (is_in_brackets(fields)) refuse("an edge in brackets", "write labels without brackets and commas");
    if (is_statement(fields)) refuse("a statement of RDF", "write its subject and object as an edge");
    if (fields.front() == "\"" || (fields.front().starts_with('"') && !fields.front().ends_with('"')))
        refuse("a label in quotes with a blank",
            "set the format to CSV, or write tabs between labels into a .tsv");
    if (fields.front().size() > 1 && fields.front().ends_with(':'))
        refuse('"' + std::string(fields.front()) + '"', "write a vertex and its neighbours as edges");
    for (std::size_t i = 0; i < fields.size() && i < 2; ++i) {
        std::string const found = '"' + std::string(fields[i]) + '"';
        bool const is_last = i + 1 == fields.size();
        if (is_arrow(fields[i])) refuse(found, "write a blank alone between labels");
        if (i == 1 && is_last && ends_in_separator(fields[i]))
            refuse(found, "leave out the separator at the ends of lines");
        if (ends_in_separator(fields[i]) ||
            (i == 0 && is_last && fields[i].find_first_of(",;|:") != fields[i].npos))
            refuse(found, "set the format to CSV where commas or the like separate labels");
    }
}

/// Refuses lines that begin with the letter of a record, as those of DIMACS without its line `p`, and those
/// of vertices and edges.
void refuse_records(std::vector<fields_of_line> const& lines) {
    for (fields_of_line const& line : lines) {
        std::vector<std::string_view> const& fields = line.fields;
        bool const of_vertex = fields.front() == "v" && fields.size() > 1 && is_whole(fields[1]);
        bool const of_edge = (fields.front() == "a" || fields.front() == "e") && fields.size() > 2 &&
                             is_whole(fields[1]) && is_whole(fields[2]);
        if (!of_vertex && !of_edge) return;
    }
    if (lines.size() > 1)
        throw malformed{
            lines.front().offset, "expected two labels in each line, found the letter \"" +
                                      std::string(lines.front().fields.front()) +
                                      "\" before them; write lines without letters, or DIMACS with its line "
                                      "\"p\" (or set the format to an edge list if letters are labels)"};
}

/// Refuses lines of a vertex and its neighbours, of which an edge list would have the first neighbour alone.
/// Goes by the number of fields: some lines have two, and others more than that, which are numbers of
/// vertices, or more than an end and a weight.
void refuse_adjacency_list(std::vector<fields_of_line> const& lines) {
    bool has_pairs = false;
    std::int64_t longer = -1; // the offset of a longer line
    for (fields_of_line const& line : lines) {
        std::size_t const count = line.fields.size();
        if (count <= 2) has_pairs = true;
        if (longer < 0 && (count > 3 || (count > 2 && std::ranges::all_of(line.fields, is_whole))))
            longer = line.offset;
    }
    if (has_pairs && longer >= 0)
        throw malformed{longer,
            "expected an edge in each line, and as many numbers as in the others, found more "
            "of them; write an adjacency list as edges, or as METIS's .graph (or set the "
            "format to an edge list, whose lines are read up to the weight)"};
}

} // namespace

void refuse_unlike_edges(std::string_view start, std::int64_t offset, bool tabs) {
    std::vector<fields_of_line> const lines = lines_of(start, offset);
    if (!tabs)
        for (fields_of_line const& line : lines) refuse_other_separators(line);
    refuse_records(lines);
    refuse_adjacency_list(lines);
}

} // namespace weft::io
