#include "machine_file.hpp"
#include "key_value_text.hpp"

#include <weft/core/environment.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <unistd.h>

namespace weft {

namespace {

constexpr double microseconds = 1e-6; // the unit of the file

/// The phases of `measured_costs` by their names in a file.
struct way_name {
    std::string_view name;
    phase_costs measured_costs::*way;
};
constexpr way_name ways[] = {{"known", &measured_costs::known}, {"probed", &measured_costs::probed},
    {"synchronous", &measured_costs::synchronous}};

struct cost_name {
    std::string_view name;
    double measured_costs::*cost;
};
constexpr cost_name costs[] = {{"all_reduce", &measured_costs::all_reduce},
    {"all_to_all", &measured_costs::all_to_all}, {"reduce_scatter", &measured_costs::reduce_scatter}};

struct simulation_name {
    std::string_view name;
    double simulation_parameters::*time;
};
constexpr simulation_name simulation_times[] = {{"node_gap", &simulation_parameters::node_gap},
    {"node_gap_per_byte", &simulation_parameters::node_gap_per_byte},
    {"hardware_all_reduce", &simulation_parameters::hardware_all_reduce},
    {"exchange_overhead", &simulation_parameters::exchange_overhead}};

struct parameter_name {
    std::string_view name;
    double loggp::*parameter;
};
constexpr parameter_name parameters[] = {{"latency", &loggp::latency}, {"overhead", &loggp::overhead},
    {"gap", &loggp::gap}, {"gap_per_byte", &loggp::gap_per_byte}};

std::string as_text(double seconds) {
    char digits[32];
    auto const end =
        std::to_chars(digits, digits + sizeof digits, seconds / microseconds, std::chars_format::general, 5);
    return {digits, end.ptr};
}

void append(std::string& into, std::string_view key, double seconds) {
    into.append(key).append(" = ").append(as_text(seconds)).append("\n");
}

void append(std::string& into, std::string const& key, std::vector<double> const& seconds) {
    into.append(key).append(" = [");
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        if (i > 0) into.append(", ");
        into.append(as_text(seconds[i]));
    }
    into.append("]\n");
}

void append(std::string& into, std::string const& table, std::vector<measured_costs> const& rows) {
    for (measured_costs const& row : rows) {
        into.append("\n[" + table + "." + std::to_string(row.ranks) + "]\n");
        for (auto const& [name, cost] : costs) append(into, name, row.*cost);
        for (auto const& [name, way] : ways) {
            append(into, std::string(name) + "_first", (row.*way).first);
            append(into, std::string(name) + "_more", (row.*way).more);
        }
    }
}

void append(std::string& into, std::string const& table, network_model const& network) {
    into.append("\n[" + table + "]\n");
    for (auto const& [name, parameter] : parameters) append(into, name, network.parameters.*parameter);
    append(into, "synchronous_penalty", network.synchronous_penalty);
    append(into, table, network.measured);
}

void append(std::string& into, simulation_parameters const& simulation) {
    into.append("\n[simulation]\n");
    into.append("ranks_per_node = ").append(std::to_string(simulation.ranks_per_node)).append("\n");
    into.append("eager_bytes = ").append(std::to_string(simulation.eager_bytes)).append("\n");
    for (auto const& [name, time] : simulation_times) append(into, name, simulation.*time);
}

/// Returns the name of `key` in the file: versions 1 and 2 call an all-reduce a census.
std::string name_in(key_value_text& from, std::string_view key) {
    std::string name(key);
    bool const is_old = from.number("", "version", 0) < 3;
    if (std::size_t const at = name.find("all_reduce"); is_old && at != name.npos)
        name.replace(at, 10, "census");
    return name;
}

simulation_parameters read_simulation(key_value_text& from) {
    simulation_parameters simulation;
    auto const whole = [&](std::string_view key, double least, double most) {
        double const number = from.number("simulation", key, least);
        if (number != std::floor(number) || number > most)
            from.refuse(from.line_of("simulation", key), "a whole number", std::to_string(number));
        return static_cast<std::int64_t>(number);
    };
    simulation.ranks_per_node = static_cast<int>(whole("ranks_per_node", 1, 1e9));
    simulation.eager_bytes = whole("eager_bytes", 0, 1e15);
    for (auto const& [name, time] : simulation_times)
        simulation.*time = microseconds * from.number("simulation", name_in(from, name), 0);
    return simulation;
}

std::vector<double> read_seconds(
    key_value_text& from, std::string const& table, std::string_view way, std::string_view part) {
    std::string const key = std::string(way) + "_" + std::string(part);
    // Files of version 1 have no phases of 2048 bytes: these are interpolated linearly.
    constexpr std::size_t added = 3;
    bool const is_old = from.number("", "version", 0) == 1;
    std::vector<double> list = from.numbers(table, key, std::size(measured_bytes) - (is_old ? 1 : 0), 0);
    if (is_old) {
        double const part = (measured_bytes[added] - measured_bytes[added - 1]) /
                            (measured_bytes[added + 1] - measured_bytes[added - 1]);
        double const between = list[added - 1] + part * (list[added] - list[added - 1]);
        list.insert(list.begin() + added, between);
    }
    for (double& each : list) each *= microseconds;
    return list;
}

/// Reads the tables `<network>.<ranks>`.
std::vector<measured_costs> read_rows(key_value_text& from, std::string const& network) {
    std::vector<measured_costs> rows;
    for (std::string const& table : from.table_names()) {
        if (!table.starts_with(network + ".")) continue;
        std::string const digits = table.substr(network.size() + 1);
        measured_costs& row = rows.emplace_back();
        auto const [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), row.ranks);
        if (failure != std::errc{} || end != digits.data() + digits.size() || row.ranks < 2)
            from.refuse(from.line_of(table), "a number of ranks, at least 2", digits);
        if (rows.size() > 1 && rows[rows.size() - 2].ranks >= row.ranks)
            from.refuse(from.line_of(table), "ascending numbers of ranks", digits);
        for (auto const& [name, cost] : costs)
            row.*cost = microseconds * from.number(table, name_in(from, name), 0);
        for (auto const& [name, way] : ways) {
            (row.*way).first = read_seconds(from, table, name, "first");
            (row.*way).more = read_seconds(from, table, name, "more");
        }
    }
    return rows;
}

