#include "simple_graph_command.hpp"

#include <weft/graph/components.hpp>
#include <weft/io/write_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace weft::tool {

namespace {

class components_command final : public simple_graph_command {
public:
    explicit components_command(CLI::App& app)
        : simple_graph_command(app, "components", "Connected components of a graph") {
        parser_->add_option("--labels", labels_,
            "Write `original-id label` a line, the label being the smallest original id of the component");
    }

private:
    void compute(simple_graph const& graph, session const& now) override {
        now.progress.phase("finding components");
        component_labels const found = find_components(graph, {.seed = seed()});
        now.watch.lap("compute");

        auto& result = now.report["result"];
        result["components"] = found.components;
        result["isolated"] = found.isolated;
        result["largest"] = found.largest;
        if (labels_.empty()) return;
        now.progress.phase("writing labels");
        now.report["options"]["labels"] = labels_;
        write_labels(graph, found);
        now.watch.lap("write");
    }

    void write_labels(simple_graph const& graph, component_labels const& found) const {
        auto const labels = graph.original_ids(found.label);
        std::string text;
        for (std::size_t i = 0; i < labels.size(); ++i)
            text.append(graph.names().original_id(static_cast<std::int64_t>(i)))
                .append(" ")
                .append(labels[i])
                .append("\n");
        write_text(graph.comm(), labels_, text);
    }

    [[nodiscard]] std::string describe_result(nlohmann::ordered_json const& result) const override {
        auto const number = [&](char const* name) { return result[name].get<std::int64_t>(); };
        std::string rows = table_row("components", grouped(number("components"))) +
                           table_row("isolated", grouped(number("isolated"))) + "\n  largest components\n";
        int place = 0;
        for (auto const& size : result["largest"]) {
            double const share =
                static_cast<double>(size.get<std::int64_t>()) / static_cast<double>(number("vertices"));
            rows += fmt::format("  {:>4}  {:>13}  {:5.1f} %  {}\n", ++place,
                grouped(size.get<std::int64_t>()), 100 * share, bar(share, 40));
        }
        return rows;
    }

    std::string labels_;
};

} // namespace

std::unique_ptr<command> make_components(CLI::App& app) {
    return std::make_unique<components_command>(app);
}

} // namespace weft::tool
