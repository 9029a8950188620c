#include "command.hpp"
#include "launch/ending.hpp"
#include "launch/launch.hpp"
#include "launch/program.hpp"
#include "launch/standard_streams.hpp"
#include "launch/usable_cores.hpp"
#include "launch/volume_module.hpp"
#include "launch/watching.hpp"
#include "options/choice_check.hpp"
#include "options/number_check.hpp"
#include "options/option_names.hpp"
#include "options/output_option.hpp"
#include "report/speech.hpp"
#include "report/terminal.hpp"
#include "texts/command_words.hpp"
#include "texts/examples.hpp"
#include "texts/help_text.hpp"
#include "texts/self_description.hpp"

#include <core/memory_left.hpp>
#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>
#include <weft/core/version.hpp>
#include <weft/protocol/agreement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace weft::tool {

bool common_options::shows_table() const {
    return !quiet && outputs_on_standard_output(*command_) == 0;
}

void common_options::add_output_to(CLI::App& command) {
    command_ = &command;
    names_output(command.add_option("--json", json, "Write a report as JSON"));
    command.add_flag("--quiet,-q", quiet, "Print no table");
}

void common_options::add_watched_to(CLI::App& command) {
    add_output_to(command);
    command
        .add_option("--progress", progress,
            "Show progress on standard error: always, never, or auto (if it is a terminal)")
        ->transform(one_of(std::map<std::string, progress_when>{{"auto", progress_when::automatic},
            {"always", progress_when::always}, {"never", progress_when::never}}))
        ->default_str("auto");
}

void common_options::add_to(CLI::App& command) {
    add_watched_to(command);
    command.add_option("--seed", seed, "Seed of the random numbers that generate graphs and break ties")
        ->capture_default_str();
}

namespace {

/// In the help of a command and those below it: what holds for all of them, and examples of its own.
void complete_help(CLI::App& parser, std::string const& path) {
    std::string footer = parser.get_footer();
    std::string const examples = examples_of(path);
    if (footer.find("Examples:") == std::string::npos && !examples.empty())
        footer += (footer.empty() ? "" : "\n") + examples;
    constexpr char always[] =
        "Options of every command: -n, --timeline FILE, --stall SECONDS, --color; see weft --help.";
    parser.footer(footer.empty() ? always : footer + (footer.ends_with('\n') ? "" : "\n") + always);
    for (CLI::App* const each : parser.get_subcommands({}))
        complete_help(*each, path + " " + each->get_name());
}

/// Of a rank that found no memory: what it was doing, and what it has.
std::string complaint_about_memory(int rank) {
    memory_left const left = memory_left_here();
    std::string const& phase = last_phase();
    return fmt::format(
        "out of memory on rank {}{}: it holds {}, and {} are left; use more nodes, or less data", rank,
        phase.empty() ? "" : " while " + phase, memory_as_text(left.held), memory_as_text(left.of_process));
}

/// Runs a command; 0 or 1. Errors that the ranks have agreed on are printed once.
int run(command& chosen, watch_options const& watch, std::string const& line) {
    bool printed = false;
    ending_watch const ending;
    try {
        environment const env({.alone_without_launcher = true});
        for (std::string const& text : env.warnings()) say_warning(text);
        bool const speaks = env.world().rank() == 0;
        try {
            watched_run watched(env.world(), watch, line);
            chosen.run(env);
            watched.write();
            agreed(env.world(), finish_standard_output);
            return 0;
        } catch (usage_error const& caught) { // usage and io errors are the same on all ranks
            if (speaks) say_error(with_options_of(chosen.parser(), caught.what()));
            return 1;
        } catch (io_error const& caught) {
            if (speaks) say_error(with_options_of(chosen.parser(), caught.what()));
            return 1;
        } catch (remote_error const&) {
            printed = true; // by the rank that failed
            throw;
        } catch (std::bad_alloc const&) {
            say_error(complaint_about_memory(env.world().rank()));
            printed = true;
            throw;
        } catch (std::exception const& caught) {
            std::fprintf(stderr, "weft: error on rank %d: %s\n", env.world().rank(), caught.what());
            printed = true;
            throw; // whether the others know is not known here: let the environment find out
        }
    } catch (std::exception const& caught) {
        if (printed) return 1;
        if (is_first_launched())
            say_error(caught.what());
        else // a launcher ends all ranks when one fails: the first has to speak before
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return 1;
    }
}

/// The parser of a program, with its commands and the options that all of them have.
struct parser {
    CLI::App app;
    int ranks = 0;
    watch_options watch;
    std::vector<std::unique_ptr<command>> commands;

    /// Without `volumes`, the commands of that module are left out.
    parser(program const& which, volume_module const* volumes);

