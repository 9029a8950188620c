/// A question that is nowhere but here: the vertices of a graph, counted.
#include <commands/simple_graph_command.hpp>

namespace weft::tool {

namespace {

class toy_command final : public simple_graph_command {
public:
    explicit toy_command(CLI::App& app) : simple_graph_command(app, "toy") {}

private:
    void compute(simple_graph const& graph, asked_graph const&, session const& now) override {
        now.report["result"]["counted"] = graph.vertex_count();
        now.watch.lap("compute");
    }

    [[nodiscard]] std::string describe_result(nlohmann::ordered_json const& result) const override {
        return table_row("counted", grouped(result["counted"].get<std::int64_t>()));
    }
};

} // namespace

std::unique_ptr<command> make_toy(CLI::App& app) {
    return std::make_unique<toy_command>(app);
}

} // namespace weft::tool
