#include "plot_simulation.hpp"

#include <pictures/chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace weft::tool {

namespace {

bool is_reduction(simulation_result const& row) {
    return row.engine == "reduce"; // its degree is k, which the subject says
}

bool is_run(simulation_result const& row) {
    // Whole runs, not rounds.
    return row.engine == "advection" || row.engine == "tracing" || row.engine == "union-find";
}

std::string line_of(simulation_result const& row) {
    if (is_run(row)) return fmt::format("{}, {} blocks a rank", row.subject, row.degree);
    return row.engine == "model" ? row.subject + " (model)" : row.subject;
}

/// Machine, messages a rank, bytes: the blocks of applications tell lines apart, not panels.
using panel_key = std::tuple<std::string, int, std::string>;

panel_key panel_of(simulation_result const& row) {
    return {row.machine, is_run(row) || is_reduction(row) ? 0 : row.degree, row.bytes};
}

chart_panel empty_panel(simulation_result const& row) {
    chart_panel panel;
    panel.title = is_run(row) ? row.machine
                  : is_reduction(row)
                      ? fmt::format("{}: arrays of {} B", row.machine, row.bytes)
                      : fmt::format("{}: {} messages of {} B a rank", row.machine, row.degree, row.bytes);
    panel.x = {"ranks", true};
    panel.y = {is_run(row) ? "simulated time (s)" : "simulated time of a round (us)", true};
    return panel;
}

} // namespace

void plot_simulation(
    std::vector<simulation_result> const& rows, std::filesystem::path const& file, theme const& look) {
    std::map<panel_key, chart_panel> panels;
    std::map<std::string, std::size_t> numbers; // of subjects: model and simulation have one colour
    for (simulation_result const& row : rows) {
        chart_panel& panel = panels.try_emplace(panel_of(row), empty_panel(row)).first->second;
        std::string const name = line_of(row);
        auto line = std::ranges::find(panel.series, name, &chart_series::name);
        if (line == panel.series.end()) {
            std::string const subject = is_run(row) ? name : row.subject;
            std::size_t const number = numbers.try_emplace(subject, numbers.size()).first->second;
            line = panel.series.insert(line, {name, number, row.engine == "model", {}});
        }
        double const seconds = row.simulated_seconds / row.rounds;
        line->points.push_back({static_cast<double>(row.ranks), is_run(row) ? seconds : 1e6 * seconds});
    }
    std::vector<chart_panel> drawn;
    for (auto& [key, panel] : panels) {
        for (chart_series& line : panel.series) std::ranges::sort(line.points, {}, &chart_point::x);
        drawn.push_back(std::move(panel));
    }
    write_png(file, draw_chart("weft simulate " + rows.front().engine, drawn, look));
}

} // namespace weft::tool
