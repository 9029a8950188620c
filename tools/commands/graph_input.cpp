#include "graph_input.hpp"
#include "launch/volume_module.hpp"
#include "options/delimiter_option.hpp"
#include "options/input_file.hpp"
#include "options/preset.hpp"
#include "report/speech.hpp"

#include <collective/need_memory.hpp>
#include <io/formats/graph_formats.hpp>
#include <weft/core/error.hpp>
#include <weft/io/named_generator.hpp>
#include <weft/io/read_graph.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <vector>

namespace weft::tool {

namespace {

std::map<std::string, graph_format> named_formats() {
    std::map<std::string, graph_format> all{{"automatic", graph_format::automatic}};
    for (io::graph_format_row const& each : io::graph_formats()) all.emplace(each.word, each.format);
    return all;
}

/// A command holds a list of edges, and then for a while the graph that it makes of them.
constexpr double bytes_of_edge = 2 * sizeof(edge);

/// Nothing if the text names no generator, or a file of that name exists.
std::optional<edge_list> generate(
    communicator const& comm, std::string const& text, std::uint64_t seed, progress_line& progress) {
    if (!names_generator(text) || std::filesystem::exists(text)) return std::nullopt;
    need_memory(comm, text, expected_edges(text) * bytes_of_edge / comm.size());
    return generate_graph(comm, text, {.seed = seed, .progress = [&](std::int64_t done, std::int64_t total) {
                                           progress.show("generating " + text, done, total);
                                       }});
}

std::string_view name_of(vertex_naming naming) {
    switch (naming) {
    case vertex_naming::numbers:
        return "numbers";
    case vertex_naming::text:
        return "text";
    default:
        return "declared";
    }
}

/// The line of progress must outlive the options.
read_options options_of(session const& now, graph_argument const& which, edge_values values) {
    read_options options;
    options.columns = which.columns;
    options.weight = which.weight;
    options.header = which.header == "yes"  ? csv_header::yes
                     : which.header == "no" ? csv_header::no
                                            : csv_header::automatic;
    options.delimiter = delimiter_named(which.delimiter).value_or('\0');
    options.decimal = which.decimal[0];
    options.warn = [](std::string const& text) {
        say_warning(text.ends_with("a header") ? text + " with --header yes or --header no" : text);
    };
    options.format = named_formats().at(which.format);
    options.weights = values != edge_values::none;
    options.lengths = values == edge_values::lengths || values == edge_values::required_lengths;
    options.progress = [&line = now.progress, name = "reading " + which.short_name()](
                           std::int64_t done, std::int64_t total) { line.show(name, done, total); };
    return options;
}

/// `known`: what was read, of which edges do not count.
void report_input(session const& now, graph_argument const& which, edge_values values,
    common_options const& common, edge_list const& known, bool is_generated) {
    now.watch.lap("read");
    if (values == edge_values::lengths && !known.weighted && !is_generated && now.comm.rank() == 0)
        say_warning(
            which.graph +
            ": no weights were found, so that each edge counts 1; of a CSV file, name their column with "
            "--weight NAME");

    auto& input = now.report["input"];
    input["graph"] = which.graph;
    input["format"] = known.format;
    input["bytes"] = known.file_bytes;
    input["naming"] = name_of(known.naming);
    input["directed"] = known.directed;
    input["bipartite"] = known.bipartite;
    if (known.rows != 0 || known.columns != 0) {
        input["rows"] = known.rows;
        input["columns"] = known.columns;
    }
    now.report["options"]["format"] = which.format;
    if (!which.columns.empty()) now.report["options"]["columns"] = which.columns;
    if (!which.weight.empty()) now.report["options"]["weight"] = which.weight;
    if (which.header != "auto") now.report["options"]["header"] = which.header;
    if (!which.delimiter.empty()) now.report["options"]["delimiter"] = which.delimiter;
    if (which.decimal != ".") now.report["options"]["decimal"] = which.decimal;
    now.report["options"]["seed"] = common.seed;
}

} // namespace

std::string help_of_generators() {
    return list_of_generators() + ". The generator parts makes PARTS random graphs of VERTICES vertices, "
                                  "each with LINKS edges to the "
                                  "other graphs, and a cycle through all vertices";
}

void graph_argument::add_to(CLI::App& command, std::string const& name) {
    command
        .add_option(name, graph,
            "A graph. A file: " + io::list_of_graph_formats() +
                "; also compressed, as .gz, .bz2, .xz or .zst. An array in HDF5: FILE.h5:/path. Standard "
                "input: -. A generator of graphs in place of a file: " +
                help_of_generators())
        ->required();
    std::vector<std::string> names;
    for (auto const& [format_name, value] : named_formats()) names.push_back(format_name);
    format = "automatic";
    add_preset(command, "--format", format, "The format of the file; automatic: by suffix and content",
        CLI::IsMember(names));
    command
        .add_option("--columns", columns,
            "CSV columns to read, by names or numbers: SOURCE,TARGET[,WEIGHT] (default: columns with names "
            "such as source and target, otherwise the first two columns; for weights, the only other column "
            "of numbers)")
        ->delimiter(',')
        ->expected(2, 3);
    command.add_option(
        "--weight", weight, "CSV column of weights, by name or number, if --columns does not name it");
    add_preset(command, "--header", header,
        "The first line of a CSV file contains the names of its columns: yes, no, or auto (yes if the line "
        "contains names such as source and target, or words in columns of numbers)",
        CLI::IsMember({"yes", "no", "auto"}));
    add_delimiter(command, delimiter, "the most frequent of comma, semicolon, tab and bar in the first line");
    add_preset(command, "--decimal", decimal, "The decimal point of weights in a CSV file",
        CLI::IsMember({".", ","}));
}

void graph_argument::refuse_options_of_csv() const {
    auto const refuse = [&](bool is_given, char const* option) {
        if (is_given) throw usage_error(std::string(option) + ": " + graph + " is no CSV file");
    };
    refuse(!columns.empty(), "--columns");
    refuse(!weight.empty(), "--weight");
    refuse(header != "auto", "--header");
    refuse(!delimiter.empty(), "--delimiter");
    refuse(decimal != ".", "--decimal");
}

std::string graph_argument::short_name() const {
    return graph == "-" ? graph : short_name_of(graph);
}

edge_list load_edges(
    session const& now, graph_argument const& which, edge_values values, common_options const& common) {
    communicator const& comm = now.comm;
    if (values == edge_values::none && !which.weight.empty())
        throw usage_error(
            "--weight: no weights are read here; sssp, forest, convert, pagerank --weighted and components "
            "--largest-component do");
    std::optional<edge_list> edges = generate(comm, which.graph, common.seed, now.progress);
    if (edges) which.refuse_options_of_csv();
    bool const is_generated = edges.has_value();
    bool const lengths = values == edge_values::lengths || values == edge_values::required_lengths;
    auto const show = [&](std::int64_t done, std::int64_t total) {
        now.progress.show("reading " + which.short_name(), done, total);
    };
    if (!edges && which.format == "automatic") {
        if (auto const address = io::hdf5_address_of(which.graph)) {
            which.refuse_options_of_csv();
            agreed(comm, [] { (void)load_volumes(); });
            edges =
                load_volumes().read_hdf5_edges(comm, *address, values != edge_values::none, lengths, show);
        }
    }
    if (!edges) {
        input_file const in(comm, which.graph);
        edges = in.naming_it([&] { return read_graph(comm, in.path(), options_of(now, which, values)); });
    }
    report_input(now, which, values, common, *edges, is_generated);
    return *std::move(edges);
}

std::optional<io::built_graph> load_built_graph(
    session const& now, graph_argument const& which, edge_values values, common_options const& common) {
    std::error_code unknown;
    bool const is_file = which.graph != "-" && std::filesystem::is_regular_file(which.graph, unknown);
    if (max(now.comm, now.comm.rank() == 0 && is_file ? 1 : 0) == 0) return std::nullopt;
    auto built = io::open_built_graph(now.comm, which.graph, options_of(now, which, values));
    if (built) report_input(now, which, values, common, built->description, false);
    return built;
}

nlohmann::ordered_json original_ids_as_json(vertex_set const& vertices, std::span<global_id const> asked) {
    auto ids = nlohmann::ordered_json::array();
    for (std::string const& name : vertices.original_ids(asked)) {
        if (vertices.naming() == vertex_naming::text)
            ids.push_back(name);
        else
            ids.push_back(std::stoll(name));
    }
    return ids;
}

nlohmann::ordered_json original_id_as_json(vertex_set const& vertices, global_id vertex) {
    std::vector<global_id> asked;
    if (vertex >= 0) asked.push_back(vertex);
    auto ids = original_ids_as_json(vertices, asked);
    return ids.empty() ? nullptr : std::move(ids.front());
}

} // namespace weft::tool
