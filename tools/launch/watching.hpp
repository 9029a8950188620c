/// The means to watch every command: a timeline in a file, and a word when nothing moves.
#pragma once

#include <weft/core/environment.hpp>
#include <weft/io/timeline_file.hpp>
#include <weft/observe/stalls.hpp>

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace weft::tool {

/// The options of all commands that concern how they run.
struct watch_options {
    std::string timeline;        ///< a file; empty: none
    std::optional<double> stall; ///< seconds; nothing: WEFT_STALL_SECONDS, or 60

    void add_to(CLI::App& app);
};

/// Watches the world for as long as a command runs.
class watched_run final : stall_listener {
public:
    /// `line` is the title of the timeline. Collective. Throws: as `timeline_file`.
    watched_run(communicator const& comm, watch_options const& options, std::string line);
    ~watched_run();

    /// Writes what was asked for. Collective. Throws: as `timeline_file::write`.
    void write();

private:
    void stalled(std::string const& text) noexcept override;

    stall_watch& stalls_;
    std::optional<timeline_file> timeline_;
};

/// The command line as it was given, less the folder of the command: `weft degrees my_graph.mtx`.
[[nodiscard]] std::string command_line(std::string line, int argc, char** argv);

} // namespace weft::tool
