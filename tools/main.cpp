/// The command `weft`. Parses before MPI starts, so that --help and mistakes in the arguments cost nothing.
#include "command.hpp"
#include "launch.hpp"
#include "watching.hpp"

#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <vector>

namespace weft::tool {

void common_options::add_output_to(CLI::App& command) {
    command.add_option("--json", json, "Write a report as JSON to a file, or - for standard output");
    command.add_flag("--quiet,-q", quiet, "Print no table");
}

void common_options::add_watched_to(CLI::App& command) {
    add_output_to(command);
    command
        .add_option(
            "--progress", progress, "Progress on standard error: when it is a terminal, always or never")
        ->transform(
            CLI::CheckedTransformer(std::map<std::string, progress_when>{{"auto", progress_when::automatic},
                {"always", progress_when::always}, {"never", progress_when::never}}))
        ->default_str("auto");
}

void common_options::add_to(CLI::App& command) {
    add_watched_to(command);
    command.add_option("--seed", seed, "Seed of everything random: generated graphs, tie breaking")
        ->capture_default_str();
}

namespace {

/// In the help of a command and those below it.
void tell_of_watching(CLI::App& parser) {
    if (parser.get_footer().empty())
        parser.footer("As for every command: -n, --timeline FILE, --stall SECONDS; see weft --help.");
    for (CLI::App* const each : parser.get_subcommands({})) tell_of_watching(*each);
}

/// Runs a command; 0 or 1. Errors that the ranks have agreed on are printed once.
int run(command& chosen, watch_options const& watch, std::string const& line) {
    bool printed = false;
    try {
        environment const env;
        for (std::string const& text : env.warnings()) fmt::print(stderr, "weft: warning: {}\n", text);
        bool const speaks = env.world().rank() == 0;
        try {
            watched_run watched(env.world(), watch, line);
            chosen.run(env);
            watched.write();
            return 0;
        } catch (usage_error const& caught) { // usage and io errors are the same on all ranks
            if (speaks) fmt::print(stderr, "weft: error: {}\n", caught.what());
            return 1;
        } catch (io_error const& caught) {
            if (speaks) fmt::print(stderr, "weft: error: {}\n", caught.what());
            return 1;
        } catch (remote_error const&) {
            printed = true; // by the rank that failed
            throw;
        } catch (std::exception const& caught) {
            fmt::print(stderr, "weft: error on rank {}: {}\n", env.world().rank(), caught.what());
            printed = true;
            throw; // whether the others know is not known here: let the environment find out
        }
    } catch (std::exception const& caught) {
        if (!printed && is_first_launched()) fmt::print(stderr, "weft: error: {}\n", caught.what());
        return 1;
    }
}

int main(int argc, char** argv) {
    try {
        if (take_relaunch_mark(argc, argv)) continue_as_rank();
    } catch (std::exception const& caught) {
        fmt::print(stderr, "weft: error: {}\n", caught.what());
        return 1;
    }
    CLI::App app("Irregular communication for MPI, and what can be done with it. Runs as one process, under "
                 "mpirun, or with -n N under the MPI launcher that it starts itself.",
        "weft");
    app.set_version_flag("--version", std::string("weft ") + WEFT_VERSION);
    int ranks = 0;
    app.add_option("-n,--ranks", ranks, "Start with so many ranks")->check(CLI::PositiveNumber);
    watch_options watch;
    watch.add_to(app);
    app.require_subcommand(1);
    app.fallthrough();
    app.footer("Examples:\n  weft components my_graph.mtx\n  weft -n 4 degrees rmat:18 --json report.json\n"
               "  mpirun -n 64 weft components my_graph.txt.zst --labels labels.txt");
    std::vector<std::unique_ptr<command>> commands;
    for (auto const make : {make_components, make_scc, make_degrees, make_bfs, make_sssp, make_spmv,
             make_pagerank, make_triangles, make_label, make_trace, make_render, make_generate, make_info,
             make_tune, make_bench, make_simulate})
        commands.push_back(make(app));
    for (auto const& each : commands) tell_of_watching(each->parser());

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& stop) { return app.exit(stop) == 0 ? 0 : 2; }
    if (ranks > 0) {
        if (launched_by_mpi()) {
            fmt::print(stderr,
                "weft: error: -n {}: this process was started by an MPI launcher already; leave "
                "-n away, or start weft without the launcher\n",
                ranks);
            return 2;
        }
        try {
            relaunch_under_mpi(ranks, argc, argv);
        } catch (std::exception const& caught) {
            fmt::print(stderr, "weft: error: {}\n", caught.what());
            return 1;
        }
    }
    for (auto const& each : commands)
        if (each->parser().parsed()) return run(*each, watch, command_line(argc, argv));
    return 2;
}

} // namespace

} // namespace weft::tool

int main(int argc, char** argv) {
    return weft::tool::main(argc, argv);
}
