/// What commands on a graph have in common: they load it, do one thing with it, and report.
#pragma once

#include "graph_input.hpp"

namespace weft::tool {

class graph_command : public command {
public:
    /// Loads the graph, calls `compute`, and reports: the JSON file, and a table with what `describe` adds.
    void run(environment const& env) final;

protected:
    /// What the phases need while a command runs.
    struct session {
        simple_graph const& graph;
        progress_line& progress;
        stopwatch& watch;
        nlohmann::ordered_json& report;
    };

    /// `name` selects the command; `description` is its line in the help.
    graph_command(CLI::App& app, std::string const& name, std::string const& description);

    /// Fills `result` of the report, which has vertices, edges and loops already, and laps the watch.
    /// Collective.
    virtual void compute(session const& now) = 0;
    /// The rows of the table below vertices and edges. On rank 0.
    [[nodiscard]] virtual std::string describe(nlohmann::ordered_json const& result) const = 0;

    [[nodiscard]] std::uint64_t seed() const noexcept { return common_.seed; }

private:
    std::string name_;
    graph_argument graph_;
    common_options common_;
};

} // namespace weft::tool
