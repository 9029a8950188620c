#include "component_output.hpp"
#include "options/output_option.hpp"
#include "report/label_rows.hpp"

#include <weft/exchange/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft::tool {

namespace {

struct component_size {
    global_id label;
    std::int64_t vertices;
};

/// Of the components that vertices of this rank give their names to, by vertex; 0 for other vertices.
std::vector<std::int64_t> component_sizes(vertex_set const& vertices, std::span<global_id const> label) {
    std::vector<global_id> sorted(label.begin(), label.end());
    std::ranges::sort(sorted);
    outbox<component_size> out(vertices.comm());
    for (auto first = sorted.begin(); first != sorted.end();) {
        auto const last = std::upper_bound(first, sorted.end(), *first);
        out[vertices.owners().owner(*first)].push_back({*first, last - first});
        first = last;
    }
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(vertices.local_count()), 0);
    for (auto const& [source, found] : exchange(std::move(out)))
        for (component_size const& each : found)
            sizes[static_cast<std::size_t>(each.label - vertices.first_local())] += each.vertices;
    return sizes;
}

/// Writes `original-id label` a line for the vertices of this rank. Collective.
void write_labels_of_vertices(
    vertex_set const& vertices, std::span<global_id const> label, std::string const& file) {
    label_rows rows(vertices, file, {{"vertex", column_kind::words}, {"label", column_kind::words}});
    auto const names = vertices.original_ids(label);
    for (std::size_t i = 0; i < names.size(); ++i)
        rows.append({vertices.original_id(static_cast<std::int64_t>(i)), names[i]});
    rows.write(vertices.comm());
}

/// Writes `label size` a line for the components that are called after vertices of this rank. Collective.
void write_sizes(vertex_set const& vertices, std::span<global_id const> label, std::string const& file) {
    label_rows rows(vertices, file, {{"label", column_kind::words}, {"size", column_kind::whole}});
    auto const sizes = component_sizes(vertices, label);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] > 0)
            rows.append({vertices.original_id(static_cast<std::int64_t>(i)), std::to_string(sizes[i])});
    rows.write(vertices.comm());
}

} // namespace

void component_files::add_to(CLI::App& parser, std::string const& part, std::string const& label) {
    names_table(parser.add_option("--labels", labels_,
        "Write a line `original-id label` for each vertex; the label is " + label +
            std::string(label_rows_help)));
    names_table(parser.add_option("--sizes", sizes_,
        "Write a line `label size` for each " + part + ", in the order of labels" + label_rows_help));
}

void component_files::write(
    session const& now, vertex_set const& vertices, std::span<global_id const> label) const {
    if (labels_.empty() && sizes_.empty()) return;
    now.progress.phase("writing labels");
    auto& options = now.report["options"];
    if (!labels_.empty()) {
        options["labels"] = labels_;
        write_labels_of_vertices(vertices, label, labels_);
    }
    if (!sizes_.empty()) {
        options["sizes"] = sizes_;
        write_sizes(vertices, label, sizes_);
    }
    now.watch.lap("write");
}

std::string table_of_largest(nlohmann::ordered_json const& result, std::string_view parts) {
    std::string rows = fmt::format("\n  largest {}\n", parts);
    auto const vertices = result["vertices"].get<double>();
    int place = 0;
    for (auto const& size : result["largest"]) {
        double const share = size.get<double>() / vertices;
        rows += fmt::format("  {:>4}  {:>13}  {:5.1f} %  {}\n", ++place, grouped(size.get<std::int64_t>()),
            100 * share, last_bar(share, 32));
    }
    return rows;
}

} // namespace weft::tool
