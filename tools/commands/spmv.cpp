#include "graph_command.hpp"
#include "graph_report.hpp"
#include "launch/volume_module.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"

#include <collective/vector_sums.hpp>
#include <weft/graph/column_matrix.hpp>
#include <weft/graph/neighbor_counts.hpp>
#include <weft/graph/sparse_matrix.hpp>
#include <weft/io/read_vector.hpp>
#include <weft/io/write_text.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

namespace weft::tool {

namespace {

nlohmann::ordered_json neighbors_as_json(neighbor_count const& count) {
    return {{"avg", count.average}, {"max", count.largest}};
}

/// A rule by which rows are cut into blocks, as the report and the table name it.
struct layout_row {
    block_layout layout;
    char const* key;
    char const* words;
};
constexpr layout_row layouts[] = {{block_layout::floor, "floor_blocks", "blocks from floor(n p / P)"},
    {block_layout::ceil, "ceil_blocks", "blocks of ceil(n / P)"},
    {block_layout::entries, "entry_blocks", "blocks of equal entries"}};

/// The most and the mean neighbours against the ranks, a line for each rule.
chart_panel neighbor_panel(nlohmann::ordered_json const& series, char const* field, std::string title) {
    chart_panel panel{std::move(title), {"ranks", true}, {"neighbours of a rank", false}, {}};
    for (layout_row const& rule : layouts) {
        chart_series line{rule.words, panel.series.size(), false, {}};
        for (auto const& each : series)
            line.points.push_back(
                {each["ranks"].get<double>(), each[rule.key]["neighbors"][field].get<double>()});
        panel.series.push_back(std::move(line));
    }
    return panel;
}

class spmv_command final : public graph_command {
public:
    explicit spmv_command(CLI::App& app) : graph_command(app, "spmv", edge_values::weights, "MATRIX") {
        parser_->add_option("--vector", vector_,
            "A file with the vector, one number per line (default: 1 2 3 4 5 6 7 1 2 ..., x_j = (j mod 7) + "
            "1)");
        names_output(parser_->add_option("--out", out_, "Write the product, one number per line"));
        parser_
            ->add_option("--analyze-ranks", analyzed_ranks_,
                "Count the communication partners of a rank, for each of these numbers of ranks P. The n "
                "rows are divided in three ways: at floor(n p / P), into blocks of ceil(n / P) rows, and "
                "into blocks with about equal numbers of entries")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->check(above_zero());
        CLI::Option* const plot = parser_->add_option(
            "--plot", plot_, "Plot the number of partners against the number of ranks into a PNG file");
        names_picture(plot)->needs("--analyze-ranks");
        add_preset(*parser_, "--engine", engine_,
            "exchange: each rank has rows of the matrix, and first receives the vector elements that it "
            "needs; "
            "mailbox: each rank has columns of the matrix, and sends a number for each entry to the owner "
            "of the row of the entry",
            CLI::IsMember({"exchange", "mailbox"}));
        parser_
            ->add_option("--delegate-threshold", delegate_threshold_,
                "With --engine mailbox: rows and columns with more entries than this number are shared by "
                "all ranks (default: 1024)")
            ->check(above_zero());
        parser_->callback([this] {
            if (delegate_threshold_ > 0 && engine_ != "mailbox")
                throw CLI::ValidationError("--delegate-threshold", "needs --engine mailbox");
        });
    }

private:
    [[nodiscard]] bool about_matrix() const override { return true; }

    void compute(asked_graph& asked, session const& now) override {
        now.progress.phase("building the matrix");
        sparse_matrix matrix(now.comm, asked.take_edges());
        now.watch.lap("build");
        std::vector<double> const x = make_vector(matrix, now);
        std::vector<double> const y = multiply(matrix, x, now);
        vector_sums const sums = find_sums(now.comm, y);
        now.watch.lap("compute");

        auto& result = now.report["result"];
        result["rows"] = matrix.rows().total();
        result["cols"] = matrix.columns().total();
        result["nnz"] = matrix.entry_count();
        result["sum"] = sums.sum;
        result["abs_sum"] = sums.abs_sum;
        result["norm2"] = sums.norm2;
        result["neighbors"] = count_own_neighbors(matrix);
        if (!analyzed_ranks_.empty()) analyze(matrix, now);
        if (out_.empty()) return;

        now.progress.phase("writing the product");
        now.report["options"]["out"] = out_;
        std::string text;
        for (double const element : y) fmt::format_to(std::back_inserter(text), "{}\n", element);
        write_text(now.comm, out_, text);
        now.watch.lap("write");
    }

