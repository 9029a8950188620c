/// WEFT_SIMULATE: parses its value, runs the program, and reports.
#include "simulated_run.hpp"

#include <core/simulated_ranks.hpp>
#include <machine/machine_file.hpp>

#include <weft/core/error.hpp>
#include <weft/extend/machine/known_machines.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

namespace weft {

namespace {

constexpr std::string_view knob_of_simulation = "WEFT_SIMULATE";
constexpr char const* names_of_parts = "compute=, stack=, table=, timeline= or lanes=";
constexpr int most_ranks = 1'000'000;
constexpr double most_stack_bytes = 1 << 30;

[[noreturn]] void refuse_simulation(std::string_view part, std::string const& expected) {
    throw usage_error(
        std::string(knob_of_simulation) + ": \"" + std::string(part) + "\": expected " + expected);
}

double number_in(std::string_view part, std::string_view value, double least, double most) {
    double number = 0;
    auto const [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc{} || end != value.data() + value.size() ||
        !(number >= least && number <= most)) {
        std::array<char, 80> range;
        std::snprintf(range.data(), range.size(), "a number in %.10g..%.10g", least, most);
        refuse_simulation(part, range.data());
    }
    return number;
}

bool is_known_machine(std::string_view name) {
    return std::ranges::find(known_machines(), name) != known_machines().end();
}

machine_model machine_named(std::string const& name) {
    if (is_known_machine(name)) return known_machine(name);
    std::ifstream file(name, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    if (!file.good() && text.empty()) {
        std::string known;
        for (std::string_view const each : known_machines()) known += " " + std::string(each) + ",";
        throw io_error(std::string(knob_of_simulation) + ": machine " + name +
                       ": no such file; expected one of" + known + " or a file that `weft tune` wrote");
    }
    return parse_machine(text, name);
}

std::string with_unit(double seconds) {
    std::array<char, 40> text;
    if (seconds < 1e-3)
        std::snprintf(text.data(), text.size(), "%.4g us", seconds * 1e6);
    else if (seconds < 1)
        std::snprintf(text.data(), text.size(), "%.4g ms", seconds * 1e3);
    else
        std::snprintf(text.data(), text.size(), "%.4g s", seconds);
    return text.data();
}

/// Returns the lowest rank that threw an exception of its own, or else the lowest that threw.
int first_failure(std::vector<simulated_program::outcome> const& all) {
    int found = -1;
    for (std::size_t each = 0; each < all.size(); ++each) {
        if (!all[each].thrown) continue;
        if (found < 0) found = static_cast<int>(each);
        try {
            std::rethrow_exception(all[each].thrown);
        } catch (remote_error const&) {
        } catch (...) { return static_cast<int>(each); }
    }
    return found;
}

bool all_threw_alike(std::vector<simulated_program::outcome> const& all) {
    return std::ranges::all_of(all, [](auto const& each) {
        error_kind const kind = each.thrown ? kind_of(each.thrown) : error_kind::none;
        return kind == error_kind::usage || kind == error_kind::io;
    });
}

/// Returns "3 of 4 ranks wait in split (rank 0 and others); rank 2 has ended".
std::string waits_of(std::vector<simulated_program::outcome> const& all) {
    struct group {
        int ranks = 0;
        int first = 0;
    };
    std::map<std::string, group> waits;
    group ended;
    for (std::size_t each = 0; each < all.size(); ++each) {
        group& here = all[each].has_ended ? ended : waits[all[each].operation];
        if (here.ranks++ == 0) here.first = static_cast<int>(each);
    }
    std::string text;
    for (auto const& [operation, here] : waits)
        text += (text.empty() ? "" : "; ") + std::to_string(here.ranks) + " of " +
                std::to_string(all.size()) + (here.ranks == 1 ? " ranks waits in " : " ranks wait in ") +
                operation + " (rank " + std::to_string(here.first) + (here.ranks > 1 ? " and others)" : ")");
    if (ended.ranks > 0)
        text += "; rank " + std::to_string(ended.first) +
                (ended.ranks > 1 ? " and " + std::to_string(ended.ranks - 1) + " others have ended"
                                 : " has ended");
    return text;
}

void write_table(std::string const& name, simulated_program& program) {
    std::ofstream file(name);
    file << "rank,node,seconds,computed_seconds,messages,bytes\n";
    for (int each = 0; each < program.machine().size(); ++each) {
        simulated_rank const& of = program.machine().rank(each);
        std::array<char, 160> row;
        std::snprintf(row.data(), row.size(), "%d,%d,%.9g,%.9g,%lld,%lld\n", each,
            program.machine().node_of(each), of.clock, of.computed, static_cast<long long>(of.messages),
            static_cast<long long>(of.bytes));
        file << row.data();
    }
    file.flush();
    if (!file) throw io_error(std::string(knob_of_simulation) + ": table " + name + " cannot be written");
}

std::string_view name_of_kind(span_kind kind) {
    constexpr std::string_view names[] = {"compute", "communicate", "wait", "termination"};
    return names[static_cast<std::size_t>(kind)];
}

/// Writes lanes for Perfetto and chrome://tracing: the trace event format, in microseconds.
void write_lanes(std::string const& name, simulated_program const& program) {
    std::ofstream file(name);
    file << "{\"traceEvents\":[\n";
    std::array<char, 300> line;
    for (simulated_program::lane const& each : program.lanes()) {
        std::snprintf(line.data(), line.size(),
            "{\"ph\":\"M\",\"pid\":0,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"rank %d\"}},\n",
            each.rank, each.rank);
        file << line.data();
        for (std::size_t i = 0; i < each.segments.size(); ++i) {
            timeline_segment const& now = each.segments[i];
            std::int64_t const end = i + 1 < each.segments.size() ? each.segments[i + 1].begin : each.end;
            std::snprintf(line.data(), line.size(),
                "{\"ph\":\"X\",\"pid\":0,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"cat\":\"%s\",\"name\":\"%."
                "100s\"},\n",
                each.rank, 1e-3 * static_cast<double>(now.begin), 1e-3 * static_cast<double>(end - now.begin),
                name_of_kind(now.state.kind).data(), now.state.name);
            file << line.data();
        }
    }
    file << "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"simulated ranks\"}}]}\n";
    file.flush();
    if (!file) throw io_error(std::string(knob_of_simulation) + ": timeline " + name + " cannot be written");
}

void tell_of_run(
    std::string const& program_name, simulation_options const& options, simulated_program& program) {
    std::int64_t bytes = 0;
    double computed = 0;
    for (int each = 0; each < program.machine().size(); ++each) {
        bytes += program.machine().rank(each).bytes;
        computed = std::max(computed, program.machine().rank(each).computed);
    }
    std::fprintf(stderr,
        "%s: %d simulated rank%s (%s): %s, of which at most %s computing; %lld messages, %.4g MB\n",
        program_name.c_str(), options.ranks, options.ranks == 1 ? "" : "s", options.machine_name.c_str(),
        with_unit(program.machine().seconds()).c_str(), with_unit(computed).c_str(),
        static_cast<long long>(program.machine().messages()), static_cast<double>(bytes) * 1e-6);
}

int run_as_wanted(std::string const& name, simulated_body const& body) {
    if (launched_by_mpi())
        throw usage_error("WEFT_SIMULATE and WEFT_ADVERSARY simulate all ranks in one process: start the "
                          "program without a launcher of MPI");
    environment_knobs const found = read_knobs();
    for (std::string const& warning : found.warnings)
        std::fprintf(stderr, "%s: warning: %s\n", name.c_str(), warning.c_str());
    settings const chosen = parse_settings(found.lines);
    simulated_job const job{
        name, read_simulation(chosen.simulate.empty() ? "4" : chosen.simulate, chosen), chosen, &body};
    return chosen.schedules.empty() ? run_once_and_tell(job, nullptr) : run_under_adversary(job);
}

} // namespace

std::string failure_of(simulated_program& program, bool ended) {
    std::vector<simulated_program::outcome> all;
    for (int each = 0; each < program.machine().size(); ++each) all.push_back(program.outcome_of(each));
    std::string text;
    auto const alone = std::ranges::find_if(all, [](auto const& each) { return !each.failed_alone.empty(); });
    if (alone != all.end()) {
        text =
            "rank " + std::to_string(alone - all.begin()) + " has failed alone (" + alone->failed_alone + ")";
    } else if (int const failed = first_failure(all); failed >= 0) {
        std::string const which = all_threw_alike(all) ? "" : "rank " + std::to_string(failed) + ": ";
        text = which + text_of(all[static_cast<std::size_t>(failed)].thrown);
    }
    if (!ended) text += (text.empty() ? "" : "; ") + ("nothing can come any more: " + waits_of(all));
    return text;
}

int code_of(simulated_program const& program, int ranks) {
    for (int each = 0; each < ranks; ++each)
        if (int const code = program.outcome_of(each).code; code != 0) return code;
    return 0;
}

int run_once_and_tell(simulated_job const& job, deviations* departs, arrival_order* order,
    simulated_program::limits const& most) {
    auto program = std::make_unique<simulated_program>(job.options, job.chosen);
    program->deviate(departs);
    program->order(order);
    if (departs != nullptr)
        program->limit(most, [&job](std::string const& what) {
            std::fprintf(stderr, "%s: %s\n", job.name.c_str(), what.c_str());
            std::fflush(stdout);
            std::_Exit(1); // the stacks of ranks are in use
        });
    bool const ended = program->run(*job.body);
    std::string const failure = failure_of(*program, ended);
    if (!failure.empty()) std::fprintf(stderr, "%s: %s\n", job.name.c_str(), failure.c_str());
    if (!ended) {
        (void)program.release(); // the stacks of these ranks stay in use
        return 1;
    }
    tell_of_run(job.name, job.options, *program);
    if (!job.options.table.empty()) write_table(job.options.table, *program);
    if (!job.options.timeline.empty()) write_lanes(job.options.timeline, *program);
    return failure.empty() ? code_of(*program, job.options.ranks) : 1;
}

simulation_options read_simulation(std::string const& text, settings const& chosen) {
    simulation_options read;
    read.machine = built_in_machine();
    std::string_view rest = text;
    for (int part = 0; !rest.empty() || part == 0; ++part) {
        std::string_view const now = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(now.size() + 1, rest.size()));
        std::size_t const equals = now.find('=');
        std::string_view const name = now.substr(0, equals);
        std::string_view const value = equals == std::string_view::npos ? "" : now.substr(equals + 1);
        if (part == 0) {
            double const ranks = number_in(now, now, 1, most_ranks);
            read.ranks = static_cast<int>(ranks);
            if (read.ranks != ranks) refuse_simulation(now, "a whole number of ranks");
        } else if (equals == std::string_view::npos) {
            if (part != 1) refuse_simulation(now, names_of_parts);
            read.machine_name = now;
            read.machine = machine_named(read.machine_name);
        } else if (name == "compute") {
            read.compute = number_in(now, value, 0, 1e9);
        } else if (name == "stack") {
            read.stack_bytes = static_cast<std::size_t>(number_in(now, value, 16384, most_stack_bytes));
        } else if (name == "table" && !value.empty()) {
            read.table = value;
        } else if (name == "timeline") {
            if (!value.ends_with(".json"))
                refuse_simulation(now, "a name that ends in .json, for Perfetto and chrome://tracing");
            read.timeline = value;
        } else if (name == "lanes") {
            read.lanes = static_cast<int>(number_in(now, value, 1, most_ranks));
        } else {
            refuse_simulation(now, names_of_parts);
        }
    }
    if (!chosen.ranks_per_node.empty())
        read.machine.simulation.ranks_per_node = static_cast<int>(
            number_in("WEFT_RANKS_PER_NODE=" + chosen.ranks_per_node, chosen.ranks_per_node, 1, most_ranks));
    return read;
}

std::string wanted_simulation() {
    for (char const* const knob : {"WEFT_SIMULATE", "WEFT_ADVERSARY"})
        if (char const* const value = std::getenv(knob); value != nullptr && *value != '\0') return knob;
    return "";
}

int run_simulated(std::string const& program, std::function<int(communicator const&)> const& body) noexcept {
    try {
        return run_as_wanted(program, body);
    } catch (std::exception const& caught) {
        std::fprintf(stderr, "%s: %s\n", program.c_str(), caught.what());
        return 1;
    }
}

} // namespace weft
