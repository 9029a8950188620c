#include <weft/extend/machine/known_machines.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string>

namespace weft {

namespace {

constexpr double microsecond = 1e-6;

/// A machine of PPoPP 2010, in microseconds and KiB.
struct paper_row {
    std::string_view name;
    double latency;
    double overhead;
    double gap;
    double gap_per_byte;
    double synchronous_latency; // L_s
    double converged_kib;       // s_s
    double hardware_all_reduce;
};

constexpr paper_row rows[] = {
    {"intrepid", 4.29, 2.87, 2.04, 0.00267, 5.04, 12, 1},
    {"jaguar", 9.90, 1.75, 3.40, 0.00058, 25.40, 132, 0},
    {"bigred", 7.08, 11.78, 4.19, 0.00414, 8.02, 1.5, 0},
};

/// A machine whose nodes are described in a paper, with a network measured elsewhere, in microseconds.
struct node_row {
    std::string_view name;
    int ranks_per_node;
    std::int64_t eager_bytes;
    double latency;
    double gap;
    double gap_per_byte;
    std::string_view origin;
};

// The gaps: osu_mbw_mr of one pair of nodes at 64 bytes and at 4 MiB, H. Pritchard,
// gist.github.com/hppritcha, 8da4436a (Xeon E5-2695 v4 as Quartz has, Omni-Path) and 200bc7a2 (XC40, Aries).
// The latency of Aries: osu_latency, 6a3acd0c. No measured latency of Omni-Path was found, so that of the
// built-in model is used.
constexpr node_row node_rows[] = {
    {"quartz", 36, 16384, 1.5, 0.330, 8.08e-5,
        "YGM, 2019, section V; network of the same kind measured at LANL, 2016"},
    {"theta", 64, 4096, 1.18, 0.701, 1.004e-4,
        "LDAV 2021, section 4.1; network of another XC40, measured at LANL, 2016"},
    {"cascadelake", 48, 16384, 1.5, 0.330, 8.08e-5,
        "HPDC 2024, section 4.1; network of the same kind measured at LANL, 2016"},
};
constexpr std::string_view names[] = {
    rows[0].name, rows[1].name, rows[2].name, node_rows[0].name, node_rows[1].name, node_rows[2].name};

machine_model machine_of(paper_row const& row) {
    machine_model machine;
    machine.inside.parameters = {row.latency * microsecond, row.overhead * microsecond, row.gap * microsecond,
        row.gap_per_byte * microsecond};
    machine.inside.synchronous_penalty = (row.synchronous_latency - row.latency) * microsecond;
    machine.between = machine.inside;
    machine.simulation.ranks_per_node = 4;
    machine.simulation.eager_bytes = static_cast<std::int64_t>(1024 * row.converged_kib);
    machine.simulation.hardware_all_reduce = row.hardware_all_reduce * microsecond;
    machine.measured_on = std::string(row.name) + ", PPoPP 2010";
    machine.origin = "Hoefler, Siebert, Lumsdaine, PPoPP 2010, tables 1 and 2";
    return machine;
}

/// Costs within nodes, and overheads, are those of the built-in model. The port of a node has the bandwidth
/// of one pair of ranks.
machine_model machine_of(node_row const& row) {
    machine_model machine = built_in_machine();
    loggp& between = machine.between.parameters;
    between.latency = row.latency * microsecond;
    between.gap = row.gap * microsecond;
    between.gap_per_byte = row.gap_per_byte * microsecond;
    machine.between.synchronous_penalty = between.latency + between.overhead;
    machine.simulation.ranks_per_node = row.ranks_per_node;
    machine.simulation.eager_bytes = row.eager_bytes;
    machine.simulation.node_gap_per_byte = between.gap_per_byte;
    machine.measured_on = std::string(row.name) + ", by its nodes and its kind of network";
    machine.origin = row.origin;
    return machine;
}

} // namespace

std::span<std::string_view const> known_machines() noexcept {
    return names;
}

machine_model known_machine(std::string_view name) {
    auto const of_paper = std::ranges::find(rows, name, &paper_row::name);
    if (of_paper != std::end(rows)) return machine_of(*of_paper);
    auto const by_nodes = std::ranges::find(node_rows, name, &node_row::name);
    if (by_nodes != std::end(node_rows)) return machine_of(*by_nodes);
    std::string known;
    for (std::string_view const each : names) known += (known.empty() ? "" : ", ") + std::string(each);
    throw usage_error("no machine is known by the name \"" + std::string(name) + "\"; there are " + known);
}

} // namespace weft
