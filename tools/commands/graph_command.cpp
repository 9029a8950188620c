#include "graph_command.hpp"

#include "graph_questions.hpp"

#include <optional>

namespace weft::tool {

graph_command::graph_command(
    CLI::App& app, std::string_view name, edge_values values, std::string const& subject)
    : reporting_command(app, std::string(name), std::string(graph_question_named(name).about)),
      values_(values) {
    graph_question const& row = graph_question_named(name);
    std::string footer(row.notes);
    footer += "\nExamples:";
    for (std::string_view const line : row.examples)
        if (!line.empty()) footer += "\n  " + std::string(line);
    parser_->footer(footer);
    graph_.add_to(*parser_, subject);
    common_.add_to(*parser_);
}

void graph_command::compute(session const& now) {
    if (auto built = about_matrix() ? std::nullopt : load_built_graph(now, graph_, values(), common_)) {
        asked_graph asked(built->made, built->description.weighted);
        return compute(asked, now);
    }
    edge_list edges = load_edges(now, graph_, values(), common_);
    if (!keeps_edges()) {
        asked_graph asked(now.comm, std::move(edges));
        return compute(asked, now);
    }
    bool const weighted = edges.weighted;
    graph shared(now.comm, std::move(edges));
    asked_graph asked(shared, weighted);
    compute(asked, now);
}

std::string graph_command::subject(nlohmann::ordered_json const&) const {
    return graph_.short_name();
}

std::string graph_command::describe(nlohmann::ordered_json const& report) const {
    return table_row("format", report["input"]["format"].get<std::string>()) + rows(report);
}

} // namespace weft::tool
