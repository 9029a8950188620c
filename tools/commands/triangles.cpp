#include "graph_report.hpp"
#include "simple_graph_command.hpp"

#include <weft/graph/triangles.hpp>

namespace weft::tool {

namespace {

class triangles_command final : public simple_graph_command {
public:
    explicit triangles_command(CLI::App& app) : simple_graph_command(app, "triangles") {}

private:
    void compute(simple_graph const& graph, asked_graph const&, session const& now) override {
        now.progress.phase("counting triangles");
        std::int64_t const found = count_triangles(graph);
        now.watch.lap("compute");
        now.report["result"]["triangles"] = found;
    }

    [[nodiscard]] std::string describe_result(nlohmann::ordered_json const& result) const override {
        return count_row("triangles", result["triangles"]);
    }
};

} // namespace

std::unique_ptr<command> make_triangles(CLI::App& app) {
    return std::make_unique<triangles_command>(app);
}

} // namespace weft::tool
