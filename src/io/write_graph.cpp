#include <weft/io/write_graph.hpp>

#include "io/formats/binary_graph.hpp"
#include "io/formats/file_ending.hpp"
#include "io/formats/graph_formats.hpp"
#include "io/formats/row_file.hpp"
#include "io/packed/pack_text.hpp"
#include "io/text/edge_text.hpp"
#include "io/text/scan.hpp"
#include <files/file_segments.hpp>
#include <graph/endpoints.hpp>

#include <weft/core/communicator.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/protocol/alone.hpp>
#include <weft/protocol/collectives.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace weft {

namespace {

using namespace io;

/// Calls `use` with the lines of this rank's edges, about a MiB at a time, after `text`.
template <class Use>
void for_each_piece(edge_list const& graph, edge_text const& lines, std::string text, Use&& use) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    text.reserve(piece + 256);
    for (std::size_t place = 0; place < graph.edges.size(); ++place) {
        if (lines.writes(place)) lines.append_line(text, place);
        if (text.size() < piece) continue;
        use(text);
        text.clear();
    }
    use(text);
}

/// Labels of an edge list that would be read as others.
void check_labels(edge_list const& graph, std::filesystem::path const& file) {
    if (graph.naming != vertex_naming::text) return;
    bool const tabs = has_fields_between_tabs(file);
    for (std::string const& label : graph.names) {
        bool const is_comment = label.starts_with('#') || label.starts_with('%');
        if (is_comment || (!tabs && label.find(' ') != std::string::npos) || label.starts_with(' ') ||
            label.ends_with(' '))
            throw usage_error("write_graph: expected labels that an edge list in " + file.string() +
                              " can have, found " + in_quotes(label) + "; write it as .csv" +
                              (tabs || is_comment ? "" : ", or with tabs as .tsv"));
    }
}

graph_format checked_format(edge_list const& graph, std::filesystem::path const& file) {
    std::error_code unknown;
    bool const is_device =
        std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown);
    graph_format const format =
        file == "-" || is_device ? graph_format::edge_list : format_of_suffix(file, true);
    std::string written;
    bool is_written = false;
    for (graph_format_row const& each : graph_formats()) {
        if (!each.written) continue;
        written += list_of_endings(each.suffixes) + ", ";
        is_written = is_written || each.format == format;
    }
    if (!is_written)
        throw usage_error("write_graph: expected one of the suffixes " + written +
                          "and .gz, .bz2, .xz or .zst behind it, found \"" + file.extension().string() +
                          "\" in " + file.string());
    if (format == graph_format::edge_list) check_labels(graph, file);
    if (format == graph_format::binary && packing_asked_for(file) != packing::plain)
        throw usage_error("write_graph: expected a plain file for the binary form, whose ranks read their "
                          "shares of it, found " +
                          file.string());
    if (format == graph_format::matrix_market && graph.naming != vertex_naming::declared)
        throw usage_error(
            "write_graph: expected a graph with declared vertices for a matrix, found labels (number the "
            "vertices or write an edge list)");
    return format;
}

/// Rows have a neighbour once: entries that a symmetry implies with another value are none, nor are weights
/// that an edge may have at one end and not at the other.
bool fits_rows(edge_list const& graph, bool weights) {
    bool const plain =
        graph.symmetry == matrix_symmetry::general || graph.symmetry == matrix_symmetry::symmetric;
    return plain && !graph.bipartite && !(graph.both_directions && weights) &&
           !(graph.symmetry == matrix_symmetry::symmetric && graph.directed);
}

} // namespace

void write_built_graph(communicator const& comm, edge_list graph, std::string const& file) try {
    gate call(comm, "write_built_graph");
    bool const weights = max(comm, graph.weights.empty() ? 0 : 1) == 1;
    bool numbers = true;
    call.same("the file", file)
        .same("the number of vertices", graph.vertices)
        .same("directed", graph.directed)
        .same("both_directions", graph.both_directions)
        .same("symmetry", graph.symmetry);
    agreed(call, [&] {
        if (checked_format(graph, file) != graph_format::binary)
            throw usage_error("write_built_graph: expected a file with the suffix .wgraph, found " + file);
        if (weights && graph.weights.size() != graph.edges.size())
            throw usage_error("write_built_graph: expected a weight for each of the " +
                              std::to_string(graph.edges.size()) + " edges of rank " +
                              std::to_string(comm.rank()) + ", found " +
                              std::to_string(graph.weights.size()));
        check_endpoints(graph, "write_built_graph");
        numbers = std::ranges::none_of(graph.weights, [](double weight) { return std::isnan(weight); });
    });
    bool const ordered = min(comm, numbers ? 1 : 0) == 1;
    if (ordered && fits_rows(graph, weights))
        write_rows(call, std::move(graph), weights, file);
    else
        write_binary_graph(call, graph, weights, file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_built_graph");
    throw;
}

void write_graph(communicator const& comm, edge_list const& graph, std::string const& file) try {
    gate call(comm, "write_graph");
    bool const weights = max(comm, graph.weights.empty() ? 0 : 1) == 1;
    std::optional<edge_text> lines;
    graph_format format = graph_format::automatic;
    call.same("the file", file)
        .same("the number of vertices", graph.vertices)
        .same("directed", graph.directed);
    agreed(call, [&] {
        format = checked_format(graph, file);
        lines.emplace(graph, format, weights);
        if (weights && graph.weights.size() != graph.edges.size())
            throw usage_error("write_graph: expected a weight for each of the " +
                              std::to_string(graph.edges.size()) + " edges of rank " +
                              std::to_string(comm.rank()) + ", found " +
                              std::to_string(graph.weights.size()));
        check_endpoints(graph, "write_graph");
    });
    if (format == graph_format::binary) {
        write_binary_graph(call, graph, weights, file);
        return;
    }
    std::int64_t written = 0;
    for (std::size_t place = 0; place < graph.edges.size(); ++place) written += lines->writes(place) ? 1 : 0;
    written = sum(comm, written);
    std::string header;
    call.guard([&] {
        if (comm.rank() == 0) lines->append_header(header, written);
    });
    std::string packed;
    file_segments segments;
    call.guard([&] {
        if (packing const how = packing_asked_for(file); how != packing::plain) {
            // Packed piece by piece: the length is known when all is.
            for_each_piece(
                graph, *lines, header, [&](std::string const& text) { packed += pack_text(how, text); });
            segments.add(packed);
            return;
        }
        std::int64_t bytes = 0;
        for_each_piece(graph, *lines, header, [&](std::string const& text) { bytes += std::ssize(text); });
        segments.add(bytes, [&](file_handle const& opened, std::int64_t at, std::int64_t) {
            for_each_piece(graph, *lines, header, [&](std::string const& text) {
                opened.write(text.data(), text.size(), at);
                at += std::ssize(text);
            });
        });
    });
    segments.write(call, file);
} catch (std::bad_alloc const&) {
    alone_unless_agreed("write_graph");
    throw;
}

} // namespace weft
