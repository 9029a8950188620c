#include "report/report.hpp"

#include "launch/standard_streams.hpp"
#include "launch/usable_cores.hpp"
#include "report/terminal.hpp"

#include <files/output_target.hpp>

#include <weft/core/environment.hpp>
#include <weft/core/error.hpp>
#include <weft/core/version.hpp>
#include <weft/extend/transport/mpi_transport.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

/// From here on a run that leaves cores idle is worth a hint.
constexpr double seconds_worth_a_hint = 2;

/// "1 of 8 cores was used; ..." for a long run by one rank that the user started; empty otherwise.
std::string hint_about_cores(nlohmann::ordered_json const& report) {
    auto const& seconds = report["seconds"];
    if (report["ranks"] != 1 || launched_by_mpi() || !seconds.contains("total") ||
        seconds["total"].get<double>() < seconds_worth_a_hint)
        return {};
    int const cores = usable_cores();
    if (cores < 2) return {};
    return table_row("hint", fmt::format("1 of {} cores was used; weft -n auto uses all", cores));
}

} // namespace

stopwatch::stopwatch(communicator const& comm)
    : comm_(comm),
      last_(transport_of(comm).seconds()),
      phases_({{"read", 0.0}, {"build", 0.0}, {"compute", 0.0}}) {
}

void stopwatch::lap(std::string_view phase) {
    double const here = transport_of(comm_).seconds();
    auto const nanoseconds = static_cast<std::int64_t>((here - last_) * 1e9);
    phases_[std::string(phase)] = static_cast<double>(max(comm_, nanoseconds)) * 1e-9;
    last_ = transport_of(comm_).seconds();
}

nlohmann::ordered_json stopwatch::seconds() const {
    auto result = phases_;
    double total = 0;
    for (auto const& phase : phases_) total += phase.get<double>();
    result["total"] = total;
    return result;
}

nlohmann::ordered_json traffic_since(communicator const& comm, counters const& before) {
    counters const here = counters_of(comm) - before;
    census_value all = census_value::identity();
    all.sum[0] = here.messages;
    all.sum[1] = here.bytes;
    all.sum[2] = here.between_messages;
    all.sum[3] = here.between_bytes;
    all = combine_all(comm, all);
    census_value shared = census_value::identity();
    shared.sum[0] = here.shared_buffers;
    shared.sum[1] = here.shared_bytes;
    shared.max[0] = here.waves;
    shared = combine_all(comm, shared);
    return {{"messages", all.sum[0]}, {"bytes", all.sum[1]},
        {"between_nodes", {{"messages", all.sum[2]}, {"bytes", all.sum[3]}}},
        {"in_shared_memory", {{"buffers", shared.sum[0]}, {"bytes", shared.sum[1]}}},
        {"waves", shared.max[0]}};
}

nlohmann::ordered_json make_report(std::string_view command, communicator const& comm) {
    return {{"command", command}, {"version", WEFT_VERSION_TEXT}, {"ranks", comm.size()},
        {"nodes", comm.topology().node_count()}, {"input", nlohmann::ordered_json::object()},
        {"options", nlohmann::ordered_json::object()}, {"result", nlohmann::ordered_json::object()},
        {"seconds", nlohmann::ordered_json::object()}, {"traffic", nlohmann::ordered_json::object()}};
}

void write_report(communicator const& comm, nlohmann::ordered_json const& report, std::string const& file) {
    if (file.empty()) return;
    agreed(comm, [&] {
        if (comm.rank() != 0) return;
        // Labels of a file need not be UTF-8; what is not is replaced rather than refused.
        std::string const text =
            report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
        write_output(file, text);
    });
}

std::string table_head(nlohmann::ordered_json const& report, std::string_view subject) {
    auto const plural = [](int count, std::string_view what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    std::string const name = fmt::format("weft {}", report["command"].get<std::string>());
    return fmt::format("\n{}  {}   {} on {}\n\n", on_output(name, text_color::title), subject,
        plural(report["ranks"].get<int>(), "rank"), plural(report["nodes"].get<int>(), "node"));
}

std::string table_row(std::string_view name, std::string_view value) {
    return fmt::format("  {:<13} {}\n", name, value);
}

std::string table_foot(nlohmann::ordered_json const& report) {
    std::string phases;
    for (auto const& [phase, seconds] : report["seconds"].items())
        if (seconds.get<double>() > 0)
            phases += fmt::format(
                "{}{} {}", phases.empty() ? "" : "   ", phase, seconds_as_text(seconds.get<double>()));
    auto const amount = [](nlohmann::ordered_json const& of, std::string_view unit) {
        auto const count = of[unit].get<std::int64_t>();
        if (count == 1) unit.remove_suffix(1); // "1 message"
        return fmt::format("{} {}, {}", grouped(count), unit, bytes_as_text(of["bytes"].get<std::int64_t>()));
    };
    auto const& traffic = report["traffic"];
    std::string sent = amount(traffic, "messages") + " between ranks";
    auto const& between = traffic["between_nodes"];
    auto const& shared = traffic["in_shared_memory"];
    if (between["messages"] != 0) sent += "   between nodes " + amount(between, "messages");
    if (shared["buffers"] != 0) sent += "   in shared memory " + amount(shared, "buffers");
    return "\n" + table_row("time", phases) + table_row("traffic", sent) + hint_about_cores(report) + "\n";
}

} // namespace weft::tool
