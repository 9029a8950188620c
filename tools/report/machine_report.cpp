#include "report/machine_report.hpp"

#include "report/report.hpp"
#include "report/terminal.hpp"

#include <fmt/format.h>

#include <vector>

namespace weft::tool {

namespace {

nlohmann::ordered_json as_json(phase_costs const& phase) {
    return {{"first", phase.first}, {"more", phase.more}};
}

nlohmann::ordered_json as_json(std::vector<measured_costs> const& rows) {
    auto list = nlohmann::ordered_json::array();
    for (measured_costs const& row : rows)
        list.push_back({{"ranks", row.ranks}, {"all_reduce", row.all_reduce}, {"all_to_all", row.all_to_all},
            {"reduce_scatter", row.reduce_scatter}, {"known", as_json(row.known)},
            {"probed", as_json(row.probed)}, {"synchronous", as_json(row.synchronous)}});
    return list;
}

nlohmann::ordered_json as_json(network_model const& network) {
    loggp const& p = network.parameters;
    return {{"latency", p.latency}, {"overhead", p.overhead}, {"gap", p.gap},
        {"gap_per_byte", p.gap_per_byte}, {"synchronous_penalty", network.synchronous_penalty},
        {"measured", as_json(network.measured)}};
}

nlohmann::ordered_json as_json(simulation_parameters const& simulation) {
    return {{"ranks_per_node", simulation.ranks_per_node}, {"eager_bytes", simulation.eager_bytes},
        {"node_gap", simulation.node_gap}, {"node_gap_per_byte", simulation.node_gap_per_byte},
        {"hardware_all_reduce", simulation.hardware_all_reduce},
        {"exchange_overhead", simulation.exchange_overhead}};
}

std::string parameters_as_text(network_model const& network) {
    loggp const& p = network.parameters;
    return fmt::format("L {}   o {}   g {}   1/G {:.3g} GB/s   a synchronous send {} more",
        seconds_as_text(p.latency), seconds_as_text(p.overhead), seconds_as_text(p.gap),
        p.gap_per_byte > 0 ? 1e-9 / p.gap_per_byte : 0.0, seconds_as_text(network.synchronous_penalty));
}

void append_rows(std::string& table, std::string_view where, std::vector<measured_costs> const& rows) {
    for (measured_costs const& row : rows)
        table += fmt::format("  {:<8}{:>7}{:>11}{:>12}{:>16}{:>11}{:>11}{:>13}{:>11}\n", where, row.ranks,
            seconds_as_text(row.all_reduce), seconds_as_text(row.all_to_all),
            seconds_as_text(row.reduce_scatter), seconds_as_text(row.known.first.front()),
            seconds_as_text(row.probed.first.front()), seconds_as_text(row.synchronous.first.front()),
            seconds_as_text(row.synchronous.first.back()));
}

} // namespace

nlohmann::ordered_json machine_as_json(machine_model const& machine) {
    return {{"origin", machine.origin}, {"measured_on", machine.measured_on},
        {"copy_per_byte", machine.copy_per_byte}, {"handover_per_byte", machine.handover_per_byte},
        {"inside", as_json(machine.inside)}, {"between", as_json(machine.between)},
        {"mixed", as_json(machine.mixed)}, {"simulation", as_json(machine.simulation)}};
}

std::string machine_as_text(machine_model const& machine) {
    std::string table = table_row("machine", machine.origin);
    table += table_row("inside a node", parameters_as_text(machine.inside));
    bool const has_between = machine.between != machine.inside;
    table += table_row("between", has_between ? parameters_as_text(machine.between)
                                              : std::string("as inside a node: that is all there was"));
    if (machine.inside.measured.empty() && machine.between.measured.empty()) return table;
    table += fmt::format("\n  {:<8}{:>7}{:>11}{:>12}{:>16}{:>11}{:>11}{:>13}{:>11}\n", "", "ranks",
        "all-reduce", "all-to-all", "reduce-scatter", "8 B", "8 B probed", "8 B synchr.", "1 MiB");
    append_rows(table, "inside", machine.inside.measured);
    if (has_between) append_rows(table, "between", machine.between.measured);
    append_rows(table, "mixed", machine.mixed);
    return table;
}

} // namespace weft::tool
