#include "command.hpp"
#include "options/output_option.hpp"
#include "picture_options.hpp"
#include "plot_simulation.hpp"
#include "simulation_set.hpp"
#include <files/csv_row.hpp>

#include <weft/core/error.hpp>
#include <weft/io/write_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace weft::tool {

namespace {

/// The table, written as it grows: large machines take a while.
class simulation_table {
public:
    explicit simulation_table(bool shown) : shown_(shown) {
        if (shown_)
            print(fmt::format("{:<10} {:<18} {:<10} {:>8} {:>6} {:>9} {:>7} {:>14} {:>10} {:>12} {:>10}\n",
                "engine", "subject", "machine", "ranks", "degree", "bytes", "rounds", "us a round", "wall",
                "messages", "a rank"));
    }

    void add(simulation_result const& row) {
        rows_.push_back(row);
        append_csv_row(csv_, row.engine, row.subject, row.machine, row.ranks, row.degree, row.bytes,
            row.rounds, fmt::format("{:.9g}", row.simulated_seconds), fmt::format("{:.3g}", row.wall_seconds),
            row.messages, row.bytes_a_rank);
        if (!shown_) return;
        print(fmt::format("{:<10} {:<18} {:<10} {:>8} {:>6} {:>9} {:>7} {:>14.2f} {:>10} {:>12} {:>10}\n",
            row.engine, row.subject, row.machine, row.ranks, row.degree, row.bytes, row.rounds,
            1e6 * row.simulated_seconds / row.rounds, seconds_as_text(row.wall_seconds),
            grouped(row.messages), bytes_as_text(row.bytes_a_rank)));
        finish_standard_output();
    }

    [[nodiscard]] std::string const& csv() const noexcept { return csv_; }
    /// The rows of the CSV file as objects, with the same names.
    [[nodiscard]] nlohmann::ordered_json json() const {
        auto rows = nlohmann::ordered_json::array();
        for (simulation_result const& each : rows_)
            rows.push_back({{"engine", each.engine}, {"subject", each.subject}, {"machine", each.machine},
                {"ranks", each.ranks}, {"degree", each.degree}, {"bytes", each.bytes},
                {"rounds", each.rounds}, {"simulated_s", each.simulated_seconds},
                {"wall_s", each.wall_seconds}, {"messages", each.messages},
                {"bytes_a_rank", each.bytes_a_rank}});
        return rows;
    }
    [[nodiscard]] std::vector<simulation_result> const& rows() const noexcept { return rows_; }

private:
    bool shown_;
    std::vector<simulation_result> rows_;
    std::string csv_ =
        "engine,subject,machine,ranks,degree,bytes,rounds,simulated_s,wall_s,messages,bytes_a_rank\n";
};

/// The run in the name of a file.
std::string run_of(simulation_result const& row) {
    std::string name = fmt::format("{}-{}-{}-{}", row.subject, row.machine, row.ranks, row.degree);
    std::ranges::replace(name, ' ', '_');
    return name;
}

/// FILE-WORD.html for FILE.html.
std::string name_with(std::filesystem::path const& file, std::string const& word) {
    return (file.parent_path() / (file.stem().string() + "-" + word + file.extension().string())).string();
}

class simulate_command final : public command {
public:
    explicit simulate_command(CLI::App& app) {
        parser_ = app.add_subcommand(
            "simulate", "Run Weft's protocols on a simulated machine with any number of ranks");
        set_ = std::make_unique<simulation_set>(*parser_);
        for (CLI::App* const parser_of_one : parser_->get_subcommands({})) {
            CLI::App& parser = *parser_of_one;
            names_output(
                parser.add_option("--csv", csv_, "Write the results to a file, or - for standard output"));
            names_picture(parser.add_option(
                "--plot", plot_, "Plot the time of a round against the number of ranks into a PNG file"));
            if (CLI::Option* const lanes = parser.get_option_no_throw("--lanes"); lanes != nullptr) {
                CLI::Option* const page = parser.add_option("--page", page_,
                    "Write the timelines of --lanes ranks into an HTML file; each of several runs writes its "
                    "own file");
                names_output(page);
                page->needs(lanes);
                lanes->needs(page);
            }
            add_theme(parser, theme_);
            common_.add_output_to(parser);
        }
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        if (comm.size() > 1)
            throw usage_error("simulate: the whole machine is simulated by one process; start it without -n "
                              "or a launcher (--ranks says how large the simulated machine is)");
        simulation_table table(common_.shows_table());
        std::vector<std::pair<std::string, std::string>> pages;
        set_->run(comm, [&](simulation_result const& row) {
            table.add(row);
            if (!row.page.empty()) pages.emplace_back(run_of(row), row.page);
        });
        for (auto const& [run, text] : pages)
            write_text(comm, pages.size() == 1 ? page_ : name_with(page_, run), text);
        if (csv_ == "-")
            print(table.csv());
        else if (!csv_.empty())
            write_text(comm, csv_, table.csv());
        auto report = make_report("simulate", comm);
        report["options"]["machines"] = set_->machines();
        report["options"]["seed"] = set_->seed();
        report["result"]["rows"] = table.json();
        write_report(comm, report, common_.json);
        if (!plot_.empty() && !table.rows().empty())
            plot_simulation(table.rows(), plot_, theme_named(theme_));
    }

private:
    std::unique_ptr<simulation_set> set_;
    common_options common_;
    std::string csv_;
    std::string plot_;
    std::string page_;
    std::string theme_ = "light";
};

} // namespace

std::unique_ptr<command> make_simulate(CLI::App& app) {
    return std::make_unique<simulate_command>(app);
}

} // namespace weft::tool
