#include "field_input.hpp"
#include "histogram_picture.hpp"
#include "mesh_field.hpp"
#include "options/bound_option.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "picture_options.hpp"
#include "report/reporting_command.hpp"
#include "report/table_file.hpp"
#include "volume_options.hpp"

#include <grids/grid_source.hpp>
#include <grids/values/value_histogram.hpp>

#include <weft/io/write_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::tool {

namespace {

/// A row of a table: some neighbouring bins.
struct bin_row {
    double from = 0;
    double to = 0;
    std::int64_t count = 0;
};

/// Bins as at most about 32 rows, each of equally many bins.
std::vector<bin_row> bin_rows_of(value_histogram const& found) {
    constexpr std::size_t most_rows = 32;
    std::size_t const bins = found.counts.size();
    std::size_t const together = (bins + most_rows - 1) / most_rows;
    std::vector<bin_row> rows;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        if (bin % together == 0) rows.push_back({found.edge(bin), 0, 0});
        rows.back().to = found.edge(bin + 1);
        rows.back().count += found.counts[bin];
    }
    return rows;
}

std::string draw_bars(value_histogram const& found, bool logarithmic) {
    std::vector<bin_row> const rows = bin_rows_of(found);
    auto const length = [&](std::int64_t count) {
        return logarithmic ? std::log1p(static_cast<double>(count)) : static_cast<double>(count);
    };
    double longest = 1e-300;
    for (bin_row const& each : rows) longest = std::max(longest, length(each.count));
    std::string drawn = fmt::format("  {:>27}  {:>15}\n", "values", "count");
    for (bin_row const& each : rows)
        drawn += fmt::format("  {:>12.6g} - {:<12.6g}  {:>15}  {}\n", each.from, each.to, grouped(each.count),
            last_bar(length(each.count) / longest, 48));
    return drawn;
}

nlohmann::ordered_json number_or_null(double value) {
    if (std::isfinite(value)) return value;
    return nullptr;
}

class histogram_command final : public reporting_command {
public:
    explicit histogram_command(CLI::App& app)
        : reporting_command(
              app, "histogram", "Distribution of the values of a volume or of a field of a mesh") {
        add_mesh_or_volume(*parser_, file_);
        add_preset(*parser_, "--bins", options_.bins,
            "Number of bins of equal width; the last bin includes its upper edge", between(1, 1048576));
        add_bounds(*parser_, "--range", range_,
            "Range of the bins, as LO,HI (default: from the least to the greatest value)")
            ->expected(2);
        parser_
            ->add_option("--quantiles", options_.quantiles,
                "Quantiles for the report, as 0.25,0.5,0.75 (0: the smallest value, 1: the largest). "
                "Quantiles are interpolated between sorted values: the median of 1 and 2 is 1.5")
            ->delimiter(',')
            ->check(between(0, 1))
            ->default_str("0.01,0.25,0.5,0.75,0.99");
        add_preset(*parser_, "--blocks", options_.blocks,
            "Number of slabs into which the volume is divided; it affects the last bits of the mean, while "
            "the number of ranks does not",
            between(1, 1048576));
        parser_->add_flag("--log", logarithmic_, "Draw bars whose lengths are the logarithms of the counts");
        names_picture(parser_->add_option("--image", image_, "Write a picture of the bars as PNG"));
        add_theme(*parser_, theme_);
        names_table(parser_->add_option("--out,--csv", out_,
            std::string(
                "Write a table with the columns `from`, `to` and `count`, and a line for each bin. ") +
                table_help));
        reading_.add_to(*parser_);
        mesh_.add_to(*parser_);
        common_.add_watched_to(*parser_);
        parser_->footer("Examples:\n"
                        "  weft -n 4 histogram brain.nii.gz --bins 128 --log --image values.png\n"
                        "  weft histogram clouds.nc --variable CLD --range 0,1 --out -\n"
                        "  weft -n 4 histogram part.vtk --field temperature --range 250,400\n"
                        "  weft histogram engine.raw --dims 256,256,128 --type uint8 --quantiles 0.5,0.9");
        parser_->callback([this] {
            if (parser_->count("--range") > 0 && !(range_[0] < range_[1]))
                throw CLI::ValidationError("--range", "expected LO,HI with HI above LO");
            if (parser_->count("--quantiles") == 0) options_.quantiles = {0.01, 0.25, 0.5, 0.75, 0.99};
        });
    }

private:
    void compute(session const& now) override {
        communicator const& comm = now.comm;
        now.progress.phase("reading and counting");
        opened_volume const input(
            comm, file_,
            [&](std::filesystem::path const& path) -> std::unique_ptr<grid_source> {
                if (mesh_.names_mesh(path)) return nullptr;
                grid_file_options reading = reading_.chosen();
                reading.each_once = true;
                return reading_.marked(open_grid(path, reading));
            },
            ending_of_field);
        if (!range_.empty()) options_.range = {{range_[0], range_[1]}};
        std::string const label = input.naming_it([&] {
            return input.is_mesh() ? count_mesh(now, input.path()) : count_volume(now, input.source());
        });

        now.progress.phase("writing");
        if (!out_.empty()) write_bins(comm);
        if (!image_.empty())
            write_picture(comm, image_, [&] {
                return draw_histogram(found_, short_name_of(file_), label, logarithmic_, theme_named(theme_));
            });
        now.watch.lap("write");
        describe_run(now.report, found_);
    }

