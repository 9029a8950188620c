#include "options/choice_check.hpp"
#include "options/output_option.hpp"
#include "report/label_rows.hpp"
#include "simple_graph_command.hpp"

#include <weft/graph/degrees.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace weft::tool {

namespace {

class degrees_command final : public simple_graph_command {
public:
    explicit degrees_command(CLI::App& app) : simple_graph_command(app, "degrees") {
        parser_
            ->add_option("--engine", engine_,
                "Communication: exchange (each rank first adds up its edges per vertex, then the sums are "
                "sent in one exchange) or mailbox (a message for each edge)")
            ->transform(one_of(std::map<std::string, degree_engine>{
                {"exchange", degree_engine::exchange}, {"mailbox", degree_engine::mailbox}}))
            ->default_str("exchange");
        names_table(parser_->add_option("--out", out_,
            std::string("Write a line `original-id degree` for each vertex") + label_rows_help));
    }

private:
    void compute(simple_graph const& graph, asked_graph const& asked, session const& now) override {
        vertex_set const& vertices = asked.vertices();
        now.progress.phase("counting degrees");
        degree_summary const found = find_degrees(graph, engine_);
        now.watch.lap("compute");
        now.report["options"]["engine"] = engine_ == degree_engine::mailbox ? "mailbox" : "exchange";

        auto& result = now.report["result"];
        result["max_degree"] = found.max_degree;
        result["max_vertex"] = original_id_as_json(vertices, found.max_vertex);
        result["sum_squares"] = found.sum_squares;
        histogram_ = found.histogram;
        auto& histogram = result["histogram"] = nlohmann::ordered_json::object();
        for (auto const& [degree, vertices] : histogram_) histogram[std::to_string(degree)] = vertices;
        if (out_.empty()) return;

        now.progress.phase("writing degrees");
        now.report["options"]["out"] = out_;
        write_values_of_vertices(vertices, out_, "degree", std::span(found.degree));
        now.watch.lap("write");
    }

    [[nodiscard]] std::string describe_result(nlohmann::ordered_json const& result) const override {
        auto const vertices = std::max<std::int64_t>(result["vertices"].get<std::int64_t>(), 1);
        double const mean =
            2.0 * static_cast<double>(result["edges"].get<std::int64_t>()) / static_cast<double>(vertices);
        std::string rows = table_row("mean degree", fmt::format("{:.2f}", mean));
        auto const& widest = result["max_vertex"];
        if (!widest.is_null())
            rows += table_row("max degree",
                fmt::format("{} at vertex {}", grouped(result["max_degree"].get<std::int64_t>()),
                    widest.is_string() ? widest.get<std::string>() : widest.dump()));
        return rows + "\n" + draw_degrees(histogram_);
    }

    std::string out_;
    degree_engine engine_ = degree_engine::exchange;
    std::map<std::int64_t, std::int64_t> histogram_;
};

} // namespace

std::unique_ptr<command> make_degrees(CLI::App& app) {
    return std::make_unique<degrees_command>(app);
}

} // namespace weft::tool
