/// The interface of a subcommand of `weft`.
#pragma once

#include "report/report.hpp"
#include "report/speech.hpp"
#include "report/terminal.hpp"

#include <weft/core/environment.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace weft::tool {

/// Options that every command that computes something has.
struct common_options {
    std::string json;   ///< a file for the report, "-" for standard output, empty for none
    bool quiet = false; ///< no table
    progress_when progress = progress_when::automatic;
    std::uint64_t seed = 1;

    void add_to(CLI::App& command);
    /// Only what concerns the output, for commands in which nothing is random and nothing takes long.
    void add_output_to(CLI::App& command);
    /// That and progress, for commands in which nothing is random.
    void add_watched_to(CLI::App& command);
    /// A table would break a report or an output on standard output.
    [[nodiscard]] bool shows_table() const;

private:
    CLI::App* command_ = nullptr;
};

/// A thing that a subcommand of a parser selects; it declares its options before MPI starts.
class selectable {
public:
    selectable() = default;
    selectable(selectable const&) = delete;
    selectable& operator=(selectable const&) = delete;
    virtual ~selectable() = default;

    /// The subcommand that selects it.
    [[nodiscard]] CLI::App& parser() const noexcept { return *parser_; }

protected:
    CLI::App* parser_ = nullptr;
};

class command : public selectable {
public:
    /// Collective over the world of `env`. Throws what the library throws.
    virtual void run(environment const& env) = 0;
};

std::unique_ptr<command> make_label(CLI::App& app);
std::unique_ptr<command> make_trace(CLI::App& app);
std::unique_ptr<command> make_render(CLI::App& app);
std::unique_ptr<command> make_contour(CLI::App& app);
std::unique_ptr<command> make_slice(CLI::App& app);
std::unique_ptr<command> make_threshold(CLI::App& app);
std::unique_ptr<command> make_histogram(CLI::App& app);
std::unique_ptr<command> make_describe(CLI::App& app);
std::unique_ptr<command> make_nbody(CLI::App& app);
std::unique_ptr<command> make_generate(CLI::App& app);
std::unique_ptr<command> make_convert(CLI::App& app);
std::unique_ptr<command> make_graph(CLI::App& app);
std::unique_ptr<command> make_graph500(CLI::App& app);
std::unique_ptr<command> make_count(CLI::App& app);
std::unique_ptr<command> make_distinct(CLI::App& app);
std::unique_ptr<command> make_join(CLI::App& app);
std::unique_ptr<command> make_info(CLI::App& app);
std::unique_ptr<command> make_tune(CLI::App& app);
std::unique_ptr<command> make_simulate(CLI::App& app);
std::unique_ptr<command> make_reproduce(CLI::App& app);

} // namespace weft::tool
