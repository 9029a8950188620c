#include "bound_option.hpp"
#include "command.hpp"
#include "empty_answer.hpp"
#include "field_input.hpp"
#include "input_file.hpp"
#include "report.hpp"
#include "surface_picture.hpp"
#include "surface_report.hpp"

#include <weft/contouring/contour.hpp>
#include <weft/contouring/write_surface.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::tool {

namespace {

contour_result contour_of(
    communicator const& comm, field_input const& field, contour_options const& options) {
    if (auto const* const mesh = std::get_if<mesh_input>(&field)) {
        contour_options typed = options;
        typed.values = in_type_of(comm, mesh->field.values, options.values);
        return contour(comm, mesh->of, mesh->field.values, typed);
    }
    auto const& volume = std::get<volume_input>(field);
    return visit_values(volume.type, {}, [&]<class T>(std::span<T const>) {
        std::vector<grid_values<T>> const mine = volume.as<T>();
        return contour(comm, volume.lines, std::span<grid_values<T> const>(mine), options);
    });
}

class contour_command final : public command {
public:
    explicit contour_command(CLI::App& app) {
        parser_ = app.add_subcommand(
            "contour", "Surfaces on which a field has a value: marching cells, balanced over all ranks");
        field_.add_to(*parser_);
        add_bounds(*parser_, "--iso", options_.values,
            "The value of a surface; values that are at least as large are inside; several: V,V or "
            "--iso V --iso V")
            ->required();
        add_surface_outputs(*parser_, out_);
        add_balance(*parser_, options_.balance);
        picture_.add_to(*parser_);
        common_.add_watched_to(*parser_);
        parser_->footer(
            "Surfaces are closed but for the ends of the volume or mesh and values that are missing; no "
            "result depends on the number of ranks.\n");
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        counters const before = counters_of(comm);
        auto report = make_report("contour", comm);
        progress_line progress(common_.progress, comm);
        stopwatch watch(comm);

        progress.phase("reading");
        field_input const field = field_.read(comm);
        watch.lap("read");
        progress.phase("finding the surface");
        options_.lap = [&](std::string_view phase) { watch.lap(phase); };
        contour_result const found = contour_of(comm, field, options_);

        progress.phase("writing");
        for (std::string const& each : out_) write_surface(comm, found.made, numbers(), each);
        watch.lap("write");
        if (picture_.is_wanted()) {
            progress.phase("drawing");
            picture_.write(comm, found.made, title(field), first_field(found.made));
            watch.lap("draw");
        }
        describe(report, field, found);
        tell_empty_contours(comm, field, options_.values, found.of_values, report["result"]);
        report["seconds"] = watch.seconds();
        report["traffic"] = traffic_since(comm, before);
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) print(table_of(report));
    }

private:
    /// "part.vtk: temperature = 300, 350"
    [[nodiscard]] std::string title(field_input const& of) const {
        std::string field = field_.name().empty() ? "value" : field_.name();
        if (auto const* const mesh = std::get_if<mesh_input>(&of)) field = mesh->field.name;
        return fmt::format("{}: {} = {:g}", short_name_of(field_.file()), field, fmt::join(numbers(), ", "));
    }
    [[nodiscard]] std::vector<double> numbers() const {
        std::vector<double> all;
        for (value_bound const& each : options_.values) all.push_back(each.nearest());
        return all;
    }
    void describe(
        nlohmann::ordered_json& report, field_input const& field, contour_result const& found) const {
        describe_input(report["input"], field_.file(), field);
        auto& chosen = report["options"];
        chosen["iso"] = json_of(options_.values);
        chosen["balance"] = name_of(options_.balance);
        field_.describe(chosen);
        if (!out_.empty()) chosen["out"] = out_;
        picture_.describe(chosen);
        contour_counts all;
        nlohmann::ordered_json by_value = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < found.of_values.size(); ++i) {
            contour_counts const& each = found.of_values[i];
            all.points += each.points;
            all.triangles += each.triangles;
            all.area += each.area;
            all.components += each.components;
            all.active_cells += each.active_cells;
            nlohmann::ordered_json one = {{"value", json_of(options_.values[i])}};
            one.update(as_json(each));
            by_value.push_back(std::move(one));
        }
        auto& result = report["result"] = as_json(all);
        result["imbalance_before"] = found.imbalance_before;
        result["imbalance_after"] = found.imbalance_after;
        result["by_value"] = std::move(by_value);
    }

    [[nodiscard]] static std::string table_of(nlohmann::ordered_json const& report) {
        auto const& result = report["result"];
        std::string table =
            table_head(report, report["input"]["file"].get<std::string>()) + input_row(report["input"]);
        if (result["by_value"].size() == 1) table += rows_of(result);
        if (result["by_value"].size() > 1)
            for (auto const& each : result["by_value"]) {
                table += table_row("value", fmt::format("{:.9g}", each["value"].get<double>()));
                table += rows_of(each);
            }
        return table + imbalance_row(result) + table_foot(report);
    }

    common_options common_;
    contour_options options_;
    field_options field_;
    surface_picture picture_;
    std::vector<std::string> out_;
};

} // namespace

std::unique_ptr<command> make_contour(CLI::App& app) {
    return std::make_unique<contour_command>(app);
}

} // namespace weft::tool
