/// The common part of commands on a graph or a matrix: they read it, do one thing with it, and report.
#pragma once

#include "asked_graph.hpp"
#include "graph_input.hpp"
#include "report/reporting_command.hpp"

#include <string>
#include <string_view>

namespace weft::tool {

class graph_command : public reporting_command {
public:
    /// Fills `result` of the report, and laps the watch after "build" and "compute". Collective.
    virtual void compute(asked_graph& asked, session const& now) = 0;
    /// The rows of the table below the format. On rank 0.
    [[nodiscard]] virtual std::string rows(nlohmann::ordered_json const& report) const = 0;
    /// The values read besides the edges; asked when the options are known.
    [[nodiscard]] virtual edge_values values() const { return values_; }
    /// True where `compute` needs the edges again when a form is built of them; asked as `values`.
    [[nodiscard]] virtual bool keeps_edges() const { return false; }
    /// True where `compute` takes the edges, which are entries of a matrix.
    [[nodiscard]] virtual bool about_matrix() const { return false; }

protected:
    /// `name` is that of its row; `subject` that of its argument.
    graph_command(CLI::App& app, std::string_view name, edge_values values = edge_values::none,
        std::string const& subject = "GRAPH");

    [[nodiscard]] std::uint64_t seed() const noexcept { return common_.seed; }

private:
    void compute(session const& now) final;
    [[nodiscard]] std::string subject(nlohmann::ordered_json const& report) const final;
    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const final;

    edge_values values_;
    graph_argument graph_;
};

} // namespace weft::tool