    [[nodiscard]] std::vector<double> multiply(
        sparse_matrix& matrix, std::span<double const> x, session const& now) const {
        auto& options = now.report["options"];
        options["engine"] = engine_;
        std::vector<double> y(static_cast<std::size_t>(matrix.local_rows()));
        if (engine_ != "mailbox") {
            now.progress.phase("multiplying");
            matrix.multiply(x, y);
            return y;
        }
        now.progress.phase("distributing columns");
        column_matrix_options chosen;
        if (delegate_threshold_ > 0) chosen.delegate_threshold = delegate_threshold_;
        column_matrix by_columns(matrix, chosen);
        now.watch.lap("columns");
        now.progress.phase("multiplying");
        by_columns.multiply(x, y);
        options["delegated_rows"] = by_columns.delegated_rows();
        options["delegated_columns"] = by_columns.delegated_columns();
        return y;
    }

    [[nodiscard]] std::vector<double> make_vector(sparse_matrix const& matrix, session const& now) const {
        if (!vector_.empty()) {
            now.progress.phase("reading the vector");
            now.report["options"]["vector"] = vector_;
            std::vector<double> x = read_vector(now.comm, vector_, matrix.columns().total());
            now.watch.lap("vector");
            return x;
        }
        std::vector<double> x;
        for (std::int64_t j = matrix.columns().begin(now.comm.rank());
             j < matrix.columns().end(now.comm.rank()); ++j)
            x.push_back(static_cast<double>(j % 7 + 1));
        return x;
    }

    static nlohmann::ordered_json count_own_neighbors(sparse_matrix const& matrix) {
        census_value counts = census_value::identity();
        counts.sum[0] = counts.max[0] = matrix.neighbors();
        counts = combine_all(matrix.comm(), counts);
        return neighbors_as_json({static_cast<double>(counts.sum[0]) / matrix.comm().size(), counts.max[0]});
    }

    void analyze(sparse_matrix const& matrix, session const& now) const {
        now.progress.phase("analyzing");
        now.report["options"]["analyze_ranks"] = analyzed_ranks_;
        auto& analysis = now.report["result"]["analysis"];
        for (int const ranks : analyzed_ranks_) {
            nlohmann::ordered_json of_ranks = {{"ranks", ranks}};
            for (layout_row const& rule : layouts) {
                neighbor_counts const counts = count_neighbors(matrix, ranks, rule.layout);
                of_ranks[rule.key] = {{"neighbors", neighbors_as_json(counts.others)},
                    {"neighbors_and_self", neighbors_as_json(counts.with_own)}};
            }
            analysis.push_back(of_ranks);
        }
        if (!plot_.empty()) {
            now.report["options"]["plot"] = plot_;
            agreed(now.comm, [&] {
                if (now.comm.rank() != 0) return;
                load_volumes().draw_chart(plot_, "neighbours in a product of the matrix",
                    {neighbor_panel(analysis, "avg", "on average"),
                        neighbor_panel(analysis, "max", "of the rank with most")});
            });
        }
        now.watch.lap("analyze");
    }

    [[nodiscard]] std::string rows(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const value = [&](char const* name) {
            return fmt::format("{:.12g}", result[name].get<double>());
        };
        auto const averaged = [](nlohmann::ordered_json const& of) {
            return fmt::format("{:.2f} on average, {} at most", of["avg"].get<double>(), of["max"].dump());
        };
        auto const messages = result["neighbors"]["avg"].get<double>() * report["ranks"].get<double>();
        std::string rows = count_row("rows", result["rows"]) + count_row("columns", result["cols"]) +
                           count_row("entries", result["nnz"]) + table_row("sum", value("sum")) +
                           table_row("sum of |y|", value("abs_sum")) + table_row("norm", value("norm2")) +
                           table_row("neighbours", averaged(result["neighbors"])) +
                           table_row("messages", fmt::format("{:.0f} a product", messages));
        if (!result.contains("analysis")) return rows;
        for (auto const& of_ranks : result["analysis"]) {
            rows += fmt::format("\n  neighbours of {} ranks\n", of_ranks["ranks"].dump());
            for (layout_row const& rule : layouts) {
                rows += fmt::format("  {:<28}{}\n", rule.words, averaged(of_ranks[rule.key]["neighbors"]));
                rows += fmt::format("  {:<28}{}\n", "  and the own block",
                    averaged(of_ranks[rule.key]["neighbors_and_self"]));
            }
        }
        return rows;
    }

    std::string vector_;
    std::string out_;
    std::vector<int> analyzed_ranks_;
    std::string plot_;
    std::string engine_ = "exchange";
    std::int64_t delegate_threshold_ = 0;
};

} // namespace

std::unique_ptr<command> make_spmv(CLI::App& app) {
    return std::make_unique<spmv_command>(app);
}

} // namespace weft::tool