network_model read_network(key_value_text& from, std::string const& table) {
    network_model network;
    for (auto const& [name, parameter] : parameters)
        network.parameters.*parameter = microseconds * from.number(table, name, 0);
    if (network.parameters.latency + network.parameters.overhead <= 0)
        from.refuse(from.line_of(table, "latency"), "a latency or an overhead above 0", "0");
    network.synchronous_penalty = microseconds * from.number(table, "synchronous_penalty", 0);
    network.measured = read_rows(from, table);
    return network;
}

} // namespace

std::string to_text(machine_model const& machine) {
    std::string text = "# Weft's model of a machine, written by `weft tune`. Times are in microseconds.\n"
                       "# Lists: phases of messages of 8, 64, 512, 2048, 4096, 32768, 262144 and 1048576 "
                       "bytes;\n"
                       "# first: of one message a rank, more: what each message more adds.\n"
                       "version = 4\nmeasured_on = \"" +
                       machine.measured_on + "\"\n";
    append(text, "copy_per_byte", machine.copy_per_byte);
    append(text, "handover_per_byte", machine.handover_per_byte);
    append(text, "inside", machine.inside);
    if (machine.between != machine.inside) append(text, "between", machine.between);
    append(text, "mixed", machine.mixed);
    append(text, machine.simulation);
    return text;
}

machine_model parse_machine(std::string_view text, std::string_view name) {
    key_value_text from(text, name, "correct it, or measure anew with `weft -n N tune`");
    double const version = from.number("", "version", 0);
    if (version != 1 && version != 2 && version != 3 && version != 4)
        from.refuse(from.line_of("", "version"), "version 1, 2, 3 or 4", std::to_string(version));
    machine_model machine;
    machine.measured_on = from.text("", "measured_on");
    machine.copy_per_byte = microseconds * from.number("", "copy_per_byte", 0);
    if (version > 3) machine.handover_per_byte = microseconds * from.number("", "handover_per_byte", 0);
    machine.inside = read_network(from, "inside");
    machine.between = from.has("between") ? read_network(from, "between") : machine.inside;
    machine.mixed = read_rows(from, "mixed");
    if (from.has("simulation")) machine.simulation = read_simulation(from);
    from.refuse_the_rest();
    machine.origin = std::string(name) + ", measured on " + machine.measured_on;
    return machine;
}

std::string machine_file_path() {
    auto const variable = [](char const* name) {
        char const* const value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    std::string folder = variable("XDG_CACHE_HOME");
    if (folder.empty()) {
        std::string const home = variable("HOME");
        if (home.empty()) return {};
        folder = home + "/.cache";
    }
    char host_name[256] = {};
    if (gethostname(host_name, sizeof host_name - 1) != 0) return {};
    std::string host(host_name);
    host = host.substr(0, host.find('.'));
    while (!host.empty() && std::isdigit(static_cast<unsigned char>(host.back())) != 0) host.pop_back();
    std::string mpi; // "Open MPI 4.1.4" -> open-mpi
    for (char const c : mpi_library().substr(0, mpi_library().find_last_of(' ')))
        mpi += std::isalnum(static_cast<unsigned char>(c)) == 0
                   ? '-'
                   : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return folder + "/weft/machine-" + host + "-" + mpi + ".toml";
}

} // namespace weft
