/// The common part of commands on a simple graph.
#pragma once

#include "graph_command.hpp"

#include <weft/graph/simple_graph.hpp>

namespace weft::tool {

class simple_graph_command : public graph_command {
protected:
    simple_graph_command(CLI::App& app, std::string_view name);

    /// `graph` is that of `asked`, whose vertices have the names of its own. Fills `result` of the report,
    /// which has vertices, edges and loops already, and laps the watch. Collective.
    virtual void compute(simple_graph const& graph, asked_graph const& asked, session const& now) = 0;
    /// The rows of the table below vertices and edges. On rank 0.
    [[nodiscard]] virtual std::string describe_result(nlohmann::ordered_json const& result) const = 0;

private:
    void compute(asked_graph& asked, session const& now) final;
    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const final;
};

} // namespace weft::tool