    /// Returns the name of the values with their unit.
    std::string count_volume(session const& now, grid_source& source) {
        grid_shape const shape = source.shape();
        now.report["input"]["file"] = file_;
        describe_shape(now.report["input"], shape);
        found_ =
            histogram_of(now.comm, source, options_, [&](std::string_view phase) { now.watch.lap(phase); });
        return reading_.label_of_values(shape);
    }
    std::string count_mesh(session const& now, std::filesystem::path const& path) {
        refuse_options(*parser_, path,
            {"--dims", "--type", "--byte-order", "--header-bytes", "--step", "--channel"},
            "volumes, and this is a mesh");
        mesh_input const mesh = mesh_.read(now.comm, path, reading_.variable(), reading_.missing());
        now.watch.lap("read");
        describe_mesh(now.report["input"], file_, mesh);
        tell_mesh_without_cells(now.comm, file_, mesh);
        histogram_options options = options_;
        if (!range_.empty()) {
            auto const range = in_type_of(now.comm, mesh.field.values, range_);
            options.range = {{range[0], range[1]}};
        }
        found_ = histogram_of(now.comm,
            spread_values{mesh.field_of_cells ? mesh.of.cells : mesh.of.points, mesh.field.values}, options,
            [&](std::string_view phase) { now.watch.lap(phase); });
        return mesh.field.name;
    }

    void write_bins(communicator const& comm) const {
        table_rows rows(out_, style_of_table(out_),
            {{"from", column_kind::real}, {"to", column_kind::real}, {"count", column_kind::whole}});
        for (std::size_t bin = 0; comm.rank() == 0 && bin < found_.counts.size(); ++bin)
            rows.append(found_.edge(bin), found_.edge(bin + 1), found_.counts[bin]);
        rows.write(comm);
    }

    void describe_run(nlohmann::ordered_json& report, value_histogram const& found) const {
        auto& chosen = report["options"];
        chosen["bins"] = options_.bins;
        chosen["range"] = {found.lo, found.hi};
        chosen["blocks"] = options_.blocks;
        auto& result = report["result"];
        result["values"] = found.finite;
        result["missing"] = found.missing;
        result["infinite"] = found.infinite;
        result["below"] = found.below;
        result["above"] = found.above;
        result["min"] = found.finite > 0 ? json_of(found.least) : nullptr;
        result["max"] = found.finite > 0 ? json_of(found.greatest) : nullptr;
        result["mean"] = number_or_null(found.mean);
        result["entropy"] = found.entropy;
        auto& quantiles = result["quantiles"] = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < found.quantiles.size(); ++i)
            quantiles[fmt::format("{}", options_.quantiles[i])] = number_or_null(found.quantiles[i]);
        result["counts"] = found.counts;
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        std::string table = input_row(report["input"]);
        if (auto const& input = report["input"]; input.contains("field"))
            table += table_row("field", fmt::format("{} at {}", input["field"].get<std::string>(),
                                            input["values_at"].get<std::string>()));
        auto const row_unless_none = [&](char const* name, std::int64_t count) {
            if (count > 0) table += table_row(name, grouped(count));
        };
        row_unless_none("missing", found_.missing);
        row_unless_none("infinite", found_.infinite);
        row_unless_none("below", found_.below);
        row_unless_none("above", found_.above);
        if (found_.finite > 0) {
            table += table_row("min", fmt::format("{:.9g}", found_.least.nearest())) +
                     table_row("max", fmt::format("{:.9g}", found_.greatest.nearest())) +
                     table_row("mean", fmt::format("{:.9g}", found_.mean)) +
                     table_row("entropy", fmt::format("{:.6g} bits", found_.entropy));
            for (std::size_t i = 0; i < found_.quantiles.size(); ++i)
                table += table_row(fmt::format("quantile {}", options_.quantiles[i]),
                    fmt::format("{:.9g}", found_.quantiles[i]));
        }
        return table + "\n" + draw_bars(found_, logarithmic_);
    }

    histogram_options options_;
    volume_options reading_;
    mesh_options mesh_;
    value_histogram found_;
    std::string file_;
    std::string image_;
    std::string out_;
    std::string theme_ = "light";
    bool logarithmic_ = false;
    std::vector<value_bound> range_;
};

} // namespace

std::unique_ptr<command> make_histogram(CLI::App& app) {
    return std::make_unique<histogram_command>(app);
}

} // namespace weft::tool
