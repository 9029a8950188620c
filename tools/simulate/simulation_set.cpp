#include "simulation_set.hpp"

#include "options/number_check.hpp"
#include "options/preset.hpp"
#include "peak_memory.hpp"

#include <machine/machine_file.hpp>
#include <weft/core/error.hpp>
#include <weft/extend/machine/known_machines.hpp>

#include <fmt/ranges.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace weft::tool {

namespace {

/// A name of the literature, `this` for the model of the machine that this is, or a file.
named_machine find_machine(std::string const& name, communicator const& comm) {
    if (name == "this") return {name, comm.machine()};
    for (std::string_view const known : known_machines())
        if (name == known) return {name, known_machine(name)};
    std::ifstream in(name, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (!in)
        throw io_error(
            fmt::format("{}: cannot be read; --machine takes {}, this, or a file as `weft tune` writes it",
                name, fmt::join(known_machines(), ", ")));
    std::string const file = name.substr(name.find_last_of('/') + 1);
    return {file.substr(0, file.find_last_of('.')), parse_machine(text.str(), name)};
}

} // namespace

simulation_set::simulation_set(CLI::App& parser) {
    parser.require_subcommand(1);
    for (auto const make : {make_simulate_exchange, make_simulate_mailbox, make_simulate_iexchange,
             make_simulate_union_find, make_simulate_tracing, make_simulate_reduce, make_simulate_frames,
             make_simulate_bfs, make_simulate_components, make_simulate_spmv})
        simulations_.push_back(make(parser));
    for (auto const& each : simulations_) {
        CLI::App& one = each->parser();
        one.add_option("--machine", machines_,
               fmt::format("Machine models: {}; this (the model that `weft tune` measured on this machine); "
                           "or a file that `weft tune` wrote",
                   fmt::join(known_machines(), ", ")))
            ->capture_default_str();
        add_preset(one, "--ranks", options_.ranks, "Ranks of the simulated machine", above_zero());
        one.add_option("--seed", options_.seed, "Seed of all random choices of the simulation")
            ->capture_default_str();
    }
}

void simulation_set::run(
    communicator const& comm, std::function<void(simulation_result const&)> const& report) {
    for (std::string const& name : machines_) options_.machines.push_back(find_machine(name, comm));
    peak_memory memory;
    auto const with_memory = [&](simulation_result row) {
        row.bytes_a_rank = memory.bytes() / row.ranks;
        report(row);
        memory.restart();
    };
    for (auto const& each : simulations_)
        if (each->parser().parsed()) each->run(options_, with_memory);
}

std::vector<simulation_result> simulate_line(communicator const& comm, std::string const& line) {
    CLI::App parser;
    simulation_set set(parser);
    try {
        parser.parse(line, false);
    } catch (CLI::ParseError const& wrong) {
        throw std::logic_error("weft simulate " + line + ": " + wrong.what());
    }
    std::vector<simulation_result> rows;
    set.run(comm, [&](simulation_result const& row) { rows.push_back(row); });
    return rows;
}

} // namespace weft::tool
