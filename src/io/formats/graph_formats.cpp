#include "graph_formats.hpp"

#include <core/lower_case.hpp>

#include "file_ending.hpp"

#include <algorithm>
#include <string>

namespace weft::io {

namespace {

std::string lower_suffix(std::filesystem::path const& file) {
    return in_lower_case(file.extension().string());
}

} // namespace

std::string suffix_of_text(std::filesystem::path const& file) {
    std::string suffix = lower_suffix(file);
    if (suffix == ".gz" || suffix == ".bz2" || suffix == ".xz" || suffix == ".zst")
        suffix = lower_suffix(file.stem());
    return suffix;
}

bool has_fields_between_tabs(std::filesystem::path const& file) {
    return suffix_of_text(file) == ".tsv";
}

std::span<graph_format_row const> graph_formats() {
    static std::vector<graph_format_row> const rows{
        {graph_format::matrix_market, "matrix-market", "MatrixMarket", {".mtx", ".mm"}, true},
        {graph_format::metis, "metis", "METIS", {".graph", ".metis"}},
        {graph_format::dimacs, "dimacs", "PACE/DIMACS", {".gr", ".dimacs", ".col"}},
        {graph_format::edge_list, "edge-list", "edge list", {".txt", ".edges", ".el", ".tsv", ".snap"}, true},
        {graph_format::csv, "csv", "CSV", {".csv"}, true},
        {graph_format::graphml, "graphml", "GraphML", {".graphml"}},
        {graph_format::numpy, "numpy", "NumPy", {".npy"}},
        {graph_format::binary, "binary", "binary", {".wgraph"}, true},
    };
    return rows;
}

std::string list_of_graph_formats() {
    std::string list;
    for (graph_format_row const& each : graph_formats())
        list.append(list.empty() ? "" : ", ").append(each.name) +=
            " (" + list_of_endings(each.suffixes) + ')';
    return list;
}

graph_format format_of_suffix(std::filesystem::path const& file, bool packed) {
    std::string const suffix = packed ? suffix_of_text(file) : lower_suffix(file);
    for (graph_format_row const& each : graph_formats())
        if (std::ranges::find(each.suffixes, suffix) != each.suffixes.end()) return each.format;
    return graph_format::automatic;
}

} // namespace weft::io
