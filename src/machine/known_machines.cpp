#include <weft/extend/machine/known_machines.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string>

namespace weft {

namespace {

struct paper_row {
    std::string_view name;
    double latency; // microseconds from here on
    double overhead;
    double gap;
    double gap_per_byte;
    double synchronous_latency; // L_s
    double converged_kib;       // s_s
    double hardware_census;
};

constexpr paper_row rows[] = {
    {"intrepid", 4.29, 2.87, 2.04, 0.00267, 5.04, 12, 1},
    {"jaguar", 9.90, 1.75, 3.40, 0.00058, 25.40, 132, 0},
    {"bigred", 7.08, 11.78, 4.19, 0.00414, 8.02, 1.5, 0},
};
constexpr std::string_view names[] = {rows[0].name, rows[1].name, rows[2].name};

} // namespace

std::span<std::string_view const> known_machines() noexcept {
    return names;
}

machine_model known_machine(std::string_view name) {
    auto const row = std::ranges::find(rows, name, &paper_row::name);
    if (row == std::end(rows))
        throw usage_error("no machine is known by the name \"" + std::string(name) +
                          "\"; there are intrepid, jaguar and bigred");
    constexpr double microseconds = 1e-6;
    machine_model machine;
    machine.inside.parameters = {row->latency * microseconds, row->overhead * microseconds,
        row->gap * microseconds, row->gap_per_byte * microseconds};
    machine.inside.synchronous_penalty = (row->synchronous_latency - row->latency) * microseconds;
    machine.between = machine.inside;
    machine.simulation.ranks_per_node = 4;
    machine.simulation.eager_bytes = static_cast<std::int64_t>(1024 * row->converged_kib);
    machine.simulation.hardware_census = row->hardware_census * microseconds;
    machine.measured_on = std::string(row->name) + ", PPoPP 2010";
    machine.origin = "Hoefler, Siebert, Lumsdaine, PPoPP 2010, tables 1 and 2";
    return machine;
}

} // namespace weft
