/// The common part of commands that read, compute and write: progress, times, the report and the table.
#pragma once

#include "command.hpp"

#include <weft/core/communicator.hpp>

#include <string>

namespace weft::tool {

/// The state of a command while its phases run.
struct session {
    communicator comm;
    progress_line& progress;
    stopwatch& watch;
    nlohmann::ordered_json& report;
};

/// A command says what it computes and which rows its table has; when and where these are written is here.
class reporting_command : public command {
public:
    /// Calls `compute`, then writes the JSON file and prints the table.
    void run(environment const& env) final;

protected:
    reporting_command(CLI::App& app, std::string const& name, std::string const& description);

    /// Reads, computes and writes the outputs, and laps the watch. Fills `input`, `options` and `result` of
    /// the report; parts of phases in `seconds` are listed after the phases. Collective.
    virtual void compute(session const& now) = 0;
    /// The input in the head of the table. On rank 0.
    [[nodiscard]] virtual std::string subject(nlohmann::ordered_json const& report) const;
    /// The rows of the table between its head and its foot. On rank 0.
    [[nodiscard]] virtual std::string describe(nlohmann::ordered_json const& report) const = 0;

    common_options common_; ///< added by the command, at their place in its help
};

} // namespace weft::tool