    /// False where a word is no part of these commands, or a mistake. `words`: without the program's name.
    [[nodiscard]] bool explains(std::vector<std::string> words);
};

parser::parser(program const& which, volume_module const* volumes) : app(which.description, which.name) {
    app.formatter(std::make_shared<help_formatter>());
    app.set_version_flag("--version", which.name + " " + WEFT_VERSION_TEXT);
    app.add_option("-n,--ranks", ranks, "Number of ranks to start; auto: one rank for each core")
        ->transform(CLI::Validator(
            [](std::string& text) {
                if (text == "auto") text = std::to_string(usable_cores());
                return std::string();
            },
            ""))
        ->check(at_least(1));
    watch.add_to(app);
    app.add_option("--color", streams().color,
           "Colours in the output: always, never, or auto (on a terminal, unless NO_COLOR is set)")
        ->transform(one_of(std::map<std::string, color_when>{
            {"auto", color_when::automatic}, {"always", color_when::always}, {"never", color_when::never}}))
        ->default_str("auto");
    app.require_subcommand(1);
    app.fallthrough();
    app.failure_message([](CLI::App const* of, CLI::Error const& wrong) {
        std::string text = wrong.what();
        if (wrong.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) // it names them backwards
            text = fmt::format("arguments that are not expected: {}", fmt::join(of->remaining(true), " "));
        return fmt::format("weft: {} {} (--help tells more)\n", on_error("error:", text_color::error), text);
    });
    for (command_row const& each : which.commands) {
        if (each.make != nullptr)
            commands.push_back(each.make(app));
        else if (volumes != nullptr)
            commands.push_back(volumes->make(each.name, app));
    }
    for (auto const& each : commands) complete_help(each->parser(), each->parser().get_name());
    app.footer(which.footer);
}

bool parser::explains(std::vector<std::string> words) {
    std::ranges::reverse(words); // the parser takes them from the end
    try {
        app.parse(std::move(words));
        return true;
    } catch (CLI::ParseError const&) { return false; }
}

/// Parses, or does what the words ask for instead: help, pages and completions, a complaint. Returns the exit
/// code of these.
std::optional<int> parse_or_tell(CLI::App& app, std::vector<std::string> words) {
    try {
        if (describes_itself(app, words)) {
            finish_standard_output();
            return 0;
        }
        ask_for_help(app, words);
        std::ranges::reverse(words);
        app.parse(std::move(words));
        return std::nullopt;
    } catch (CLI::ParseError const& stop) {
        if (std::string const complaint = complaint_about_words(app);
            stop.get_exit_code() != 0 && !complaint.empty()) {
            say_error(complaint);
            return 2;
        }
        if (app.exit(stop) != 0) return 2;
        try {
            finish_standard_output(); // of --help and --version
            return 0;
        } catch (io_error const& caught) {
            say_error(caught.what());
            return 1;
        }
    } catch (std::exception const& caught) { // of what it says of itself
        say_error(caught.what());
        return 2;
    }
}

} // namespace

int run_program(program const& which, int argc, char** argv) {
    occupy_standard_streams();
    try {
        if (take_relaunch_mark(argc, argv)) continue_as_rank();
    } catch (std::exception const& caught) {
        say_error(caught.what());
        return 1;
    }
    std::vector<std::string> words(argv + 1, argv + argc);
    std::optional<parser> line(std::in_place, which, nullptr);
    if (!line->explains(words)) {
        if (std::ranges::any_of(
                which.commands, [](command_row const& each) { return each.make == nullptr; })) {
            try {
                line.emplace(which, &load_volumes());
            } catch (io_error const& caught) {
                say_error(caught.what());
                return 1;
            }
        }
        if (auto const ended = parse_or_tell(line->app, words)) return *ended;
    }
    CLI::App const& app = line->app;
    int const ranks = line->ranks;
    if (outputs_on_standard_output(app) > 1) {
        say_error("expected one output on standard output, found several that are -");
        return 2;
    }
    if (ranks > 0) {
        if (launched_by_mpi()) {
            say_error(
                fmt::format("-n {}: this process was started by an MPI launcher already; leave -n away, or "
                            "start weft without the launcher",
                    ranks));
            return 2;
        }
        if (int const most = most_ranks(); most > 0 && ranks > most) {
            say_error(fmt::format(
                "-n {}: expected at most {} on this machine; start weft under the launcher of your "
                "MPI for more",
                ranks, most));
            return 2;
        }
        if (ranks > 1) { // one rank needs no launcher, which takes a third of a second to start and to end
            try {
                return relaunch_under_mpi(ranks, argc, argv);
            } catch (std::exception const& caught) {
                say_error(caught.what());
                return 1;
            }
        }
    }
    (void)std::signal(SIGPIPE, SIG_IGN); // a reader that has left is an error like others
    for (auto const& each : line->commands)
        if (each->parser().parsed()) return run(*each, line->watch, command_line(which.name, argc, argv));
    return 2;
}

} // namespace weft::tool
