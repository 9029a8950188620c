/// The report of a command: the same facts as JSON and as a table.
#pragma once

#include <weft/core/communicator.hpp>
#include <weft/observe/counters.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace weft::tool {

/// Seconds of the phases of a command: what the slowest rank took.
class stopwatch {
public:
    explicit stopwatch(communicator const& comm);

    /// Ends the phase that has run since the last call. Collective.
    void lap(std::string_view phase);
    /// The phases so far, read, build and compute always among them, and their total.
    [[nodiscard]] nlohmann::ordered_json seconds() const;

private:
    communicator comm_;
    double last_;
    nlohmann::ordered_json phases_;
};

/// The traffic of all ranks since the counters were `before`. Collective.
[[nodiscard]] nlohmann::ordered_json traffic_since(communicator const& comm, counters const& before);

/// The frame of every report: command, version, ranks, nodes, input, options, result, seconds, traffic.
[[nodiscard]] nlohmann::ordered_json make_report(std::string_view command, communicator const& comm);

/// Writes the report to a file, or to standard output for "-". Rank 0 writes; the ranks agree on its success.
/// Collective. Throws: `io_error`.
void write_report(communicator const& comm, nlohmann::ordered_json const& report, std::string const& file);

/// The head of a table: command, subject and ranks.
[[nodiscard]] std::string table_head(nlohmann::ordered_json const& report, std::string_view subject);
/// The foot of a table: seconds and traffic.
[[nodiscard]] std::string table_foot(nlohmann::ordered_json const& report);
/// One row of a table.
[[nodiscard]] std::string table_row(std::string_view name, std::string_view value);

} // namespace weft::tool
