#include "command.hpp"
#include "options/output_option.hpp"
#include "outcome.hpp"
#include "picture_options.hpp"
#include "report/report.hpp"
#include "report/speech.hpp"

#include <pictures/theme.hpp>

#include <weft/core/error.hpp>
#include <weft/io/write_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace weft::tool {

namespace {

class reproduce_command final : public command {
public:
    explicit reproduce_command(CLI::App& app) {
        parser_ = app.add_subcommand("reproduce",
            "Compare numbers of Weft with those in the figures and tables of five papers, and "
            "give a verdict by a fixed rule. Without a paper, the command lists the figures");
        std::vector<std::string> papers;
        for (paper_row const& each : all_papers()) papers.emplace_back(each.name);
        parser_->add_option("paper", paper_, "The paper; without it, the figures of all papers are listed")
            ->check(CLI::IsMember(papers));
        parser_->add_option(
            "figure", figures_, "Figures of the paper, by their names in the list of figures (default: all)");
        parser_->add_flag("--small", small_,
            "Use smaller sizes, which take seconds; statements that need larger sizes get no verdict");
        names_output(parser_->add_option("--csv", csv_,
            "Write a CSV file with one row for each number, and one row for each statement, that is compared "
            "with the paper; - for standard output"));
        names_output(parser_->add_option(
            "--markdown", markdown_, "Write a table in Markdown to a file, or - for standard output"));
        names_picture(parser_->add_option("--plot", plot_,
            "Draw the figure, with the points that the paper's text names, into a PNG file; several figures "
            "go to NAME-FIGURE.png instead of NAME.png"));
        add_theme(*parser_, theme_);
        common_.add_output_to(*parser_);
        parser_->footer("A number gets the verdict \"reproduced\" if it differs by at most 25 % from the "
                        "number in the paper, and the verdict \"in shape\" if it differs by at most a factor "
                        "of 2. A statement without a number gets the verdict \"in shape\" if it holds. A "
                        "figure gets the worst verdict of its numbers and statements.\n");
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        if (comm.size() > 1)
            throw usage_error(
                "reproduce: machines are simulated by one process; start it without -n or a launcher");
        if (paper_.empty()) {
            if (small_ || !csv_.empty() || !markdown_.empty() || !plot_.empty() || !common_.json.empty())
                throw usage_error("reproduce: expected a paper to run; without one it only lists figures");
            print(list());
            return;
        }
        workbench bench(comm, small_);
        std::vector<outcome> found;
        auto const head = common_.shows_table();
        for (figure_row const* const each : chosen()) {
            found.push_back(outcome_of(bench, *each));
            if (!head) continue;
            print(outcome_text(found.back()));
            finish_standard_output();
        }
        write(comm, csv_, [&] { return outcomes_csv(found); });
        write(comm, markdown_, [&] { return outcomes_markdown(found); });
        auto report = make_report("reproduce", comm);
        report["options"]["paper"] = paper_;
        report["options"]["small"] = small_;
        report["result"]["figures"] = outcomes_json(found);
        write_report(comm, report, common_.json);
        if (!plot_.empty()) draw(found);
    }

private:
    [[nodiscard]] static std::string list() {
        std::string text;
        for (paper_row const& paper : all_papers()) {
            text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", paper.name, paper.title);
            for (figure_row const& each : paper.figures)
                text += fmt::format("  {:<16} {}{}\n", each.name, each.title,
                    each.run == nullptr ? fmt::format(" (not: {})", each.why_not) : "");
        }
        return text;
    }

    [[nodiscard]] paper_row const& paper() const {
        return *std::ranges::find(all_papers(), paper_, &paper_row::name);
    }

    /// The figures that were named, or all. Throws: `usage_error`.
    [[nodiscard]] std::vector<figure_row const*> chosen() const {
        std::vector<figure_row const*> rows;
        for (figure_row const& each : paper().figures)
            if (figures_.empty() || std::ranges::find(figures_, each.name) != figures_.end())
                rows.push_back(&each);
        for (std::string const& name : figures_)
            if (std::ranges::find(rows, name, &figure_row::name) == rows.end())
                throw usage_error(fmt::format("reproduce: {} has no {}; it has {}", paper_, name, names()));
        return rows;
    }
    [[nodiscard]] std::string names() const {
        std::vector<std::string_view> all;
        for (figure_row const& each : paper().figures) all.push_back(each.name);
        return fmt::format("{}", fmt::join(all, ", "));
    }

    [[nodiscard]] outcome outcome_of(workbench& bench, figure_row const& figure) const {
        outcome made{&paper(), &figure, {}, {}, 0};
        if (figure.run == nullptr) return made;
        auto const start = std::chrono::steady_clock::now();
        made.found = figure.run(bench);
        made.lines = bench.take_lines();
        made.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return made;
    }

    template <class Text>
    static void write(communicator const& comm, std::string const& file, Text&& text) {
        if (file == "-")
            print(text());
        else if (!file.empty())
            write_text(comm, file, text());
    }

    /// One picture a figure, because colours stand for other lines in each.
    void draw(std::vector<outcome> const& found) const {
        std::vector<outcome const*> drawn;
        for (outcome const& each : found)
            if (!each.found.panels.empty()) drawn.push_back(&each);
        if (drawn.empty())
            throw usage_error("reproduce: no curves are drawn of these figures; leave --plot away");
        std::filesystem::path const file(plot_);
        for (outcome const* const each : drawn) {
            auto of_one = file;
            if (figures_.size() != 1)
                of_one.replace_filename(fmt::format("{}-{}.png", file.stem().string(), each->figure->name));
            write_png(of_one, draw_chart(fmt::format("{} {}", paper_, each->figure->name), each->found.panels,
                                  theme_named(theme_)));
        }
    }

    std::string paper_;
    std::vector<std::string> figures_;
    bool small_ = false;
    std::string csv_;
    std::string markdown_;
    std::string plot_;
    std::string theme_ = "light";
    common_options common_;
};

} // namespace

std::unique_ptr<command> make_reproduce(CLI::App& app) {
    return std::make_unique<reproduce_command>(app);
}

} // namespace weft::tool
