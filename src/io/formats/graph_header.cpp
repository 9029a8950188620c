#include "graph_header.hpp"

#include <core/lower_case.hpp>

#include "format_headers.hpp"
#include "graph_formats.hpp"
#include "io/text/csv_columns.hpp"
#include "io/text/malformed.hpp"
#include "unlike_edges.hpp"

#include <algorithm>
#include <vector>

namespace weft::io {

namespace {

/// True if the first line that is no `c` comment is a `p` line.
bool looks_like_dimacs(std::string_view text) {
    while (text.starts_with("c ") || text.starts_with("c\n") || text.starts_with("c\r"))
        text.remove_prefix(std::min(text.size(), text.find('\n')) + (text.find('\n') != text.npos ? 1 : 0));
    return text.starts_with("p ");
}

/// Looks at the first bytes for what no format of text has.
void refuse_binary(std::string_view text) {
    if (text.substr(std::min(text.size(), std::size_t{257})).starts_with("ustar"))
        throw malformed{0, "expected text, found a tar archive (unpack it with tar -x)"};
    std::size_t const zero = text.find('\0');
    if (zero != text.npos)
        throw malformed{
            static_cast<std::int64_t>(zero), "expected text, found a zero byte (is it a binary file?)"};
    // The only newline may be the one that a last line without any is given.
    std::size_t const carriage_return = text.find('\r');
    if (carriage_return < text.find('\n') && text.find('\n') + 1 >= text.size() &&
        text[carriage_return + 1] != '\n')
        throw malformed{static_cast<std::int64_t>(carriage_return),
            "expected lines that end in LF or CRLF, found a CR alone (convert the line ends)"};
}

/// Formats of graphs that are not read, by the ends of their names and by their first words. Their lines
/// would be edges of an edge list.
void refuse_other_formats(std::filesystem::path const& file, std::string_view start) {
    struct other_format {
        char const* name;
        std::vector<std::string_view> suffixes;
        std::vector<std::string_view> first_words;
        char bracket; ///< opened behind a first word that could be a label; 0 where none could
    };
    static std::vector<other_format> const others{
        {"DOT (Graphviz)", {".dot", ".gv"}, {"graph", "digraph", "strict"}, '{'},
        {"GML", {".gml"}, {"creator", "graph", "directed"}, '['},
        {"Pajek", {".net", ".paj", ".pajek"}, {"*vertices", "*network"}, 0},
        {"GEXF", {".gexf"}, {"<gexf"}, 0},
        {"GDF", {".gdf"}, {"nodedef>", "nodedef>name"}, 0},
        {"an adjacency list", {".adj", ".adjlist", ".multiline_adjlist"}, {}, 0},
        {"graph6 or sparse6", {".g6", ".s6", ".graph6", ".sparse6"}, {">>graph6<<", ">>sparse6<<"}, 0},
        {"JSON", {".json"}, {"{", "["}, 0},
        {"RDF", {".nt", ".nq", ".ttl"}, {}, 0},
        {"XML that is not GraphML", {".xml", ".gxl", ".xgmml"}, {}, 0},
    };
    std::string const suffix = suffix_of_text(file);
    std::size_t const first = std::min(start.find_first_not_of(" \t\r\n"), start.size());
    std::size_t const end = std::min(start.find_first_of(" \t\r\n", first), start.size());
    std::string const word = in_lower_case(start.substr(first, end - first));
    std::string_view const head = start.substr(0, 4096);
    std::size_t const bracket = head.find_first_of("{[");
    auto const has_suffix = [&](other_format const& each) {
        return std::ranges::find(each.suffixes, suffix) != each.suffixes.end();
    };
    auto const begins = [&](other_format const& each) {
        return std::ranges::find(each.first_words, word) != each.first_words.end() &&
               (each.bracket == 0 || (bracket != head.npos && head[bracket] == each.bracket));
    };
    auto found = std::ranges::find_if(others, has_suffix);
    if (found == others.end()) found = std::ranges::find_if(others, begins);
    if (found != others.end())
        throw malformed{0, std::string("expected a graph in a format that is read, found ") + found->name +
                               "; save it as GraphML (.graphml), an edge list, CSV or MatrixMarket"};
}

} // namespace

bool asks_for_csv(read_options const& options) {
    return !options.columns.empty() || !options.weight.empty() || options.header != csv_header::automatic ||
           options.delimiter != '\0' || options.decimal != '.';
}

graph_header read_header(line_chunks& lines, std::filesystem::path const& file, read_options const& options) {
    constexpr std::size_t sniffed = std::size_t{1} << 16;
    std::string_view start = lines.peek(sniffed);
    refuse_binary(start);
    if (start.starts_with("\xef\xbb\xbf")) {
        lines.skip(3); // the byte order mark that some editors put before UTF-8
        start = lines.peek(sniffed);
    }

    graph_header header;
    header.format = options.format;
    bool const as_csv = asks_for_csv(options);
    if (options.format == graph_format::automatic) {
        header.format = format_of_suffix(file.filename(), true);
        // Named columns are those of a CSV file, also one whose suffix stands for an edge list.
        bool const list_or_unknown =
            header.format == graph_format::automatic || header.format == graph_format::edge_list;
        if (as_csv && list_or_unknown) header.format = graph_format::csv;
        // A banner is never an edge, whatever the suffix says.
        if (start.starts_with("%%MatrixMarket")) header.format = graph_format::matrix_market;
        if (start.starts_with("<?xml") || start.starts_with("<graphml"))
            header.format = graph_format::graphml;
        if (header.format == graph_format::automatic || header.format == graph_format::edge_list)
            refuse_other_formats(file, start);
        if (header.format == graph_format::automatic) {
            bool const dimacs = looks_like_dimacs(start);
            header.format = dimacs ? graph_format::dimacs : graph_format::edge_list;
            header.guessed = !dimacs;
        }
    }
    if (as_csv && header.format != graph_format::csv)
        throw malformed{0,
            "expected a CSV file where columns, a header, a delimiter or a decimal point are asked "
            "for, found another format"};
    switch (header.format) {
    case graph_format::graphml: // which is no text of lines
        break;
    case graph_format::csv:
        read_csv_header(lines, options, header);
        break;
    case graph_format::matrix_market:
        read_matrix_market_header(lines, header);
        break;
    case graph_format::metis:
        read_metis_header(lines, header);
        break;
    case graph_format::dimacs:
        read_dimacs_header(lines, header);
        break;
    default:
        header.tabs = has_fields_between_tabs(file);
        read_edge_list_header(lines, header);
        if (options.format == graph_format::automatic)
            refuse_unlike_edges(lines.peek(sniffed), lines.offset(), header.tabs);
        break;
    }
    header.body = lines.offset();
    return header;
}

edge_list describe(graph_header const& header, vertex_naming naming) {
    edge_list graph;
    graph.file_bytes = header.file_bytes;
    graph.weighted = header.weighted;
    graph.directed = true;
    if (header.format == graph_format::csv) {
        graph.naming = naming;
        graph.format = "CSV of columns " + std::to_string(header.source_column + 1) + ", " +
                       std::to_string(header.target_column + 1);
        if (header.weight_column >= 0) graph.format += ", " + std::to_string(header.weight_column + 1);
        graph.format += header.has_header ? " below a header" : " without a header";
        if (naming == vertex_naming::text) graph.format += ", of text labels";
        return graph;
    }
    if (header.format == graph_format::edge_list) {
        graph.naming = naming;
        graph.format = naming == vertex_naming::text ? "edge list of text labels" : "edge list";
        return graph;
    }
    graph.rows = header.rows;
    graph.columns = header.columns;
    graph.bipartite = header.rows != header.columns;
    graph.vertices = graph.bipartite ? header.rows + header.columns : header.rows;
    graph.first_id = 1;
    if (header.format == graph_format::matrix_market) {
        graph.symmetry = header.symmetry;
        graph.directed = header.symmetry == matrix_symmetry::general;
        graph.format = "MatrixMarket coordinate " + std::string(name_of(header.field)) + " " +
                       std::string(name_of(header.symmetry));
    } else if (header.format == graph_format::metis) {
        graph.directed = false;
        graph.both_directions = true;
        graph.format = "METIS";
    } else {
        graph.directed = header.dimacs == dimacs_lines::arcs;
        graph.format =
            std::string(header.dimacs == dimacs_lines::pairs ? "PACE " : "DIMACS ") + header.problem;
    }
    return graph;
}

} // namespace weft::io
