#include "graph_suffix.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace weft::io {

namespace {

std::string lower_suffix(std::filesystem::path const& file) {
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return suffix;
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

graph_format format_of_suffix(std::filesystem::path const& file, bool packed) {
    struct known {
        char const* suffix;
        graph_format format;
    };
    static constexpr std::array<known, 15> table{{
        {".mtx", graph_format::matrix_market},
        {".mm", graph_format::matrix_market},
        {".graph", graph_format::metis},
        {".metis", graph_format::metis},
        {".gr", graph_format::dimacs},
        {".dimacs", graph_format::dimacs},
        {".col", graph_format::dimacs},
        {".npy", graph_format::numpy},
        {".graphml", graph_format::graphml},
        {".csv", graph_format::csv},
        {".txt", graph_format::edge_list},
        {".edges", graph_format::edge_list},
        {".el", graph_format::edge_list},
        {".tsv", graph_format::edge_list},
        {".snap", graph_format::edge_list},
    }};
    std::string const suffix = packed ? suffix_of_text(file) : lower_suffix(file);
    auto const* const found =
        std::find_if(table.begin(), table.end(), [&](known const& each) { return suffix == each.suffix; });
    return found == table.end() ? graph_format::automatic : found->format;
}

} // namespace weft::io
