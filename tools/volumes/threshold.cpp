#include "empty_answer.hpp"
#include "field_input.hpp"
#include "options/bound_option.hpp"
#include "options/output_option.hpp"
#include "report/reporting_command.hpp"

#include <weft/contouring/threshold.hpp>
#include <weft/contouring/write_mesh.hpp>
#include <weft/core/error.hpp>

#include <fmt/format.h>

#include <optional>

namespace weft::tool {

namespace {

/// Writes the cells, too, where a file is given.
threshold_result threshold_of(
    communicator const& comm, field_input& field, threshold_options const& options, std::string const& out) {
    if (auto* const mesh = std::get_if<mesh_input>(&field)) {
        auto& fields = mesh->field_of_cells ? mesh->of.of_cells : mesh->of.of_points;
        if (!mesh->field.name.empty()) fields.insert(fields.begin(), mesh->field);
        threshold_options typed = options;
        std::vector<value_bound> const ends =
            in_type_of(comm, mesh->field.values, {options.least, options.most});
        typed.least = ends[0];
        typed.most = ends[1];
        threshold_result found = threshold(comm, mesh->of, mesh->field.values, mesh->field_of_cells, typed);
        if (!out.empty()) write_mesh(comm, found.kept, out);
        return found;
    }
    auto const& volume = std::get<volume_input>(field);
    return visit_values(volume.type, {}, [&]<class T>(std::span<T const>) {
        std::vector<grid_values<T>> const mine = volume.as<T>();
        std::span<grid_values<T> const> const boxes = mine;
        return out.empty() ? threshold(comm, volume.lines, boxes, volume.name, options)
                           : write_threshold(comm, volume.lines, boxes, volume.name, options, out);
    });
}

class threshold_command final : public reporting_command {
public:
    explicit threshold_command(CLI::App& app)
        : reporting_command(
              app, "threshold", "Select the cells of a volume or a mesh whose values lie in a range") {
        field_.add_to(*parser_);
        add_bound(*parser_, "--least", least_, "The least value (default: no limit)");
        add_bound(*parser_, "--most", most_, "The largest value (default: no limit)");
        parser_->add_flag("--any", any_,
            "Keep a cell if at least one of its corners is in the range (default: only if all corners are in "
            "the range)");
        names_mesh(parser_->add_option("--out", out_, "Write the cells: FILE.vtu for VTK"));
        common_.add_watched_to(*parser_);
        parser_->footer("Points and cells keep their order. Results do not depend on the number of ranks.\n");
        parser_->callback([this] {
            if (!least_ && !most_) throw CLI::RequiredError("--least or --most");
            if (least_) options_.least = *least_;
            if (most_) options_.most = *most_;
            if (options_.most < options_.least)
                throw CLI::ValidationError("--most", "expected at least the value of --least");
        });
    }

private:
    void compute(session const& now) override {
        communicator const& comm = now.comm;
        now.progress.phase("reading");
        field_input field = field_.read(comm);
        now.watch.lap("read");
        describe_input(now.report["input"], field_.file(), field);
        now.progress.phase(out_.empty() ? "keeping cells" : "keeping and writing cells");
        options_.corners = any_ ? corner_rule::any : corner_rule::all;
        options_.lap = [&](std::string_view phase) { now.watch.lap(phase); };
        options_.makes_mesh = false; // of a volume
        threshold_result const found = threshold_of(comm, field, options_, out_);
        now.watch.lap("write");

        auto& chosen = now.report["options"];
        if (least_) chosen["least"] = json_of(*least_);
        if (most_) chosen["most"] = json_of(*most_);
        chosen["corners"] = any_ ? "any" : "all";
        field_.describe(chosen);
        if (!out_.empty()) chosen["out"] = out_;
        auto& result = now.report["result"];
        result["cells"] = found.cells;
        result["points"] = found.points;
        result["volume"] = found.volume;
        result["components"] = found.components;
        result["imbalance_before"] = found.imbalance_before;
        if (found.cells == 0) tell_empty_threshold(comm, field, options_, result);
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const count = [&](char const* name) { return grouped(result[name].get<std::int64_t>()); };
        return input_row(report["input"]) +
               table_row("kept", count("cells") + " cells between " + count("points") + " points") +
               table_row("volume", fmt::format("{:.9g}", result["volume"].get<double>())) +
               table_row("components", count("components")) +
               table_row("imbalance",
                   fmt::format("{:.3f} where they lay", result["imbalance_before"].get<double>()));
    }

    threshold_options options_;
    std::optional<value_bound> least_;
    std::optional<value_bound> most_;
    bool any_ = false;
    field_options field_{true};
    std::string out_;
};

} // namespace

std::unique_ptr<command> make_threshold(CLI::App& app) {
    return std::make_unique<threshold_command>(app);
}

} // namespace weft::tool
