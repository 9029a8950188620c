#include "component_output.hpp"
#include "graph_report.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "simple_graph_command.hpp"

#include <weft/graph/components.hpp>
#include <weft/io/write_graph.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace weft::tool {

namespace {

class components_command final : public simple_graph_command {
public:
    explicit components_command(CLI::App& app) : simple_graph_command(app, "components") {
        files_.add_to(*parser_);
        names_output(parser_->add_option("--largest-component", largest_,
            "Write the edges of the largest component with their weights; the ending of the name sets the "
            "format: .wgraph, .csv, .txt, .el, .edges or .tsv; vertices keep their ids"));
        add_preset(*parser_, "--engine", engine_,
            "How ranks communicate: exchange (in rounds) or mailbox (messages at any time)",
            CLI::IsMember({"exchange", "mailbox"}));
        parser_
            ->add_option("--method", method_,
                "With --engine mailbox: union_find (trees of parent pointers over all ranks) or propagation "
                "(labels "
                "are sent to neighbours) (default: union_find)")
            ->check(CLI::IsMember({"union_find", "propagation"}));
        parser_
            ->add_option("--delegate-threshold", delegate_threshold_,
                "With --method propagation: all ranks keep the labels of vertices with more neighbours than "
                "this number (default: 256, or 8 times the number of ranks if that is more)")
            ->check(above_zero());
        parser_->callback([this] {
            if (!method_.empty() && engine_ != "mailbox")
                throw CLI::ValidationError("--method", "needs --engine mailbox");
            if (delegate_threshold_ > 0 && method_ != "propagation")
                throw CLI::ValidationError("--delegate-threshold", "needs --method propagation");
        });
    }

private:
    void compute(simple_graph const& graph, asked_graph const& asked, session const& now) override {
        now.progress.phase("finding components");
        components_options const options{
            .method = chosen_method(), .seed = seed(), .delegate_threshold = delegate_threshold_};
        component_labels const found = find_components(graph, options);
        now.watch.lap("compute");

        now.report["options"]["engine"] = engine_;
        if (engine_ == "mailbox") now.report["options"]["method"] = method_.empty() ? "union_find" : method_;
        if (method_ == "propagation") now.report["options"]["delegates"] = found.delegates;

        auto& result = now.report["result"];
        result["components"] = found.components;
        result["isolated"] = found.isolated;
        result["largest"] = found.largest;
        files_.write(now, asked.vertices(), found.label);
        if (!largest_.empty()) write_largest(now, asked.largest_component(found));
    }

    [[nodiscard]] edge_values values() const override {
        return largest_.empty() ? edge_values::none : edge_values::weights;
    }
    [[nodiscard]] bool keeps_edges() const override { return !largest_.empty(); }

    void write_largest(session const& now, edge_list const& kept) const {
        now.progress.phase("writing " + largest_);
        write_graph(now.comm, kept, largest_);
        now.report["options"]["largest_component"] = largest_;
        now.report["result"]["largest_edges"] = sum(now.comm, std::ssize(kept.edges));
        now.watch.lap("write");
    }

    [[nodiscard]] components_method chosen_method() const {
        if (engine_ != "mailbox") return components_method::contraction;
        return method_ == "propagation" ? components_method::propagation : components_method::union_find;
    }

    [[nodiscard]] std::string describe_result(nlohmann::ordered_json const& result) const override {
        return count_row("components", result["components"]) + count_row("isolated", result["isolated"]) +
               table_of_largest(result);
    }

    component_files files_;
    std::string largest_;
    std::string engine_ = "exchange";
    std::string method_;
    std::int64_t delegate_threshold_ = 0;
};

} // namespace

std::unique_ptr<command> make_components(CLI::App& app) {
    return std::make_unique<components_command>(app);
}

} // namespace weft::tool
